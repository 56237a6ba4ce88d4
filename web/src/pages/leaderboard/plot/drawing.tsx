// Draws the trade-off plot: grid, error bars, the dashed frontier, points and names.
import { useId } from 'react'
import charts from '../../../ui/charts/charts.module.css'
import styles from './trade-off.module.css'
import type { TradeOffLayout } from './trade-off-layout.ts'

interface DrawingProps {
  layout: TradeOffLayout
  width: number
  height: number
  /** The text alternative. */
  title: string
}

export function Drawing({ layout, width, height, title }: DrawingProps) {
  const titleId = useId()
  const { area, ticks, measureTicks, points, frontier, names } = layout
  return (
    <svg role="img" aria-labelledby={titleId} width={width} height={height} className={charts.drawing}>
      <title id={titleId}>{title}</title>
      {ticks.map(({ y, label }) => (
        <g key={label}>
          <line x1={area.left} x2={area.right} y1={y} y2={y} className={charts.gridLine} />
          <text x={area.left - 8} y={y + 4} textAnchor="end" className={charts.axisLabel}>
            {label}
          </text>
        </g>
      ))}
      {measureTicks.map(({ x, label }) => (
        <g key={label}>
          <line x1={x} x2={x} y1={area.top} y2={area.bottom} className={charts.gridLine} />
          <text x={x} y={area.bottom + 18} textAnchor="middle" className={charts.axisLabel}>
            {label}
          </text>
        </g>
      ))}
      {points.map(({ id, x, lowY, highY, isOnFrontier }) => (
        <path
          key={id}
          d={`M${x} ${lowY}V${highY}M${x - 3} ${lowY}h6M${x - 3} ${highY}h6`}
          className={isOnFrontier ? styles.error : `${styles.error} ${styles.faded}`}
        />
      ))}
      <polyline points={frontier.map(({ x, y }) => `${x},${y}`).join(' ')} className={styles.frontier} />
      {points.map(({ id, x, y, isOnFrontier }) => (
        <circle
          key={id}
          cx={x}
          cy={y}
          r={5}
          className={isOnFrontier ? styles.point : `${styles.point} ${styles.dominated}`}
        />
      ))}
      {names.map(({ id, text, x, y, anchor, isOnFrontier }) => (
        <text
          key={id}
          x={x}
          y={y + 4}
          textAnchor={anchor}
          className={isOnFrontier ? styles.pointName : `${styles.pointName} ${styles.dominatedName}`}
        >
          {text}
        </text>
      ))}
    </svg>
  )
}
