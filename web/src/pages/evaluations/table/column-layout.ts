// Which columns of the sections are visible, and their widths. Columns that all sections have are at the same positions.
import { isEvaluatorMeasure } from '../../../groups/groups.ts'
import { CHANGE_PX, type Column, type ColumnChoices, CREATED, NAME, REVISION } from './columns.ts'

const SELECT_PX = 32
/** Both margins of the page. */
const MARGINS_PX = 48
/** Narrower pages show the name and the first evaluator. */
const NARROW_PX = 720
/** A title that is not longer than this is displayed completely. The width of a character is an estimate. */
const MAX_TITLE_PX = 168
const CHARACTER_PX = 7
const TITLE_PADDING_PX = 14

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
    const fits = () => {
      const shown = columns.filter((column) => visible.has(column))
      const isAligned = hasRevisions && !visible.has(REVISION)
      return minWidthOf(withTitles(isAligned ? [REVISION, ...shown] : shown)) <= widthPx
    }
    for (const column of importantColumnsOf(columns, choices)) {
      if (visible.has(column)) continue
      visible.add(column)
      if (fits()) continue
      visible.delete(column)
      break
    }
    return withTitles(columns.filter((column) => visible.has(column)))
  })
}

/** Widens columns whose titles do not fit. A title extends over the changes of the column before it. */
function withTitles(columns: readonly Column[]): Column[] {
  return columns.map((column, index) => {
    const { measure, title, unit = '', hasChanges, widthPx } = column
    if (!measure) return column
    const titlePx = Math.min(MAX_TITLE_PX, (title.length + unit.length + 1) * CHARACTER_PX)
    const ownPx = hasChanges ? CHANGE_PX : 0
    const sharedPx = columns[index - 1]?.hasChanges ? CHANGE_PX : 0
    const neededPx = Math.ceil(titlePx + TITLE_PADDING_PX + ownPx - sharedPx)
    return neededPx > widthPx ? { ...column, widthPx: neededPx } : column
  })
}

function narrowColumnsOf(columns: readonly Column[], choices: ColumnChoices): Column[] {
  const first = importantColumnsOf(columns, choices).find(({ measure }) => measure)
  return columns.filter((column) => column === NAME || column === first)
}

const OUTCOMES: Column['outcome'][] = ['worse', 'better', 'tied', undefined]

/** Two evaluators come before the fields, a third before latency. Those that are worse come first, then those that are better. */
function importantColumnsOf(columns: readonly Column[], choices: ColumnChoices): Column[] {
  const evaluators = columns
    .filter(isEvaluatorMeasure)
    .sort((a, b) => OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome))
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
