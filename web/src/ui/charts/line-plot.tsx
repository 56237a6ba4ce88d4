// A line plot: axes, a line with markers, the baseline as a dashed line, and links with values on hover and focus.
import { type ReactNode, useId, useMemo, useRef } from 'react'
import styles from './charts.module.css'
import { Marker } from './marker.tsx'
import { type PlotData, type PlotLayout, plotLayout } from './plot-layout.ts'
import { useWidth } from './use-width.ts'

interface LinePlotProps {
  /** Compared by identity. */
  data: PlotData
  /** The text alternative. */
  title: string
  height: number
  tickCount: number
  /** Elements over the plot. */
  children?: (layout: PlotLayout) => ReactNode
}

export function LinePlot({ data, title, height, tickCount, children }: LinePlotProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const layout = useMemo(
    () => plotLayout(data, { width, height, tickCount }),
    [data, width, height, tickCount],
  )
  return (
    <div ref={frame} className={styles.plot} style={{ height }}>
      {width > 0 && (
        <>
          <Drawing layout={layout} title={title} width={width} height={height} />
          {children?.(layout)}
        </>
      )}
    </div>
  )
}

interface DrawingProps {
  layout: PlotLayout
  title: string
  width: number
  height: number
}

function Drawing({ layout, title, width, height }: DrawingProps) {
  const titleId = useId()
  const { area, ticks, columnLabels, points, markers, others, baseline, highlight, labels } = layout
  const finished = points.filter(({ isRunning }) => !isRunning)
  const isLastRunning = points.at(-1)?.isRunning === true
  return (
    <svg role="img" aria-labelledby={titleId} width={width} height={height} className={styles.drawing}>
      <title id={titleId}>{title}</title>
      {highlight && (
        <rect
          x={highlight.x}
          width={highlight.width}
          y={area.top - 8}
          height={area.bottom - area.top + 8}
          rx={6}
          className={styles.highlight}
        />
      )}
      <ValueAxis ticks={ticks} left={area.left} right={area.right} />
      <ColumnAxis labels={columnLabels} y={area.bottom + 20} />
      {baseline && (
        <>
          <line x1={area.left} x2={area.right} y1={baseline.y} y2={baseline.y} className={styles.baseline} />
          <text x={area.left + 4} y={baseline.y - 6} className={styles.axisLabel}>
            {baseline.label}
          </text>
        </>
      )}
      <polyline points={coordinatesOf(finished)} className={styles.line} />
      {isLastRunning && (
        <polyline points={coordinatesOf(points.slice(-2))} className={`${styles.line} ${styles.running}`} />
      )}
      {others.map(({ x, y }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={3} className={styles.other} />
      ))}
      {markers.map(({ column, x, y, direction, isRunning }) =>
        isRunning ? (
          <circle key={column} cx={x} cy={y} r={4} className={styles.runningMarker} />
        ) : (
          <Marker key={column} x={x} y={y} direction={direction} />
        ),
      )}
      {labels.map(({ column, labelX, labelY, anchor, direction = 'tied', label, detail }) => (
        <text key={column} x={labelX} y={labelY} textAnchor={anchor} className={styles.valueLabel}>
          <tspan className={`${styles.value} ${direction}`}>{label}</tspan>
          {detail && (
            <tspan dx="6" className={styles.axisLabel}>
              {detail}
            </tspan>
          )}
        </text>
      ))}
    </svg>
  )
}

function coordinatesOf(points: readonly { x: number; y: number }[]): string {
  return points.map(({ x, y }) => `${x},${y}`).join(' ')
}

interface ValueAxisProps {
  ticks: readonly { y: number; label: string }[]
  left: number
  right: number
}

/** The axes of a chart: grid lines with values, and labels of columns. */
function ValueAxis({ ticks, left, right }: ValueAxisProps) {
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

function ColumnAxis({ labels, y }: ColumnAxisProps) {
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
