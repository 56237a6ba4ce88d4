// The lines that a difference is shown as: one below the other or in two columns, and long stretches that are the same folded.
import type { Block, Piece } from './differences.ts'

export interface Side {
  number: number
  pieces: Piece[]
}

/** A row of the table: lines on either side, or how many are folded away at a block. */
export type DiffRow =
  | { kind: 'same'; old: Side; new: Side }
  | { kind: 'changed'; old: Side | undefined; new: Side | undefined; change: number; isFirst: boolean }
  | { kind: 'folded'; block: number; lines: number }

/** How many lines that are the same stay in sight beside a change. */
const CONTEXT = 3
/** Fewer than this are not worth a button. */
const LEAST_FOLDED = 4

export function rowsOf(blocks: Block[], isSplit: boolean, unfolded: ReadonlySet<number>): DiffRow[] {
  const rows: DiffRow[] = []
  let change = 0
  for (const [index, block] of blocks.entries()) {
    if ('same' in block) {
      const from = index === 0 ? 0 : CONTEXT
      const to = block.same.length - (index === blocks.length - 1 ? 0 : CONTEXT)
      const isFolded = to - from >= LEAST_FOLDED && !unfolded.has(index)
      for (const [at, line] of block.same.entries()) {
        if (isFolded && at === from) rows.push({ kind: 'folded', block: index, lines: to - from })
        if (isFolded && at >= from && at < to) continue
        const pieces = [{ text: line.text, isChanged: false }]
        rows.push({ kind: 'same', old: { number: line.old, pieces }, new: { number: line.new, pieces } })
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
    for (const [at, [old, added]] of pairs.entries()) {
      rows.push({ kind: 'changed', old, new: added, change, isFirst: at === 0 })
    }
    change++
  }
  return rows
}
