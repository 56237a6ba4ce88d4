// The pass rate of an evaluator corrected by the verdicts of a more reliable one in some of the rows. Uses no database.
import type { VerdictCounts } from './agreement.ts'
import { proportionInterval } from './beta-distribution.ts'
import { roundStatistic } from './rounding.ts'

/** With fewer judged rows, the interval is too wide to be useful. */
export const MIN_JUDGED_ROWS = 30

/** Both intervals contain the true rate with a probability of at least 95 %. */
const STRATUM_CONFIDENCE = 0.975

export interface CorrectedRate {
  corrected: number
  /** 95 % confidence interval of `corrected`. */
  interval: [low: number, high: number]
}

/**
 * The judged pass rates among the passes and among the fails of the evaluator, weighted by their shares of all `rows`. Null below
 * MIN_JUDGED_ROWS, and if none of its passes or none of its fails is judged.
 */
export function correctRate(rows: number, passed: number, judged: VerdictCounts): CorrectedRate | null {
  const { both_pass, only_evaluator, only_with, both_fail } = judged
  const strata = [
    { size: passed, count: both_pass, total: both_pass + only_evaluator },
    { size: rows - passed, count: only_with, total: only_with + both_fail },
  ].filter(({ size }) => size > 0)
  if (both_pass + only_evaluator + only_with + both_fail < MIN_JUDGED_ROWS) return null
  if (strata.some(({ total }) => total === 0)) return null
  let [corrected, low, high] = [0, 0, 0]
  for (const { size, count, total } of strata) {
    const [stratumLow, stratumHigh] = proportionInterval(count, total, STRATUM_CONFIDENCE)
    corrected += (size / rows) * (count / total)
    low += (size / rows) * stratumLow
    high += (size / rows) * stratumHigh
  }
  const round = (value: number) => roundStatistic(Math.min(1, value)) as number
  return { corrected: round(corrected), interval: [round(low), round(high)] }
}
