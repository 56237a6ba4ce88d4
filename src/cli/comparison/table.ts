// Formats the statistics of a comparison for the text and Markdown reports: table rows and the verdict.
import type {
  ComparedCandidate,
  ComparedEvaluator,
  Comparison,
  PairedStatistics,
} from '../../schema/comparisons.ts'
import { formatCount } from '../output/progress.ts'

/** Formats a name from user data, such as an evaluation id. */
export type FormatName = (name: string) => string

/** An evaluator, cost or latency, with its label and unit. */
interface ComparedMetric extends PairedStatistics {
  label: string
  unit: Unit
  classes?: ComparedEvaluator['classes']
}

interface Unit {
  factor: number
  prefix: string
  suffix: string
  changeSuffix: string
}

const PLAIN: Unit = { factor: 1, prefix: '', suffix: '', changeSuffix: '' }
const RATE: Unit = { factor: 100, prefix: '', suffix: ' %', changeSuffix: ' pp' }
const DOLLARS: Unit = { factor: 1, prefix: '$', suffix: '', changeSuffix: '' }
const SECONDS: Unit = { factor: 1, prefix: '', suffix: ' s', changeSuffix: ' s' }

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

/** Cell text of a missing value. */
const NO_VALUE = '-'

const MAX_NAMES = 10

export function tableRows(candidate: ComparedCandidate, formatName: FormatName): string[][] {
  return comparedMetrics(candidate, formatName).map((metric) => [
    metric.label,
    ...statisticCells(metric),
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

function statisticCells({ base_mean, mean, delta, interval, unit }: ComparedMetric): string[] {
  const digits = fractionDigits([base_mean, mean, delta], unit)
  const [low = null, high = null] = interval ?? []
  return [
    formatMean(base_mean, unit, digits),
    formatMean(mean, unit, digits),
    formatChange(delta, unit, digits, unit.changeSuffix),
    interval
      ? `${formatChange(low, unit, digits)} to ${formatChange(high, unit, digits, unit.changeSuffix)}`
      : NO_VALUE,
  ]
}

/** Decimal places: one for rates, otherwise four significant digits of the largest value. */
function fractionDigits(values: (number | null)[], unit: Unit): number {
  if (unit === RATE) return 1
  const largest = Math.max(...values.map((value) => Math.abs(value ?? 0)))
  return largest === 0 ? 3 : Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(largest))))
}

function formatMean(value: number | null, unit: Unit, digits: number): string {
  if (value === null) return NO_VALUE
  const text = `${unit.prefix}${formatUnsigned(value * unit.factor, digits)}${unit.suffix}`
  return value < 0 && !isZero(text) ? `-${text}` : text
}

function formatChange(value: number | null, unit: Unit, digits: number, suffix = ''): string {
  if (value === null) return NO_VALUE
  const text = `${unit.prefix}${formatUnsigned(value * unit.factor, digits)}${suffix}`
  if (isZero(text)) return text
  return value < 0 ? `-${text}` : `+${text}`
}

/** Uses exponential notation for very large and very small values. */
function formatUnsigned(value: number, digits: number): string {
  const size = Math.abs(value)
  return size >= 1e9 || (size > 0 && digits === 12) ? size.toPrecision(4) : size.toFixed(digits)
}

/** Whether all digits of a formatted number are zero. */
function isZero(text: string): boolean {
  return !/[1-9]/.test(text)
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

/** For example `a, b and c`. Lists at most ten names and the number of others. */
export function joinNames(names: string[]): string {
  const otherCount = names.length - MAX_NAMES
  if (otherCount > 0)
    return `${names.slice(0, MAX_NAMES).join(', ')} and ${formatCount(otherCount)} ${otherCount === 1 ? 'other' : 'others'}`
  const lastName = names.at(-1) ?? ''
  return names.length < 2 ? lastName : `${names.slice(0, -1).join(', ')} and ${lastName}`
}

/** How many scenarios were matched, and by which join key. */
export function matchSummary(
  { join }: Comparison,
  candidate: ComparedCandidate,
  formatName: FormatName,
): string {
  const { matched, only_in_base, only_in_candidate } = candidate
  const parts = [
    `${formatCount(matched)} ${matched === 1 ? 'scenario' : 'scenarios'} matched by ${formatName(join.by)}`,
    only_in_base > 0 && `${formatCount(only_in_base)} only in the baseline`,
    only_in_candidate > 0 && `${formatCount(only_in_candidate)} only in the candidate`,
  ]
  return `${parts.filter((part) => part !== false).join(', ')}.`
}
