// Rows of the statistics: one per evaluator, then latency and cost; and the format of their numbers.
import type { Comparison } from 'assay-client'
import { formatCount } from '../../../format/numbers.ts'
import { columnDecimals, formatChange, formatMeasure, UNIT_LABELS } from '../../../results/measures.ts'
import { outcomeOf, type VerdictOutcome } from '../../../results/verdict-sentence.ts'

export type StatisticsCell = MetricComparison &
  Partial<Pick<ComparedEvaluator, 'classes' | 'is_verdict' | 'labels'>>

export interface StatisticsRow {
  name: string
  /** "%", "mean, s" */
  unit: string
  /** Undefined for latency and cost, which have no row classes. */
  evaluator: string | undefined
  higherIsBetter: boolean
  /** One per candidate, in order. */
  cells: StatisticsCell[]
  /** Formats a mean without its unit. */
  format: (value: number) => string
  /** Formats a difference with its sign. */
  formatChange: (value: number, cell: StatisticsCell) => string
  /** A difference in percentage points, or in percent of the baseline if the scores are not from 0 to 1. */
  toPoints: (value: number, cell: StatisticsCell) => number | undefined
}

export function statisticsRows({ candidates }: Comparison): StatisticsRow[] {
  const names = candidates[0]?.evaluators.map(({ name }) => name) ?? []
  const latency = candidates.map((candidate) => candidate.latency)
  const cost = candidates.map((candidate) => candidate.cost)
  return [
    ...names.map((name) => evaluatorRow(name, candidates)),
    relativeRow('latency', 'mean, s', 'seconds', latency),
    // The cost of a single row has too many zeros.
    relativeRow('cost', '$ per 1000', 'dollars', cost, 1000),
  ]
}

function evaluatorRow(name: string, candidates: Comparison['candidates']): StatisticsRow {
  const cells = candidates.flatMap(({ evaluators }) =>
    evaluators.filter((evaluator) => evaluator.name === name),
  )
  const unit = cells.some(({ is_verdict }) => is_verdict) ? 'percent' : 'score'
  const decimals = columnDecimals(unit, meansOf(cells))
  return {
    name,
    unit: UNIT_LABELS[unit],
    evaluator: name,
    higherIsBetter: cells[0]?.higher_is_better ?? true,
    cells,
    format: (value) => formatMeasure(unit, value, decimals),
    formatChange: (value) => formatChange(unit, value, decimals),
    toPoints: (value, cell) => (isFraction(cell) ? value * 100 : percentOf(value, cell)),
  }
}

/** Differences of latency and cost are percentages of the baseline. Lower is better. */
function relativeRow(
  name: string,
  unitLabel: string,
  unit: 'seconds' | 'dollars',
  cells: StatisticsCell[],
  factor = 1,
): StatisticsRow {
  const decimals = columnDecimals(
    unit,
    meansOf(cells).map((mean) => mean * factor),
  )
  return {
    name,
    unit: unitLabel,
    evaluator: undefined,
    higherIsBetter: false,
    cells,
    format: (value) => formatMeasure(unit, value * factor, decimals),
    formatChange: (value, cell) => {
      const percent = percentOf(value, cell)
      return percent === undefined
        ? formatChange('score', value * factor, decimals)
        : `${formatChange('percent', percent / 100)} %`
    },
    toPoints: percentOf,
  }
}

/** The change and its interval for the chart, where right is better. */
export function chartPoints(row: StatisticsRow, cell: StatisticsCell) {
  const points = (value: number | null | undefined) => {
    const result = value == null ? undefined : row.toPoints(value, cell)
    return result === undefined || row.higherIsBetter ? result : -result
  }
  return { change: points(cell.delta), interval: (cell.interval ?? []).map(points) }
}

function meansOf(cells: readonly StatisticsCell[]): number[] {
  return cells.flatMap(({ mean, base_mean }) => [mean ?? 0, base_mean ?? 0])
}

/** Pass rates, and scores from 0 to 1. */
function isFraction({ base_mean, mean, interval }: StatisticsCell): boolean {
  return [base_mean, mean, ...(interval ?? [])].every((value) => Math.abs(value ?? 0) <= 1)
}

function percentOf(value: number, { base_mean }: StatisticsCell): number | undefined {
  return base_mean ? (value / Math.abs(base_mean)) * 100 : undefined
}

/** For example evaluators that one of the evaluations does not have. */
export function hasNoScores({ cells }: StatisticsRow): boolean {
  return cells.every(({ n }) => n === 0)
}

/** Labels have counts instead of scores. */
export function hasLabels(row: StatisticsRow): boolean {
  return hasNoScores(row) && row.cells.some(({ labels }) => labels)
}

/** More would not fit in a line. */
const MAX_LABELS = 6

/** "neutral 60, friendly 55", the most frequent first. */
export function labelCounts(
  labels: StatisticsCell['labels'],
  side: 'base' | 'candidate',
  max = MAX_LABELS,
): string {
  const counts = (labels ?? []).filter((one) => one[side] > 0).toSorted((a, b) => b[side] - a[side])
  const texts = counts.slice(0, max).map((one) => `${one.label} ${formatCount(one[side])}`)
  return (
    [...texts, ...(counts.length > max ? [`${counts.length - max} more labels`] : [])].join(', ') ||
    'no label'
  )
}

/** "−31.5 to −13.1"; empty without a confidence interval. */
export function formatInterval(cell: StatisticsCell, row: StatisticsRow): string {
  const [low, high] = cell.interval ?? []
  if (low === undefined || high === undefined) return ''
  const [from, to] = [row.formatChange(low, cell), row.formatChange(high, cell)]
  return from === to ? to : `${from.replace(/ %$/, '')} to ${to}`
}

/** The selected evaluator first, then those that got worse. Latency and cost are always included. */
export function mostRelevantRows(
  rows: StatisticsRow[],
  selectedEvaluator: string | undefined,
  maxEvaluators: number,
): StatisticsRow[] {
  const rank = ({ evaluator, cells }: StatisticsRow) =>
    evaluator === selectedEvaluator ? -1 : Math.min(...cells.map(rankOf), Number.POSITIVE_INFINITY)
  const relevantRows = rows
    .filter(({ evaluator }) => evaluator !== undefined)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, maxEvaluators)
  return rows.filter((row) => row.evaluator === undefined || relevantRows.includes(row))
}

export type Candidate = Comparison['candidates'][number]
export type ComparedEvaluator = Candidate['evaluators'][number]
export type MetricComparison = Candidate['latency']

/** The most relevant outcome first. */
const RANKS: VerdictOutcome[] = ['worse', 'better', 'too-few', 'equal-change', 'tied', 'none']

/** The statistics of one metric of a candidate, and how relevant they are. */
function rankOf(metric: MetricComparison): number {
  return RANKS.indexOf(outcomeOf(metric))
}
