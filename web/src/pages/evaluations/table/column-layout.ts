// Which columns of the sections are visible, and their widths. Columns that all sections have are at the same positions.
import { isEvaluatorMeasure } from '../groups.ts'
import { type Column, type ColumnChoices, CREATED, NAME, REVISION } from './columns.ts'

const SELECT_PX = 32
/** Both margins of the page. */
const MARGINS_PX = 48
/** Narrower pages show the name and the first evaluator. */
const NARROW_PX = 720

/** The visible columns of each section: the chosen ones, and the most important others that fit. */
export function visibleColumnsOf(
  sections: readonly (readonly Column[])[],
  choices: ColumnChoices,
  widthPx: number,
): Column[][] {
  if (widthPx < NARROW_PX) return sections.map((columns) => narrowColumnsOf(columns, choices))
  const hasRevisions =
    choices[REVISION.id] !== false && sections.some((columns) => columns.includes(REVISION))
  return sections.map((columns) => {
    const visible = new Set(columns.filter(({ id }) => id === NAME.id || choices[id] === true))
    // All sections have the space of a revision if one has revisions.
    const fits = () => minWidthOf(new Set(hasRevisions ? [...visible, REVISION] : visible)) <= widthPx
    for (const column of importantColumnsOf(columns, choices)) {
      if (visible.has(column)) continue
      visible.add(column)
      if (fits()) continue
      visible.delete(column)
      break
    }
    return columns.filter((column) => visible.has(column))
  })
}

function narrowColumnsOf(columns: readonly Column[], choices: ColumnChoices): Column[] {
  const first = importantColumnsOf(columns, choices).find(({ measure }) => measure)
  return columns.filter((column) => column === NAME || column === first)
}

/** Two evaluators come before the fields, a third before latency. */
function importantColumnsOf(columns: readonly Column[], choices: ColumnChoices): Column[] {
  const evaluators = columns.filter(isEvaluatorMeasure)
  const withIds = (...ids: string[]) => ids.flatMap((id) => columns.filter((column) => column.id === id))
  return [
    ...evaluators.slice(0, 2),
    ...withIds('revision', 'cost', 'created', 'rows'),
    ...evaluators.slice(2, 3),
    ...withIds('latency'),
    ...evaluators.slice(3),
    ...withIds('tags'),
  ].filter(({ id }) => choices[id] !== false)
}

function minWidthOf(columns: Iterable<Column>): number {
  return [...columns].reduce((sum, column) => sum + column.widthPx, SELECT_PX + MARGINS_PX)
}

/** The width of name and revision together, which is the same in all sections. */
export function nameWidthOf(sections: readonly (readonly Column[])[], widthPx: number): number {
  const hasRevisions = sections.some((columns) => columns.includes(REVISION))
  const minPx = NAME.widthPx + (hasRevisions ? REVISION.widthPx : 0)
  const otherWidths = sections.map((columns) =>
    minWidthOf(columns.filter((column) => column !== NAME && column !== REVISION)),
  )
  return Math.max(minPx, widthPx - Math.max(...otherWidths))
}

/** The tracks of the CSS grid of a section, and its minimum width. The last column takes the remaining space. */
export function columnTracks(columns: readonly Column[], nameWidthPx: number, widthPx: number) {
  const isNarrow = widthPx < NARROW_PX
  const ownNamePx = nameWidthPx - (columns.includes(REVISION) ? REVISION.widthPx : 0)
  const tracks = columns.map((column) => {
    if (column === NAME) return isNarrow ? 'minmax(0, 1fr)' : `${ownNamePx}px`
    return column === CREATED ? `minmax(${column.widthPx}px, 1fr)` : `${column.widthPx}px`
  })
  if (isNarrow) return { tracks: tracks.join(' '), minWidthPx: 0 }
  const minWidthPx = minWidthOf(columns) - NAME.widthPx + ownNamePx
  return { tracks: `${SELECT_PX}px ${tracks.join(' ')}`, minWidthPx }
}
