// A small line of values over time. Each point has a tooltip and is a link; the arrow keys move between points.
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { Direction } from '../../format/direction.ts'
import charts from './charts.module.css'
import { Marker } from './marker.tsx'
import styles from './sparkline.module.css'

/** In the units of the view box; CSS sets the width. */
const WIDTH = 132
const HEIGHT = 26
const MARGIN_X = 8
const [TOP, BOTTOM] = [6, 20]

interface SparklinePoint {
  id: string
  /** The position among `positions`. */
  index: number
  value: number
  direction?: Direction | undefined
}

/** For the link of a point. */
interface PointLinkProps {
  className: string | undefined
  tabIndex: number
  style: { left: string }
  onFocus: () => void
}

interface SparklineProps {
  /** What the line shows, for screen readers. */
  label: string
  points: readonly SparklinePoint[]
  /** The number of positions on the axis. */
  positions: number
  renderLink: (point: SparklinePoint, props: PointLinkProps) => ReactNode
}

export function Sparkline({ label, points, positions, renderLink }: SparklineProps) {
  const [focusedId, setFocusedId] = useState<string>()
  const tabStop = points.find(({ id }) => id === focusedId) ?? points.at(-1)
  const y = scaleOf(points.map(({ value }) => value))
  const coordinates = points.map(({ index, value }): [number, number] => [
    positionOf(index, positions),
    y(value),
  ])
  const [single] = coordinates
  return (
    <div role="group" aria-label={label} className={styles.sparkline} onKeyDown={moveFocus}>
      <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
        {points.length === 1 && single ? (
          <path
            className={`${charts.line} ${styles.dotted}`}
            d={`M${MARGIN_X} ${single[1]}H${WIDTH - MARGIN_X}`}
          />
        ) : (
          <polyline className={charts.line} points={coordinates.join(' ')} />
        )}
        {points.map(({ id, direction }, index) => (
          <Marker
            key={id}
            x={coordinates[index]?.[0] ?? 0}
            y={coordinates[index]?.[1] ?? 0}
            direction={direction}
          />
        ))}
      </svg>
      {points.map((point, index) =>
        renderLink(point, {
          className: styles.point,
          tabIndex: point === tabStop ? 0 : -1,
          style: { left: `${((coordinates[index]?.[0] ?? 0) / WIDTH) * 100}%` },
          onFocus: () => setFocusedId(point.id),
        }),
      )}
    </div>
  )
}

/** The labels of the positions. Empty ones are omitted. */
export function SparklineAxis({ labels }: { labels: readonly string[] }) {
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} 16`} className={styles.axis}>
      {labels.map((label, index) => (
        <text
          // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity
          key={index}
          x={axisPosition(label, positionOf(index, labels.length))}
          y={12}
          textAnchor="middle"
          className={charts.axisLabel}
        >
          {label}
        </text>
      ))}
    </svg>
  )
}

/** Long labels at the ends stay inside. */
function axisPosition(label: string, x: number): number {
  const halfWidth = label.length * 3
  return Math.min(WIDTH - halfWidth, Math.max(halfWidth, x))
}

function positionOf(index: number, positions: number): number {
  if (positions < 2) return WIDTH - MARGIN_X
  return MARGIN_X + (index / (positions - 1)) * (WIDTH - 2 * MARGIN_X)
}

/** A constant is a line in the middle. */
function scaleOf(values: readonly number[]): (value: number) => number {
  const min = Math.min(...values)
  const max = Math.max(...values)
  return (value) =>
    max === min ? (TOP + BOTTOM) / 2 : BOTTOM - ((value - min) / (max - min)) * (BOTTOM - TOP)
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (step === undefined) return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const next = links[links.indexOf(event.target as HTMLAnchorElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
