// The sentence that compares a candidate with its baseline. The page and the Python client have the same one.

import type { Outcome } from '../../schema/comparisons.ts'
import type { BaselineReason } from '../../schema/rules.ts'
import { countOf, formatCount } from '../output/progress.ts'
import { type FormatName, joinNames, RATE, type Unit } from '../output/statistics.ts'

/** Statistics of the rows of one evaluator, or of cost or latency. */
export interface VerdictMetric {
  name: string
  n: number
  base_mean: number | null
  delta: number | null
  outcome: Outcome | null
  detectable: number | null
  unit: Unit
}

export interface VerdictEvaluator extends VerdictMetric {
  regressed: number
  improved: number
  unclear: number
}

export interface Verdict {
  candidate: string
  baseline: string
  /** Why the baseline was chosen. Null if it was named. */
  chosen: BaselineReason | null
  has_different_rows: boolean
  evaluator: VerdictEvaluator
}

/** With fewer rows there is no outcome. */
const MIN_ROWS = 6
const MAX_LISTED_NAMES = 3

const BASELINES: Partial<Record<BaselineReason, string>> = {
  previous: 'the previous run ',
  marked: 'the marked baseline ',
}

/** For example: `r5 is worse than r4 on exact: 29 rows regressed, 4 improved.` */
export function verdictSentence(verdict: Verdict, formatName: FormatName): string {
  const { evaluator, chosen, has_different_rows } = verdict
  const subject = formatName(verdict.candidate)
  const baseline = `${(chosen && BASELINES[chosen]) ?? ''}${formatName(verdict.baseline)}`
  const on = `on ${formatName(evaluator.name)}`
  const { n, outcome } = evaluator
  const failure = `${subject} cannot be compared with ${baseline}`
  if (has_different_rows) return `${failure}: these runs do not have the same rows.`
  if (n === 0) return `${failure} ${on}: no matched row has a score in both.`
  if (outcome === null) return `${failure} ${on}: all ${countOf(n, 'row')} changed by the same amount.`
  if (outcome === 'too-few')
    return `Too few rows to compare ${subject} with ${baseline} ${on}: ${formatCount(n)} with a score in both, at least ${MIN_ROWS} are needed.`
  if (outcome === 'tied') return `${subject} and ${baseline} are tied ${on}: ${describeTie(evaluator)}.`
  return `${subject} is ${outcome} than ${baseline} ${on}: ${describeRows(evaluator)}.`
}

function describeRows({ regressed, improved, unclear }: VerdictEvaluator): string {
  const unclearRows = unclear > 0 ? `, ${formatCount(unclear)} unclear` : ''
  return `${countOf(regressed, 'row')} regressed, ${formatCount(improved)} improved${unclearRows}`
}

function describeTie(evaluator: VerdictEvaluator): string {
  const { n, regressed, improved, unclear, detectable, unit } = evaluator
  const detected =
    detectable === null
      ? ''
      : `; a change of ${formatDetectable(detectable, unit)} or more would have been seen`
  return regressed + improved + unclear === 0
    ? `all ${countOf(n, 'row')} have the same score${detected}`
    : `${describeRows(evaluator)}, no clear change${detected}`
}

const shortFormat = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })

/** With at most two significant digits, for example `9 points` or `0.037`. */
export function formatDetectable(change: number, unit: Unit): string {
  const amount = shortFormat.format(change * unit.factor)
  if (unit === RATE) return `${amount} ${amount === '1' ? 'point' : 'points'}`
  return `${unit.prefix}${amount}${unit.suffix}`
}

interface OtherMetrics {
  /** The evaluator of the sentence before. */
  evaluator: VerdictEvaluator
  others: VerdictMetric[]
  cost: VerdictMetric | undefined
  latency: VerdictMetric | undefined
}

/** For example: `Also worse on judge and valid, 30.5 % cheaper.` Undefined if nothing else changed. */
export function otherChanges(metrics: OtherMetrics, formatName: FormatName): string | undefined {
  const { evaluator, others, cost, latency } = metrics
  const clauses = (['worse', 'better'] as const).flatMap((outcome) => {
    const names = others.filter((other) => other.outcome === outcome).map(({ name }) => formatName(name))
    const prefix = evaluator.outcome === outcome ? 'also ' : ''
    return names.length === 0 ? [] : `${prefix}${outcome} on ${listNames(names)}`
  })
  const text = [
    ...clauses,
    ...describeMeasure(cost, 'cheaper', 'more expensive'),
    ...describeMeasure(latency, 'faster', 'slower'),
  ].join(', ')
  return text === '' ? undefined : `${text[0]?.toUpperCase()}${text.slice(1)}.`
}

const percentFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

function describeMeasure(metric: VerdictMetric | undefined, better: string, worse: string): string[] {
  if (metric?.outcome !== 'better' && metric?.outcome !== 'worse') return []
  const { delta, base_mean, outcome } = metric
  const amount =
    delta !== null && base_mean ? `${percentFormat.format(100 * Math.abs(delta / base_mean))} % ` : ''
  return [`${amount}${outcome === 'better' ? better : worse}`]
}

function listNames(names: string[]): string {
  const hiddenCount = names.length - MAX_LISTED_NAMES
  return joinNames(hiddenCount > 0 ? [...names.slice(0, MAX_LISTED_NAMES), `${hiddenCount} more`] : names)
}
