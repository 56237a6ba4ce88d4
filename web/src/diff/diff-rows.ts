// The rows of a diff table. Long runs of unchanged lines are folded.
import type { Block, ChangedLines, Line } from './differences.ts'

/** The folded lines of a block, and whether a change precedes or follows them. */
export interface Fold {
  block: number
  lines: number
  isAfterChange: boolean
  isBeforeChange: boolean
}

/** Unified rows have the lines of one text, split rows a line of each, and `columns` all lines that belong together. */
type RowLayout = 'unified' | 'split' | 'columns'

/** A row of the table: the lines of both texts, or a fold. Only rows of `columns` can have several lines of a text. */
export type DiffRow =
  | { kind: 'same'; old: [Line]; new: [Line] }
  | { kind: 'changed'; old: Line[]; new: Line[]; change: number; hasMarks: boolean }
  | ({ kind: 'folded' } & Fold)

/** The number of lines unfolded at the start and at the end of a fold. */
export interface UnfoldedLines {
  first: number
  last: number
}

/** Unchanged lines shown before and after a change. */
const CONTEXT_LINES = 3
/** Shorter runs of unchanged lines are not folded. */
const MIN_FOLDED_LINES = 4

/** The keys of `unfolded` are indexes of blocks. */
export function diffRows(
  blocks: Block[],
  layout: RowLayout,
  unfolded: ReadonlyMap<number, UnfoldedLines>,
): DiffRow[] {
  const rows: DiffRow[] = []
  let change = 0
  for (const [index, block] of blocks.entries()) {
    if ('commonLines' in block) {
      const [isAfterChange, isBeforeChange] = [index > 0, index < blocks.length - 1]
      const { first, last } = unfolded.get(index) ?? { first: 0, last: 0 }
      const from = (isAfterChange ? CONTEXT_LINES : 0) + first
      const to = block.commonLines.length - (isBeforeChange ? CONTEXT_LINES : 0) - last
      const isFolded = to - from >= MIN_FOLDED_LINES
      for (const [lineIndex, line] of block.commonLines.entries()) {
        if (isFolded && lineIndex === from) {
          rows.push({ kind: 'folded', block: index, lines: to - from, isAfterChange, isBeforeChange })
        }
        if (isFolded && lineIndex >= from && lineIndex < to) continue
        rows.push({
          kind: 'same',
          old: [{ number: line.oldNumber, pieces: [{ text: line.oldText }] }],
          new: [{ number: line.newNumber, pieces: [{ text: line.newText }] }],
        })
      }
      continue
    }
    const { removed, added, hasMarks } = block
    const pairs: LinePair[] =
      layout === 'unified'
        ? [...removed.map((line): LinePair => [[line], []]), ...added.map((line): LinePair => [[], [line]])]
        : matchedLines(block).flatMap((pair) => (layout === 'split' ? singleLines(pair) : [pair]))
    for (const [oldLines, newLines] of pairs) {
      rows.push({ kind: 'changed', old: oldLines, new: newLines, change, hasMarks })
    }
    change++
  }
  return rows
}

type LinePair = [removed: Line[], added: Line[]]

/** Divides changed lines at the line breaks that both texts have. */
function matchedLines({ removed, added, commonBreaks }: ChangedLines): LinePair[] {
  const ends: [number, number][] = [...commonBreaks, [removed.length, added.length]]
  return ends.flatMap(([removedEnd, addedEnd], index) => {
    const [removedStart, addedStart] = ends[index - 1] ?? [0, 0]
    const pair: LinePair = [removed.slice(removedStart, removedEnd), added.slice(addedStart, addedEnd)]
    return pair[0].length === pair[1].length ? singleLines(pair) : [pair]
  })
}

function singleLines([removed, added]: LinePair): LinePair[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => [
    removed.slice(index, index + 1),
    added.slice(index, index + 1),
  ])
}
