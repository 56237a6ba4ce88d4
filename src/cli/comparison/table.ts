// Formats the statistics of a comparison for the text and Markdown reports: table rows and the verdict.
import type {
  ComparedCandidate,
  ComparedEvaluator,
  Comparison,
  PairedStatistics,
} from '../../schema/comparisons.ts'
import { countOf, formatCount } from '../output/progress.ts'
import {
  changeCells,
  DOLLARS,
  type FormatName,
  formatUnsigned,
  fractionDigits,
  isZero,
  joinNames,
  PLAIN,
  RATE,
  SECONDS,
  type Unit,
} from '../output/statistics.ts'

/** An evaluator, cost or latency, with its label and unit. */
interface ComparedMetric extends PairedStatistics {
  label: string
  unit: Unit
  classes?: ComparedEvaluator['classes']
}

export const COLUMN_HEADINGS = [
  '',
  'baseline',
  'candidate',
  'change',
  '95 % confidence interval',
  'regressed',
  'improved',
  'n',
  '',
]

export function tableRows(candidate: ComparedCandidate, formatName: FormatName): string[][] {
  return comparedMetrics(candidate, formatName).map((metric) => [
    metric.label,
    ...changeCells(metric, metric.unit),
    metric.classes ? formatCount(metric.classes.regressed) : '',
    metric.classes ? formatCount(metric.classes.improved) : '',
    formatCount(metric.n),
    metric.outcome ?? 'not comparable',
  ])
}

/** Cost and latency are included only if they can be compared. */
function comparedMetrics(
  { evaluators, cost, latency }: ComparedCandidate,
  formatName: FormatName,
): ComparedMetric[] {
  const costAndLatency: ComparedMetric[] = [
    { ...cost, label: 'cost', unit: DOLLARS },
    { ...latency, label: 'latency', unit: SECONDS },
  ]
  return [
    ...evaluators.map((evaluator) => ({
      ...evaluator,
      label: formatName(evaluator.name),
      unit: unitOf(evaluator),
    })),
    ...costAndLatency.filter(({ n }) => n > 0),
  ]
}

/** Means of verdicts are pass rates. Only verdicts have a p-value. */
function unitOf({ p_value }: ComparedEvaluator): Unit {
  return p_value === null ? PLAIN : RATE
}

/** The absolute change of the mean. Uses more digits than the table if the table would show zero. */
export function formatDifference(evaluator: ComparedEvaluator): string {
  const { base_mean, mean, delta } = evaluator
  const unit = unitOf(evaluator)
  const difference = Math.abs(delta ?? 0) * unit.factor
  const text = formatUnsigned(difference, fractionDigits([base_mean, mean, delta], unit))
  return `${isZero(text) ? difference.toPrecision(2) : text}${unit.changeSuffix}`
}

/** For example: `pr-12 compared with main: worse on exact, better on latency, tied on 2.` */
export function verdictText(baseline: string, candidate: ComparedCandidate, formatName: FormatName): string {
  const metrics = comparedMetrics(candidate, formatName)
  const labelsWith = (outcome: ComparedMetric['outcome']) =>
    metrics.filter((metric) => metric.outcome === outcome).map(({ label }) => label)
  const [worse, better, tied, incomparable] = [
    labelsWith('worse'),
    labelsWith('better'),
    labelsWith('tied'),
    labelsWith(null),
  ]
  const parts = [
    worse.length > 0 && `worse on ${joinNames(worse)}`,
    better.length > 0 && `better on ${joinNames(better)}`,
    tied.length > 0 && `tied on ${formatTiedNames(tied, metrics.length)}`,
    incomparable.length > 0 && `not comparable on ${joinNames(incomparable)}`,
  ].filter((part) => part !== false)
  const verdict = parts.length === 0 ? 'nothing to compare' : parts.join(', ')
  return `${formatName(candidate.id)} compared with ${formatName(baseline)}: ${verdict}.`
}

/** `everything`, the name if there is only one, otherwise the number of names. */
function formatTiedNames(tied: string[], total: number): string {
  if (tied.length === total) return 'everything'
  return tied.length === 1 ? joinNames(tied) : formatCount(tied.length)
}

/** How many scenarios were matched, and by which join key. */
export function matchSummary(
  { join }: Comparison,
  candidate: ComparedCandidate,
  formatName: FormatName,
): string {
  const { matched, only_in_base, only_in_candidate } = candidate
  const parts = [
    `${countOf(matched, 'scenario')} matched by ${formatName(join.by)}`,
    only_in_base > 0 && `${formatCount(only_in_base)} only in the baseline`,
    only_in_candidate > 0 && `${formatCount(only_in_candidate)} only in the candidate`,
  ]
  return `${parts.filter((part) => part !== false).join(', ')}.`
}
