// Computes the difference of two texts: first by line, then by word within changed lines, with time limits.
import { type ChangeObject, diffArrays, diffWordsWithSpace } from 'diff'
import { parseExactly } from '../format/exact-json.ts'

/** A part of a line. */
export interface Piece {
  text: string
  isChanged: boolean
}

export interface Line {
  /** Counted from 1. */
  number: number
  pieces: Piece[]
}

interface SameLine {
  old: number
  new: number
  text: string
  /** Differs from `text` only if white space is ignored. */
  oldText: string
}

/** Lines that both texts share, or removed lines and the lines that replace them. */
export type Block = { same: SameLine[] } | { removed: Line[]; added: Line[] }

export interface TextDiff {
  blocks: Block[]
  removed: number
  added: number
  /** False if the time limit stopped the comparison by word. */
  areWordsMarked: boolean
}

type TextEquality = 'identical' | 'white space' | 'different'

/** Characters compared at first; the user can compare the rest. */
export const INITIAL_COMPARE_LENGTH = 100_000
const LINE_DIFF_TIMEOUT_MS = 200
const WORD_DIFF_TIMEOUT_MS = 100
/** Below this share of common text, word marks are not helpful. */
const MIN_COMMON_SHARE = 0.2

export function textEquality(old: string, text: string): TextEquality {
  if (old === text) return 'identical'
  return withoutSpace(old) === withoutSpace(text) ? 'white space' : 'different'
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '')
}

/** With `ignoresSpace`, lines and words that differ only in white space are equal. */
export function diffTexts(old: string, text: string, ignoresSpace = false): TextDiff {
  const [oldLines, newLines] = [linesOf(old), linesOf(text)]
  const [oldKeys, newKeys] = ignoresSpace
    ? [oldLines.map(withoutSpace), newLines.map(withoutSpace)]
    : [oldLines, newLines]
  const changes =
    diffArrays(oldKeys, newKeys, { timeout: LINE_DIFF_TIMEOUT_MS }) ?? allChanged(oldKeys, newKeys)
  const blocks: Block[] = []
  const totals = { removed: 0, added: 0, areWordsMarked: true }
  const deadline = performance.now() + WORD_DIFF_TIMEOUT_MS
  let [oldAt, newAt] = [1, 1]
  for (const [index, change] of changes.entries()) {
    if (!change.added && !change.removed) {
      const [oldFrom, newFrom] = [oldAt, newAt]
      blocks.push({
        same: change.value.map((_, at) => ({
          old: oldFrom + at,
          new: newFrom + at,
          text: newLines[newFrom + at - 1] ?? '',
          oldText: oldLines[oldFrom + at - 1] ?? '',
        })),
      })
      oldAt += change.value.length
      newAt += change.value.length
      continue
    }
    // Removed and added lines are adjacent, in either order.
    const before = changes[index - 1]
    if (before && (before.added || before.removed)) continue
    const pair = [change, changes[index + 1]]
    const removed = oldLines.slice(oldAt - 1, oldAt - 1 + (pair.find((one) => one?.removed)?.count ?? 0))
    const added = newLines.slice(newAt - 1, newAt - 1 + (pair.find((one) => one?.added)?.count ?? 0))
    const remainingMs = deadline - performance.now()
    const wordChanges =
      removed.length > 0 && added.length > 0 && remainingMs > 0
        ? diffWordsWithSpace(removed.join('\n'), added.join('\n'), { timeout: remainingMs })
        : undefined
    if (!wordChanges && removed.length > 0 && added.length > 0) totals.areWordsMarked = false
    const wordDiff = wordChanges && commonShare(wordChanges) >= MIN_COMMON_SHARE ? wordChanges : undefined
    blocks.push({
      removed: numberLines(
        wordDiff ? linesOfSide(wordDiff, 'removed', ignoresSpace) : removed.map(unchangedPieces),
        oldAt,
      ),
      added: numberLines(
        wordDiff ? linesOfSide(wordDiff, 'added', ignoresSpace) : added.map(unchangedPieces),
        newAt,
      ),
    })
    totals.removed += removed.length
    totals.added += added.length
    oldAt += removed.length
    newAt += added.length
  }
  return { blocks, ...totals }
}

/** Splits at line feeds. Text after the last one is a line unless it is empty. */
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function allChanged(old: string[], added: string[]): ChangeObject<string[]>[] {
  return [
    { value: old, count: old.length, removed: true, added: false },
    { value: added, count: added.length, removed: false, added: true },
  ]
}

const unchangedPieces = (line: string): Piece[] => [{ text: line, isChanged: false }]

function numberLines(lines: Piece[][], from: number): Line[] {
  return lines.map((pieces, index) => ({ number: from + index, pieces }))
}

/** The share of both texts, without white space, that is common. */
function commonShare(wordChanges: ChangeObject<string>[]): number {
  let [common, all] = [0, 0]
  for (const { value, added, removed } of wordChanges) {
    const length = withoutSpace(value).length
    all += added || removed ? length : 2 * length
    if (!added && !removed) common += 2 * length
  }
  return all === 0 ? 1 : common / all
}

/** The lines of one side, from the word changes of both. */
function linesOfSide(
  wordChanges: ChangeObject<string>[],
  kind: 'removed' | 'added',
  ignoresSpace: boolean,
): Piece[][] {
  const lines: Piece[][] = [[]]
  for (const change of wordChanges) {
    const isChanged = change[kind]
    if (!isChanged && (change.added || change.removed)) continue
    for (const [index, text] of change.value.split('\n').entries()) {
      if (index > 0) lines.push([])
      const isMarked = isChanged && !(ignoresSpace && text.trim() === '')
      if (text !== '') lines.at(-1)?.push({ text, isChanged: isMarked })
    }
  }
  return lines.map(mergeChanged)
}

/** Merges changed words that are separated only by white space. */
function mergeChanged(pieces: Piece[]): Piece[] {
  const result: Piece[] = []
  for (const [index, { text, isChanged }] of pieces.entries()) {
    const isBetween = text.trim() === '' && pieces[index - 1]?.isChanged && pieces[index + 1]?.isChanged
    const last = result.at(-1)
    const isMarked = isChanged || isBetween === true
    if (last && last.isChanged === isMarked) last.text += text
    else result.push({ text, isChanged: isMarked })
  }
  return result
}

/** Indents both texts if they are JSON, so that only their values differ. */
export function indentBothAsJson(old: string, text: string): [old: string, text: string] {
  const parsed = (one: string) => JSON.stringify(parseExactly(one), null, 2)
  try {
    return [parsed(old), parsed(text)]
  } catch {
    return [old, text]
  }
}
