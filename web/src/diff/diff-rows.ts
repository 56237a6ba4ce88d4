// The rows of a diff table, unified or split. Long runs of unchanged lines are folded.
import type { Block, Line } from './differences.ts'

/** The folded lines of a block, and whether a change precedes or follows them. */
export interface Fold {
  block: number
  lines: number
  isAfterChange: boolean
  isBeforeChange: boolean
}

/** A row of the table: the lines of both texts, or a fold. A unified row has only one line if it is changed. */
export type DiffRow =
  | { kind: 'same'; old: Line; new: Line }
  | { kind: 'changed'; old: Line | undefined; new: Line | undefined; change: number }
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
  isSplit: boolean,
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
          old: { number: line.oldNumber, pieces: [{ text: line.oldText, isMarked: false }] },
          new: { number: line.newNumber, pieces: [{ text: line.newText, isMarked: false }] },
        })
      }
      continue
    }
    const pairs: [Line | undefined, Line | undefined][] = isSplit
      ? Array.from({ length: Math.max(block.removed.length, block.added.length) }, (_, lineIndex) => [
          block.removed[lineIndex],
          block.added[lineIndex],
        ])
      : [
          ...block.removed.map((line): [Line, undefined] => [line, undefined]),
          ...block.added.map((line): [undefined, Line] => [undefined, line]),
        ]
    for (const [oldLine, newLine] of pairs) rows.push({ kind: 'changed', old: oldLine, new: newLine, change })
    change++
  }
  return rows
}
