// The column widths of the list: at least wide enough for the content; the name gets most of the rest.
import type { Evaluation } from 'assay-client'
import type { Column } from './columns.ts'
import type { Baselines } from './statistics.ts'

type Track = [minWidthPx: number, share: number]

const SELECT_PX = 36
const STATISTIC_TRACK: Track = [92, 1]
const STATISTIC_WITH_DELTA_TRACK: Track = [128, 1]
const TRACKS: Record<string, Track> = {
  name: [260, 4],
  ran: [132, 1],
  rows: [64, 0.5],
  latency: [88, 1],
  cost: [88, 1],
  created: [112, 0.5],
}

/** The ids of columns with a delta in any row. All their rows reserve the space, so that values are aligned. */
export function columnsWithDelta(
  columns: readonly Column[],
  rows: readonly Evaluation[],
  baselines: Baselines,
): ReadonlySet<string> {
  const comparedColumns = columns.filter(({ statistic }) =>
    rows.some((evaluation) => statistic?.(evaluation, baselines)?.delta !== undefined),
  )
  return new Set(comparedColumns.map(({ id }) => id))
}

/** The tracks of the CSS grid, and its minimum width. */
export function columnWidths(columns: readonly Column[], deltaColumns: ReadonlySet<string>) {
  const tracks = columns.map(
    ({ id }) => TRACKS[id] ?? (deltaColumns.has(id) ? STATISTIC_WITH_DELTA_TRACK : STATISTIC_TRACK),
  )
  return {
    tracks: `${SELECT_PX}px ${tracks.map(([minPx, share]) => `minmax(${minPx}px, ${share}fr)`).join(' ')}`,
    minWidthPx: tracks.reduce((sum, [minPx]) => sum + minPx, SELECT_PX),
  }
}
