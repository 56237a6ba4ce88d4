// Changes of evaluators, cost and latency from a baseline, by group.
import type { Breakdown, GroupChange, GroupStatistics } from '../../schema/analysis/breakdowns.ts'
import { DOLLARS, PLAIN, RATE, SECONDS, type Unit } from '../output/statistics.ts'
import { type GroupLabel, labelOf, type ReportStyle, restLabel } from './group-labels.ts'

/** An evaluator, cost or latency: how to read it from the statistics of a group. */
export interface Metric {
  name: string
  isEvaluator: boolean
  unit: Unit
  read(statistics: GroupStatistics): { n: number; mean: number | null; base?: GroupChange | undefined }
}

export interface MetricChange extends Metric {
  total: GroupChange
  /** The groups, largest contribution first. */
  parts: ChangePart[]
}

export interface ChangePart {
  label: GroupLabel
  /** The number of groups: more than one if the breakdown does not list them. */
  groupCount: number
  change: GroupChange
}

const NO_CHANGE: GroupChange = {
  n: 0,
  mean: null,
  delta: null,
  interval: null,
  confidence: null,
  outcome: null,
  detectable: null,
  contribution: null,
  regressed: 0,
  improved: 0,
  unclear: 0,
}

const OUTCOME_RANKS = { worse: 0, better: 1, tied: 2, 'too-few': 3 }
const UNKNOWN_RANK = 4

/** The evaluators in order, then cost and latency. */
export function metricsOf({ evaluators: declared, total }: Breakdown): Metric[] {
  return [
    ...total.evaluators.map(({ name, mean, pass_rate }, index) => ({
      name,
      isEvaluator: true,
      // The mean of verdicts is their pass rate. With a threshold, the pass rate is that of numbers.
      unit: declared[index]?.threshold === null && mean === pass_rate && mean !== null ? RATE : PLAIN,
      read: ({ evaluators }: GroupStatistics) => evaluators[index] ?? { n: 0, mean: null },
    })),
    { name: 'cost', isEvaluator: false, unit: DOLLARS, read: ({ cost }) => cost },
    { name: 'latency', isEvaluator: false, unit: SECONDS, read: ({ latency }) => latency },
  ]
}

export function formatMetric({ name, isEvaluator }: Metric, style: ReportStyle): string {
  return isEvaluator ? style.name(name) : name
}

/**
 * What a report explains: the changes on `evaluators` if set, otherwise all that are better or worse, or the strongest one
 * if everything is tied. The first is worse if there is one.
 */
export function selectChanges(breakdown: Breakdown, evaluators: string[] | undefined): MetricChange[] {
  const changes = metricsOf(breakdown).map((metric) => toMetricChange(breakdown, metric))
  if (evaluators)
    return evaluators.flatMap((evaluator) =>
      changes.filter(({ name, isEvaluator }) => isEvaluator && name === evaluator),
    )
  const ranked = changes.filter(({ total }) => total.n > 0).sort(compareChanges)
  const changed = ranked.filter(({ total }) => total.outcome === 'worse' || total.outcome === 'better')
  return changed.length > 0 ? changed : ranked.slice(0, 1)
}

function toMetricChange(breakdown: Breakdown, metric: Metric): MetricChange {
  const { groups, rest, total, group_count } = breakdown
  const changeOf = (statistics: GroupStatistics) => metric.read(statistics).base ?? NO_CHANGE
  const parts = groups.map((group) => ({
    label: labelOf(breakdown, group),
    groupCount: 1,
    change: changeOf(group),
  }))
  if (rest)
    parts.push({
      label: restLabel(breakdown),
      groupCount: group_count - groups.length,
      change: changeOf(rest),
    })
  const sizeOf = ({ change }: ChangePart) => Math.abs(change.contribution ?? 0)
  return { ...metric, total: changeOf(total), parts: parts.sort((a, b) => sizeOf(b) - sizeOf(a)) }
}

/** Evaluators before cost and latency, worse before better before tied, then by the size relative to the interval. */
function compareChanges(a: MetricChange, b: MetricChange): number {
  const outcomeRank = ({ total }: MetricChange) =>
    total.outcome === null ? UNKNOWN_RANK : OUTCOME_RANKS[total.outcome]
  return (
    Number(b.isEvaluator) - Number(a.isEvaluator) ||
    outcomeRank(a) - outcomeRank(b) ||
    strengthOf(b.total) - strengthOf(a.total) ||
    0
  )
}

function strengthOf({ delta, interval }: GroupChange): number {
  if (delta === null || !interval) return 0
  const [low = 0, high = 0] = interval
  return Math.abs(delta) / Math.max((high - low) / 2, Number.MIN_VALUE)
}
