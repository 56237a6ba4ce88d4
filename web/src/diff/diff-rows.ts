// The rows of a diff table, unified or split, with long unchanged stretches folded.
import type { Block, Piece } from './differences.ts'

export interface Side {
  number: number
  pieces: Piece[]
}

/** The folded lines of a block, and whether a change precedes or follows them. */
export interface Fold {
  block: number
  lines: number
  isAfterChange: boolean
  isBeforeChange: boolean
}

/** A row of the table: a line on each side, or a fold. */
export type DiffRow =
  | { kind: 'same'; old: Side; new: Side }
  | { kind: 'changed'; old: Side | undefined; new: Side | undefined; change: number }
  | ({ kind: 'folded' } & Fold)

/** The number of lines unfolded at the start and at the end of a fold. */
export interface UnfoldedLines {
  first: number
  last: number
}

/** Unchanged lines shown before and after a change. */
const CONTEXT_LINES = 3
/** Shorter stretches are not folded. */
const MIN_FOLDED_LINES = 4

/** `unfolded` is by block. */
export function diffRows(
  blocks: Block[],
  isSplit: boolean,
  unfolded: ReadonlyMap<number, UnfoldedLines>,
): DiffRow[] {
  const rows: DiffRow[] = []
  let change = 0
  for (const [index, block] of blocks.entries()) {
    if ('same' in block) {
      const [isAfterChange, isBeforeChange] = [index > 0, index < blocks.length - 1]
      const { first, last } = unfolded.get(index) ?? { first: 0, last: 0 }
      const from = (isAfterChange ? CONTEXT_LINES : 0) + first
      const to = block.same.length - (isBeforeChange ? CONTEXT_LINES : 0) - last
      const isFolded = to - from >= MIN_FOLDED_LINES
      for (const [at, line] of block.same.entries()) {
        if (isFolded && at === from) {
          rows.push({ kind: 'folded', block: index, lines: to - from, isAfterChange, isBeforeChange })
        }
        if (isFolded && at >= from && at < to) continue
        rows.push({
          kind: 'same',
          old: { number: line.old, pieces: [{ text: line.oldText, isChanged: false }] },
          new: { number: line.new, pieces: [{ text: line.text, isChanged: false }] },
        })
      }
      continue
    }
    const pairs: [Side | undefined, Side | undefined][] = isSplit
      ? Array.from({ length: Math.max(block.removed.length, block.added.length) }, (_, at) => [
          block.removed[at],
          block.added[at],
        ])
      : [
          ...block.removed.map((line): [Side, undefined] => [line, undefined]),
          ...block.added.map((line): [undefined, Side] => [undefined, line]),
        ]
    for (const [old, added] of pairs) rows.push({ kind: 'changed', old, new: added, change })
    change++
  }
  return rows
}
