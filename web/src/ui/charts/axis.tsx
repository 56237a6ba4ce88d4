// The axes of a chart: grid lines with values, and labels of columns.
import styles from './charts.module.css'

interface ValueAxisProps {
  ticks: readonly { y: number; label: string }[]
  left: number
  right: number
}

export function ValueAxis({ ticks, left, right }: ValueAxisProps) {
  return ticks.map(({ y, label }) => (
    <g key={label}>
      <line x1={left} x2={right} y1={y} y2={y} className={styles.gridLine} />
      <text x={left - 8} y={y} dy="0.35em" textAnchor="end" className={styles.axisLabel}>
        {label}
      </text>
    </g>
  ))
}

interface ColumnAxisProps {
  labels: readonly { x: number; text: string; isHighlighted: boolean }[]
  y: number
}

export function ColumnAxis({ labels, y }: ColumnAxisProps) {
  return labels.map(({ x, text, isHighlighted }) => (
    <text
      key={text}
      x={x}
      y={y}
      textAnchor="middle"
      className={isHighlighted ? `${styles.axisLabel} ${styles.highlighted}` : styles.axisLabel}
    >
      {text}
    </text>
  ))
}
