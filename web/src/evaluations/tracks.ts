// How wide the columns of the list are: wide enough for what stands in them, and the name takes the most of what is left.
import type { Evaluation } from 'assay-client'
import type { Column } from './columns.ts'
import type { Baselines } from './figures.ts'

type Track = [leastPx: number, share: number]

const SELECT_PX = 36
const FIGURE: Track = [92, 1]
const COMPARED: Track = [128, 1]
const TRACKS: Record<string, Track> = {
  name: [260, 4],
  ran: [132, 1],
  rows: [64, 0.5],
  latency: [88, 1],
  cost: [88, 1],
  created: [112, 0.5],
}

/** The ids of columns in which any row has a delta: all leave room for one there, so that values stand below each other. */
export function comparedColumns(
  columns: readonly Column[],
  rows: readonly Evaluation[],
  baselines: Baselines,
): ReadonlySet<string> {
  const compared = columns.filter(({ figure }) =>
    rows.some((evaluation) => figure?.(evaluation, baselines)?.delta !== undefined),
  )
  return new Set(compared.map(({ id }) => id))
}

/** Tracks of a CSS grid, and how many pixels they take at least. */
export function tracksOf(columns: readonly Column[], compared: ReadonlySet<string>) {
  const tracks = columns.map(({ id }) => TRACKS[id] ?? (compared.has(id) ? COMPARED : FIGURE))
  return {
    tracks: `${SELECT_PX}px ${tracks.map(([least, share]) => `minmax(${least}px, ${share}fr)`).join(' ')}`,
    leastPx: tracks.reduce((sum, [least]) => sum + least, SELECT_PX),
  }
}
