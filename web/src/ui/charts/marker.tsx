// The point of a chart: a circle, or a triangle that points up for better and down for worse.
import { symbol, symbolCircle, symbolTriangle } from 'd3-shape'
import type { Direction } from '../../format/direction.ts'
import styles from './charts.module.css'

const CIRCLE = symbol(symbolCircle, 26)()
const TRIANGLE = symbol(symbolTriangle, 30)()

interface MarkerProps {
  x: number
  y: number
  /** Without a direction, for example for a first evaluation, the point is a gray circle, like a tied one. */
  direction?: Direction | undefined
}

export function Marker({ x, y, direction = 'tied' }: MarkerProps) {
  const turn = direction === 'worse' ? ' rotate(180)' : ''
  return (
    <path
      d={(direction === 'tied' ? CIRCLE : TRIANGLE) ?? ''}
      transform={`translate(${x} ${y})${turn}`}
      className={direction === 'tied' ? styles.marker : `${styles.marker} ${styles[direction]}`}
    />
  )
}
