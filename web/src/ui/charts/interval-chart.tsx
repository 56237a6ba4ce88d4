// Draws a change and its confidence interval on a scale that all rows of a table share. Right is always better.
import type { Direction } from '../../format/direction.ts'
import styles from './interval-chart.module.css'
import { Marker } from './marker.tsx'

const HEIGHT = 24
const MIDDLE = HEIGHT / 2
const LIMITS = [5, 10, 20, 50, 100]

/** The end of a scale: the first limit that contains these percentages or percentage points. */
export function intervalLimit(points: readonly number[]): number {
  const largest = Math.max(0, ...points.map(Math.abs))
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
  /** Percentages or percentage points, positive if better. */
  change: number | undefined
  /** Both ends, in any order. */
  interval: readonly (number | undefined)[]
  direction: Direction
  limit: number
}

export function IntervalChart({ change, interval, direction, limit }: IntervalChartProps) {
  const scale = scaleOf(limit)
  const [low, high] = interval.toSorted((a = 0, b = 0) => a - b)
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
            className={`${styles.interval} ${styles[direction] ?? ''}`}
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
