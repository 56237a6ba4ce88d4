// The score of an evaluation with its confidence interval, on a scale that all rows of the ranking share.
import type { Leaderboard } from 'assay-client'
import { valueScale } from '../../../ui/charts/scales.ts'
import { scoreUnit } from '../scores.ts'
import styles from './ranking.module.css'

export type IntervalScale = ReturnType<typeof intervalScale>

/** From 0 to 100, which is the width of the column in percent. */
export function intervalScale(leaderboard: Leaderboard) {
  const isPercent = scoreUnit(leaderboard) === 'percent'
  const factor = isPercent ? 100 : 1
  const values = leaderboard.evaluations.flatMap(({ mean, interval }) =>
    [...(interval ?? []), mean ?? []].flat(),
  )
  const { yOf, ticks } = valueScale(
    values.map((value) => value * factor),
    { range: [0, 100], tickCount: 4, maximum: isPercent ? 100 : undefined },
  )
  return { ticks, xOf: (score: number) => yOf(score * factor) }
}

interface IntervalBarProps {
  mean: number | null
  interval: readonly number[] | null
  scale: IntervalScale
  format: (score: number) => string
}

export function IntervalBar({ mean, interval, scale: { xOf }, format }: IntervalBarProps) {
  const [low, high] = interval ?? []
  const label =
    low !== undefined && high !== undefined
      ? `95 % confidence interval ${format(low)} to ${format(high)}`
      : undefined
  return (
    <span className={styles.bar} data-tooltip={label}>
      {low !== undefined && high !== undefined && (
        <span className={styles.range} style={{ left: `${xOf(low)}%`, width: `${xOf(high) - xOf(low)}%` }} />
      )}
      {mean !== null && <span className={styles.point} style={{ left: `${xOf(mean)}%` }} />}
      <span className="sr-only">{label}</span>
    </span>
  )
}
