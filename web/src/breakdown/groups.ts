// The groups of a breakdown for one evaluator: labels, filters, changes, and their shares of the change of all rows.
import type { Breakdown, BreakdownGroup, GroupChange, GroupStatistics } from 'assay-client'
import { splitAtDot } from '../../../src/schema/filters/fields.ts'
import { formatInList } from '../../../src/schema/filters/in-operand.ts'
import { compactText } from '../format/value-text.ts'
import { columnDecimals, evaluatorUnit, formatChange, formatMeasure } from '../results/measures.ts'
import { MIN_ROWS } from '../results/verdict-sentence.ts'
import type { Filter } from '../state/row-params.ts'

interface Statistics {
  rows: number
  mean: number | null
  change: GroupChange | undefined
}

/** An evaluator of a breakdown, with the format of its numbers. */
export interface Metric {
  name: string
  index: number
  higherIsBetter: boolean
  isPassRate: boolean
  total: Statistics
  format: (value: number) => string
  formatChange: (value: number) => string
  /** Percentage points, or percent of the mean of all rows if the scores are not from 0 to 1. */
  toPoints: (value: number) => number
}

export interface Group extends Statistics {
  label: string
  /** False for rows without a value, and for errors. */
  isValue: boolean
  /** The filter that selects its rows. Undefined if there is none. */
  filter: Filter | undefined
  /** The signed part of the change of all rows. Undefined if that is not certain. */
  share: number | undefined
}

/** Undefined if the evaluator has no scores, but for example labels. */
export function metricOf(breakdown: Breakdown, evaluator: string | undefined): Metric | undefined {
  const { evaluators, total, groups } = breakdown
  const index = evaluators.findIndex(({ name }) => name === evaluator)
  const [declared, statistics] = [evaluators[index], total.evaluators[index]]
  if (!declared || !statistics) return undefined
  const { higher_is_better } = declared
  const unit = evaluatorUnit([{ ...statistics, base: undefined, higher_is_better }])
  if (unit === undefined) return undefined
  const values = [total, ...groups].flatMap((one) => {
    const { mean, base } = one.evaluators[index] ?? {}
    return base ? [base.mean ?? 0, (base.mean ?? 0) + (base.delta ?? 0)] : (mean ?? [])
  })
  const decimals = columnDecimals(unit, values)
  // A sum of rounded numbers can be slightly above 1.
  const isFraction = values.every((value) => Math.abs(value) < 1.001)
  const largest = Math.abs(statistics.base?.mean ?? statistics.mean ?? 0) || 1
  return {
    name: declared.name,
    index,
    higherIsBetter: higher_is_better,
    isPassRate: unit === 'percent',
    total: statisticsOf(total, index),
    format: (value) => formatMeasure(unit, value, decimals),
    formatChange: (value) => formatChange(unit, value, decimals),
    toPoints: (value) => (isFraction ? value : value / largest) * 100,
  }
}

function statisticsOf({ rows, evaluators }: GroupStatistics, index: number): Statistics {
  const { mean = null, base } = evaluators[index] ?? {}
  return { rows, mean, change: base }
}

/** The groups that explain the most come first; without a baseline, the worst with enough rows. */
export function groupsOf(breakdown: Breakdown, metric: Metric): Group[] {
  const { groups, rest, group_count, by } = breakdown
  const withShare = (statistics: GroupStatistics) => {
    const { change, ...others } = statisticsOf(statistics, metric.index)
    return { ...others, change, share: shareOf(change, metric.total.change) }
  }
  const all: Group[] = groups.map((group) => ({
    ...withShare(group),
    ...groupLabel(by, group),
  }))
  if (rest) {
    const label = `${group_count - groups.length} smaller groups`
    all.push({ ...withShare(rest), label, isValue: false, filter: undefined })
  }
  const weight = ({ change, mean, share, rows }: Group) => {
    if (change) return -(share ?? Math.abs(change.contribution ?? 0))
    if (mean === null || rows < MIN_ROWS) return Number.POSITIVE_INFINITY
    return metric.higherIsBetter ? mean : -mean
  }
  // The difference of two infinite weights is not a number.
  return all.toSorted((a, b) => weight(a) - weight(b) || 0)
}

export function isCertain(change: GroupChange | undefined): boolean {
  return change?.outcome === 'better' || change?.outcome === 'worse'
}

function shareOf(change: GroupChange | undefined, total: GroupChange | undefined): number | undefined {
  if (!change || !total?.delta || change.contribution === null || !isCertain(total)) return undefined
  return change.contribution / total.delta
}

/** The label of a group, and the filter that selects its rows. */
export function groupLabel(by: string, group: BreakdownGroup): Pick<Group, 'label' | 'isValue' | 'filter'> {
  return { ...labelOf(by, group), filter: filterOf(by, group) }
}

function labelOf(by: string, { kind, value, is_cut }: BreakdownGroup): Pick<Group, 'label' | 'isValue'> {
  if (kind === 'error') return { label: 'evaluator failed', isValue: false }
  if (kind === 'missing') return { label: by === 'error' ? 'no error' : 'no value', isValue: false }
  const text =
    typeof value === 'boolean' && by.startsWith('result.') ? (value ? 'pass' : 'fail') : compactText(value)
  return { label: is_cut ? `${text}…` : text || '""', isValue: true }
}

function filterOf(by: string, group: BreakdownGroup): Filter | undefined {
  const [field] = splitAtDot(by)
  const { kind, value, is_cut } = group
  if (kind === 'error') return [by, 'is.error']
  if (kind === 'missing') return { error: [by, 'is.false'] as const, result: [by, 'is.null'] as const }[field]
  if (is_cut) return undefined
  if (field === 'result' && typeof value === 'boolean') return [by, `is.${value}`]
  return [by, `eq.${compactText(value)}`]
}

/** Longer addresses are not accepted everywhere. */
const MAX_OPERAND_LENGTH = 4000

/** The filter that selects the rows of all these groups. Undefined if there is none. */
export function commonFilter(groups: readonly Group[]): Filter | undefined {
  const values = groups.map(({ filter, isValue }) => isValue && filter?.[1])
  const texts = values.flatMap((value) =>
    typeof value === 'string' && value.startsWith('eq.') ? value.slice(3) : [],
  )
  const [name] = groups[0]?.filter ?? []
  const operand = formatInList(texts)
  if (name === undefined || texts.length < groups.length || operand.length > MAX_OPERAND_LENGTH)
    return undefined
  return [name, `in.${operand}`]
}

/** Groups with this share of the change are listed even if their own change can be random. */
export const LARGE_SHARE = 0.1
/** With the line of the others, the box is as high as statistics of four evaluators. */
const MIN_LISTED = 4

/** The groups to list, and those that are combined in one line because they are tied or too small. */
export function collapseGroups(groups: readonly Group[]): { listed: Group[]; combined: Group[] } {
  const isRelevant = ({ change, share = 0 }: Group) => !change || isCertain(change) || share >= LARGE_SHARE
  const missing = MIN_LISTED - groups.filter(isRelevant).length
  const others = groups.filter((group) => !isRelevant(group)).slice(Math.max(0, missing))
  // A line for a single group would not save any space.
  if (others.length < 2) return { listed: [...groups], combined: [] }
  return { listed: groups.filter((group) => !others.includes(group)), combined: others }
}

/** The change of several groups together, without an interval. */
export function combinedChange(
  groups: readonly Group[],
): { n: number; mean: number; delta: number } | undefined {
  const changes = groups.flatMap(({ change }) => (change?.delta == null ? [] : change))
  const n = changes.reduce((sum, change) => sum + change.n, 0)
  if (n === 0) return undefined
  const weighted = (read: (change: GroupChange) => number | null) =>
    changes.reduce((sum, change) => sum + (read(change) ?? 0) * change.n, 0) / n
  return { n, mean: weighted(({ mean }) => mean), delta: weighted(({ delta }) => delta) }
}
