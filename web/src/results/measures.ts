// The measures of an evaluation: one per evaluator, latency and cost. This module decides their units, decimals and labels.
// Every change is the mean difference of matched rows: the candidate minus its baseline.
import type { BaselineStatistics } from 'assay-client'
import type { Direction } from '../format/direction.ts'
import { formatDecimal } from '../format/numbers.ts'

export type Unit = 'percent' | 'score' | 'seconds' | 'dollars'

export interface Change {
  direction: Direction
  /** In the unit of the value; relative for dollars. Undefined if the statistics of the pairs have another measure. */
  difference: number | undefined
}

export interface Measure {
  value: number
  unit: Unit
  higherIsBetter: boolean
  change?: Change | undefined
}

interface Paired {
  base?: BaselineStatistics | undefined
}

export interface EvaluatorStatistics extends Paired {
  higher_is_better: boolean
  mean: number | null
  pass_rate: number | null
}

/** Means and pass rates have 12 significant digits. */
const SAME_VALUE = 1e-9

/**
 * The pass rate of verdicts, which is also their mean, or the mean of numbers, even if they have a threshold. One evaluator
 * has one unit on a page: pass the statistics of all its evaluations. Undefined if it has no scores, but for example labels.
 */
export function evaluatorUnit(statistics: readonly EvaluatorStatistics[]): 'percent' | 'score' | undefined {
  const scored = statistics.filter(({ mean }) => mean !== null)
  if (scored.length === 0) return undefined
  const isVerdict = ({ mean, pass_rate }: EvaluatorStatistics) =>
    mean !== null && pass_rate !== null && Math.abs(mean - pass_rate) < SAME_VALUE
  return scored.every(isVerdict) ? 'percent' : 'score'
}

export function evaluatorMeasure(
  statistics: EvaluatorStatistics,
  unit = evaluatorUnit([statistics]),
): Measure | undefined {
  const { mean, higher_is_better, base } = statistics
  if (mean === null || unit === undefined) return undefined
  return { value: mean, unit, higherIsBetter: higher_is_better, change: changeOf(base, base?.delta) }
}

/** The median. Its change has only a direction, because the pairs are compared by their mean. */
export function latencyMeasure({ p50, base }: { p50: number | null } & Paired): Measure | undefined {
  if (p50 === null) return undefined
  return { value: p50, unit: 'seconds', higherIsBetter: false, change: changeOf(base, undefined) }
}

/** The total of a run. Its change is relative and per row, because the number of rows can differ. */
export function costMeasure({ total, base }: { total: number | null } & Paired): Measure | undefined {
  if (total === null) return undefined
  const relative = base?.mean && base.delta !== null ? base.delta / base.mean : undefined
  const change = relative === undefined ? undefined : changeOf(base, relative)
  return { value: total, unit: 'dollars', higherIsBetter: false, change }
}

function changeOf(
  base: BaselineStatistics | undefined,
  difference: number | null | undefined,
): Change | undefined {
  if (!base?.outcome || base.outcome === 'too-few') return undefined
  return { direction: base.outcome, difference: difference ?? undefined }
}

const DECIMALS: Record<Unit, number> = { percent: 1, score: 3, seconds: 2, dollars: 2 }
const MAX_DECIMALS = 8

/** The decimals of all values of a column or a series. Small values get more, large scores fewer. */
export function columnDecimals(unit: Unit, values: readonly number[]): number {
  const decimals = DECIMALS[unit]
  const amounts = values.map(Math.abs).filter((amount) => amount > 0)
  if (unit === 'percent' || amounts.length === 0) return decimals
  const largest = Math.max(...amounts)
  if (unit === 'score' && largest >= 100) return largest >= 10_000 ? 0 : 1
  // Two digits of the largest value, and one of the smallest.
  const needed = Math.max(digitsAfterPoint(largest) + 1, digitsAfterPoint(Math.min(...amounts)))
  return Math.min(MAX_DECIMALS, Math.max(decimals, needed))
}

/** The position of the first digit that is not 0: 2 for 0.03. */
function digitsAfterPoint(value: number): number {
  return Math.max(0, -Math.floor(Math.log10(value)))
}

/** Without its unit, for columns and axes: "94.1" for 0.941 as percent. */
export function formatMeasure(
  unit: Unit,
  value: number,
  decimals: number = columnDecimals(unit, [value]),
): string {
  return fixed(unit === 'percent' ? value * 100 : value, decimals)
}

/** With its unit, for sentences: "94.1 %", "0.889", "1.18 s", "$0.18". */
export function formatWithUnit(unit: Unit, value: number, decimals?: number): string {
  const text = formatMeasure(unit, value, decimals)
  if (unit === 'dollars') return `$${text}`
  const suffix = { percent: ' %', score: '', seconds: ' s' }[unit]
  return `${text}${suffix}`
}

/** The amount of a difference, without sign: "22.3" points, "0.049", "8.0 %" of a cost. */
export function formatDifference(unit: Unit, difference: number, decimals?: number): string {
  const amount = Math.abs(difference)
  if (unit !== 'dollars') return formatMeasure(unit, amount, decimals ?? DECIMALS[unit])
  return `${fixed(amount * 100, amount < 0.9995 ? 1 : 0)} %`
}

/** "+0.049", "−22.3", "−8.0 %". */
export function formatChange(unit: Unit, difference: number, decimals?: number): string {
  const sign = difference === 0 ? '' : difference < 0 ? '−' : '+'
  return `${sign}${formatDifference(unit, difference, decimals)}`
}

/** The unit in a column header, after the name: "answer_correct %", "latency p50, s". */
export const UNIT_LABELS: Record<Unit, string> = {
  percent: '%',
  score: 'mean',
  seconds: 'p50, s',
  dollars: '$ per run',
}

function fixed(value: number, decimals: number): string {
  // No "-0.0".
  const text = formatDecimal(value, decimals, decimals).replace('-', '−')
  return /^−[0.,]+$/.test(text) ? text.slice(1) : text
}
