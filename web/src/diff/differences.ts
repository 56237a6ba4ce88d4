// Compares two texts by line, and changed lines by word. Both comparisons have a time limit.
import type { ChangeObject } from 'diff'
// The index of the package would add comparisons of JSON, CSS and sentences to the script.
import { diffArrays } from 'diff/lib/diff/array.js'
import { diffWordsWithSpace } from 'diff/lib/diff/word.js'
import { parseExactly } from '../format/exact-json.ts'

/** A part of a line. */
export interface Piece {
  text: string
  /** Shown as changed within its line. */
  isMarked: boolean
}

export interface Line {
  /** Counted from 1. */
  number: number
  pieces: Piece[]
}

interface CommonLine {
  oldNumber: number
  newNumber: number
  oldText: string
  /** Differs from `oldText` only if whitespace is ignored. */
  newText: string
}

/** Lines that both texts contain, or removed lines and the lines that replace them. Either list can be empty. */
export type Block = { commonLines: CommonLine[] } | { removed: Line[]; added: Line[] }

export interface TextDiff {
  blocks: Block[]
  removedCount: number
  addedCount: number
  /** False if the time limit stopped the comparison by word. */
  isWordDiffComplete: boolean
}

type TextEquality = 'identical' | 'whitespace' | 'different'

/** Number of characters that are compared until the user requests the rest. */
export const INITIAL_COMPARE_LENGTH = 100_000
const LINE_DIFF_TIMEOUT_MS = 200
const WORD_DIFF_TIMEOUT_MS = 100
/** Words are not marked if the texts have less in common than this. */
const MIN_COMMON_RATIO = 0.2

export function textEquality(oldText: string, newText: string): TextEquality {
  if (oldText === newText) return 'identical'
  return withoutWhitespace(oldText) === withoutWhitespace(newText) ? 'whitespace' : 'different'
}

function withoutWhitespace(text: string): string {
  return text.replace(/\s+/g, '')
}

/** With `ignoreWhitespace`, lines and words that differ only in whitespace are equal. */
export function diffTexts(oldText: string, newText: string, ignoreWhitespace = false): TextDiff {
  const [oldLines, newLines] = [linesOf(oldText), linesOf(newText)]
  const [oldKeys, newKeys] = ignoreWhitespace
    ? [oldLines.map(withoutWhitespace), newLines.map(withoutWhitespace)]
    : [oldLines, newLines]
  const changes =
    diffArrays(oldKeys, newKeys, { timeout: LINE_DIFF_TIMEOUT_MS }) ?? replaceAll(oldKeys, newKeys)
  const blocks: Block[] = []
  const totals = { removedCount: 0, addedCount: 0, isWordDiffComplete: true }
  const deadline = performance.now() + WORD_DIFF_TIMEOUT_MS
  let [oldNumber, newNumber] = [1, 1]
  for (const [index, change] of changes.entries()) {
    if (!change.added && !change.removed) {
      const [oldStart, newStart] = [oldNumber, newNumber]
      blocks.push({
        commonLines: change.value.map((_, offset) => ({
          oldNumber: oldStart + offset,
          newNumber: newStart + offset,
          oldText: oldLines[oldStart + offset - 1] ?? '',
          newText: newLines[newStart + offset - 1] ?? '',
        })),
      })
      oldNumber += change.value.length
      newNumber += change.value.length
      continue
    }
    // Removed and added lines are adjacent, in either order. The second of the two is part of the previous block.
    const previousChange = changes[index - 1]
    if (previousChange && (previousChange.added || previousChange.removed)) continue
    const pair = [change, changes[index + 1]]
    const removed = oldLines.slice(
      oldNumber - 1,
      oldNumber - 1 + (pair.find((part) => part?.removed)?.count ?? 0),
    )
    const added = newLines.slice(
      newNumber - 1,
      newNumber - 1 + (pair.find((part) => part?.added)?.count ?? 0),
    )
    const remainingMs = deadline - performance.now()
    const wordChanges =
      removed.length > 0 && added.length > 0 && remainingMs > 0
        ? diffWordsWithSpace(removed.join('\n'), added.join('\n'), { timeout: remainingMs })
        : undefined
    if (!wordChanges && removed.length > 0 && added.length > 0) totals.isWordDiffComplete = false
    const wordDiff = wordChanges && commonRatio(wordChanges) >= MIN_COMMON_RATIO ? wordChanges : undefined
    blocks.push({
      removed: numberLines(
        wordDiff ? markChangedWords(wordDiff, 'removed', ignoreWhitespace) : removed.map(unmarkedPieces),
        oldNumber,
      ),
      added: numberLines(
        wordDiff ? markChangedWords(wordDiff, 'added', ignoreWhitespace) : added.map(unmarkedPieces),
        newNumber,
      ),
    })
    totals.removedCount += removed.length
    totals.addedCount += added.length
    oldNumber += removed.length
    newNumber += added.length
  }
  return { blocks, ...totals }
}

/** Splits at line feeds. Text after the last one is a line unless it is empty. */
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The result if the line comparison exceeds its time limit. */
function replaceAll(oldLines: string[], newLines: string[]): ChangeObject<string[]>[] {
  return [
    { value: oldLines, count: oldLines.length, removed: true, added: false },
    { value: newLines, count: newLines.length, removed: false, added: true },
  ]
}

const unmarkedPieces = (line: string): Piece[] => [{ text: line, isMarked: false }]

function numberLines(lines: Piece[][], firstNumber: number): Line[] {
  return lines.map((pieces, index) => ({ number: firstNumber + index, pieces }))
}

/** How much of both texts is common, from 0 to 1. Whitespace does not count. */
function commonRatio(wordChanges: ChangeObject<string>[]): number {
  let [commonLength, totalLength] = [0, 0]
  for (const { value, added, removed } of wordChanges) {
    const length = withoutWhitespace(value).length
    totalLength += added || removed ? length : 2 * length
    if (!added && !removed) commonLength += 2 * length
  }
  return totalLength === 0 ? 1 : commonLength / totalLength
}

/** The removed or the added lines, with the changed words marked. */
function markChangedWords(
  wordChanges: ChangeObject<string>[],
  kind: 'removed' | 'added',
  ignoreWhitespace: boolean,
): Piece[][] {
  const lines: Piece[][] = [[]]
  for (const change of wordChanges) {
    const isOfKind = change[kind]
    if (!isOfKind && (change.added || change.removed)) continue
    for (const [index, text] of change.value.split('\n').entries()) {
      if (index > 0) lines.push([])
      const isMarked = isOfKind && !(ignoreWhitespace && text.trim() === '')
      if (text !== '') lines.at(-1)?.push({ text, isMarked })
    }
  }
  return lines.map(mergeMarked)
}

/** Merges marked words that are separated only by whitespace. */
function mergeMarked(pieces: Piece[]): Piece[] {
  const result: Piece[] = []
  for (const [index, piece] of pieces.entries()) {
    const { text } = piece
    const isBetween = text.trim() === '' && pieces[index - 1]?.isMarked && pieces[index + 1]?.isMarked
    const previousPiece = result.at(-1)
    const isMarked = piece.isMarked || isBetween === true
    if (previousPiece && previousPiece.isMarked === isMarked) previousPiece.text += text
    else result.push({ text, isMarked })
  }
  return result
}

/** Formats both texts with the same indentation if both are JSON, or else returns them unchanged. */
export function indentBothAsJson(oldText: string, newText: string): [oldText: string, newText: string] {
  const indent = (json: string) => JSON.stringify(parseExactly(json), null, 2)
  try {
    return [indent(oldText), indent(newText)]
  } catch {
    return [oldText, newText]
  }
}
