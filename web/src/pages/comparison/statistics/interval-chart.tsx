// Draws the change and its confidence interval on a scale that all metrics share. Right is always better.
import { outcomeOf } from '../../../results/verdict-sentence.ts'
import { Marker } from '../../../ui/charts/marker.tsx'
import styles from './interval-chart.module.css'
import type { StatisticsCell, StatisticsRow } from './statistics-rows.ts'

const HEIGHT = 24
const MIDDLE = HEIGHT / 2
const LIMITS = [5, 10, 20, 50, 100]

/** The end of the scale: the first limit that contains the intervals of all evaluators. */
export function intervalLimit(rows: readonly StatisticsRow[]): number {
  const points = rows
    .filter(({ evaluator }) => evaluator !== undefined)
    .flatMap((row) =>
      row.cells.flatMap((cell) =>
        [cell.delta ?? 0, ...(cell.interval ?? [])].map((value) => Math.abs(row.toPoints(value, cell) ?? 0)),
      ),
    )
  const largest = Math.max(0, ...points)
  return LIMITS.find((limit) => limit >= largest) ?? 100
}

/** In percent of the width, so that the chart fills its column. */
function scaleOf(limit: number) {
  return (value: number) => 50 + 50 * Math.max(-1, Math.min(1, value / limit))
}

/** The labels of the scale, for the header of the column. */
export function IntervalAxis({ limit }: { limit: number }) {
  return (
    <div aria-hidden="true" className={styles.axis}>
      <span>{limit} worse</span>
      <span>0</span>
      <span>{limit} better</span>
    </div>
  )
}

interface IntervalChartProps {
  row: StatisticsRow
  cell: StatisticsCell
  limit: number
}

export function IntervalChart({ row, cell, limit }: IntervalChartProps) {
  const scale = scaleOf(limit)
  /** Positive if better. */
  const points = (value: number | null | undefined) => {
    const result = value == null ? undefined : row.toPoints(value, cell)
    return result === undefined ? undefined : row.higherIsBetter ? result : -result
  }
  const change = points(cell.delta)
  const [low, high] = (cell.interval ?? []).map(points).toSorted((a = 0, b = 0) => a - b)
  const outcome = outcomeOf(cell)
  const direction = outcome === 'better' || outcome === 'worse' ? outcome : 'tied'
  return (
    <svg aria-hidden="true" width="100%" height={HEIGHT} className={styles.chart}>
      <line x1="50%" x2="50%" y1={0} y2={HEIGHT} className={styles.zero} />
      {low !== undefined && high !== undefined && (
        <>
          <line
            x1={`${scale(low)}%`}
            // A line without length is not drawn.
            x2={`${Math.max(scale(high), scale(low) + 0.01)}%`}
            y1={MIDDLE}
            y2={MIDDLE}
            className={`${styles.interval} ${styles[direction]}`}
          />
          {low < -limit && <Arrow x="0%" step={-1} />}
          {high > limit && <Arrow x="100%" step={1} />}
        </>
      )}
      {change !== undefined && (
        <svg aria-hidden="true" x={`${scale(change)}%`} className={styles.chart}>
          <Marker x={0} y={MIDDLE} direction={direction} />
        </svg>
      )}
    </svg>
  )
}

/** Marks an interval that continues outside of the scale. */
function Arrow({ x, step }: { x: string; step: 1 | -1 }) {
  return (
    <svg aria-hidden="true" x={x} className={styles.chart}>
      <path d={`M${step} ${MIDDLE - 4}l${4 * step} 4l${-4 * step} 4`} className={styles.arrow} />
    </svg>
  )
}
