// How a leaderboard formats scores, and which evaluations the data cannot tell from the best one.
import type { Leaderboard } from 'assay-client'
import { columnDecimals, formatMeasure, formatWithUnit } from '../../results/measures.ts'

export type RankedEvaluation = Leaderboard['evaluations'][number]

export function scoreUnit({ is_verdict }: Pick<Leaderboard, 'is_verdict'>): 'percent' | 'score' {
  return is_verdict ? 'percent' : 'score'
}

/** All scores of a leaderboard have the same decimals. */
export function scoreFormat(leaderboard: Leaderboard) {
  const unit = scoreUnit(leaderboard)
  const means = leaderboard.evaluations.flatMap(({ mean }) => mean ?? [])
  const decimals = columnDecimals(unit, means)
  return {
    /** Without the unit. */
    format: (score: number) => formatMeasure(unit, score, decimals),
    formatWithUnit: (score: number) => formatWithUnit(unit, score, decimals),
  }
}

/** The evaluations that no other one certainly beats. */
export function tiedForFirst({ evaluations }: Leaderboard): RankedEvaluation[] {
  return evaluations.filter(({ rank: [best] }) => best === 1)
}

/** "1–4", or "6" if the data leave no doubt. */
export function rankLabel([best, worst]: readonly number[]): string {
  return best === worst ? String(best) : `${best}–${worst}`
}
