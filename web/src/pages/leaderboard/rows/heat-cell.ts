// One cell of the heat map. States differ in shape, not only in color.
import type { LeaderboardRows } from 'assay-client'
import type { CSSProperties } from 'react'
import type { Cell } from '../../../table/columns/column-type.ts'
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

/** The cell is one element without icons, because a map of 50 evaluations shows hundreds of them. Marks are backgrounds. */
export function heatCellProps(
  { state, score }: LeaderboardCell,
  context: HeatScale,
): Cell & { label: string } {
  const { format, range, hasNumbers } = context
  const [low, high] = range
  // Between 0 and 1, for the color of a number.
  const level = score === null || high <= low ? 0.5 : Math.max(0, Math.min(1, (score - low) / (high - low)))
  const hasNumber = score !== null && (hasNumbers || state === 'mixed')
  return {
    className: `${styles.cell} ${styles[state] ?? ''}`,
    style: state === 'scored' ? ({ '--level': level } as CSSProperties) : undefined,
    label: hasNumber ? `${NAMES[state]} ${format(score)}` : NAMES[state],
    content: hasNumber ? format(score) : null,
  }
}
