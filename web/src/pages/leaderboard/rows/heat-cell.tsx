// One cell of the heat map. States differ in shape, not only in color.
import type { LeaderboardRows } from 'assay-client'
import styles from './heat-map.module.css'

type LeaderboardCell = LeaderboardRows['rows'][number]['cells'][number]
export type CellState = LeaderboardCell['state']

const NAMES: Record<CellState, string> = {
  pass: 'pass',
  fail: 'fail',
  mixed: 'some repeats pass',
  scored: 'score',
  error: 'error',
  'not-evaluated': 'not evaluated',
  missing: 'missing',
}

export function stateName(state: CellState): string {
  return NAMES[state]
}

/** How cells show numbers. */
export interface HeatScale {
  format: (score: number) => string
  /** The lowest and the highest score of the first rows, for the colors. */
  range: readonly [low: number, high: number]
  /** Whether scores are numbers, also those that pass or fail. */
  hasNumbers: boolean
}

interface HeatCellProps {
  cell: LeaderboardCell
  context: HeatScale
}

export function HeatCell({ cell: { state, score }, context }: HeatCellProps) {
  const { format, range, hasNumbers } = context
  const [low, high] = range
  // Between 0 and 1, for the color of a number.
  const level = score === null || high <= low ? 0.5 : Math.max(0, Math.min(1, (score - low) / (high - low)))
  const hasNumber = score !== null && (hasNumbers || state === 'mixed')
  // One element without icons, because a map of 50 evaluations shows a thousand cells. Marks are backgrounds.
  return (
    <span
      role="img"
      aria-label={hasNumber ? `${NAMES[state]} ${format(score)}` : NAMES[state]}
      className={`${styles.cell} ${styles[state] ?? ''}`}
      style={state === 'scored' ? ({ '--level': level } as React.CSSProperties) : undefined}
    >
      {hasNumber && format(score)}
    </span>
  )
}
