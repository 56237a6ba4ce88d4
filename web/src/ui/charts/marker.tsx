// The point of a chart: a circle, or a triangle that points up for better and down for worse.
import type { Direction } from '../../format/direction.ts'
import styles from './charts.module.css'

const CIRCLE = 'M2.9 0A2.9 2.9 0 1 1-2.9 0A2.9 2.9 0 1 1 2.9 0Z'
const TRIANGLE = 'M0-4.8L4.2 2.4H-4.2Z'

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
      d={direction === 'tied' ? CIRCLE : TRIANGLE}
      transform={`translate(${x} ${y})${turn}`}
      className={direction === 'tied' ? styles.marker : `${styles.marker} ${styles[direction]}`}
    />
  )
}
