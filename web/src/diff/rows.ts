// The lines that a difference is shown as: one below the other or in two columns, and long stretches that are the same folded.
import type { Block, Piece } from './differences.ts'

export interface Side {
  number: number
  pieces: Piece[]
}

/** What is left folded of the lines of a block, and whether a change stands before and behind them. */
export interface Fold {
  block: number
  lines: number
  isBehindChange: boolean
  isBeforeChange: boolean
}

/** A row of the table: lines on either side, or how many are folded away at a block. */
export type DiffRow =
  | { kind: 'same'; old: Side; new: Side }
  | { kind: 'changed'; old: Side | undefined; new: Side | undefined; change: number }
  | ({ kind: 'folded' } & Fold)

/** How many lines of a fold somebody asked for: from its first one on, and up to its last. */
export interface Unfolded {
  first: number
  last: number
}

/** How many lines that are the same stay in sight beside a change. */
const CONTEXT = 3
/** Fewer than this are not worth a button. */
const LEAST_FOLDED = 4

/** `unfolded` is by block. */
export function rowsOf(
  blocks: Block[],
  isSplit: boolean,
  unfolded: ReadonlyMap<number, Unfolded>,
): DiffRow[] {
  const rows: DiffRow[] = []
  let change = 0
  for (const [index, block] of blocks.entries()) {
    if ('same' in block) {
      const [isBehindChange, isBeforeChange] = [index > 0, index < blocks.length - 1]
      const { first, last } = unfolded.get(index) ?? { first: 0, last: 0 }
      const from = (isBehindChange ? CONTEXT : 0) + first
      const to = block.same.length - (isBeforeChange ? CONTEXT : 0) - last
      const isFolded = to - from >= LEAST_FOLDED
      for (const [at, line] of block.same.entries()) {
        if (isFolded && at === from) {
          rows.push({ kind: 'folded', block: index, lines: to - from, isBehindChange, isBeforeChange })
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
