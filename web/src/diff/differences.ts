// Compares two texts by line, and changed lines by word. Both comparisons have a time limit.
import { alignSequences, type Run } from './sequences.ts'
import { diffWords, type Piece } from './words.ts'

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

/** Removed lines and the lines that replace them. Either list can be empty. */
export interface ChangedLines {
  removed: Line[]
  added: Line[]
  /** Whether changed words are marked. If not, the lines have no word in common. */
  hasMarks: boolean
  /** Where both lists continue with matching lines, as indexes. */
  commonBreaks: [removedIndex: number, addedIndex: number][]
}

/** Lines that both texts contain, or changed lines. */
export type Block = { commonLines: CommonLine[] } | ChangedLines

export interface TextDiff {
  blocks: Block[]
  /** Characters of the longer text. */
  length: number
  removedCount: number
  addedCount: number
  /** False if the time limit stopped a comparison. Parts that were not compared are marked as a whole. */
  isComplete: boolean
  /** False if the changed lines of both texts have no word in common. */
  hasCommonWords: boolean
}

type TextEquality = 'identical' | 'whitespace' | 'different'

/** Number of characters that are compared until the user requests the rest. */
export const INITIAL_COMPARE_LENGTH = 500_000
const LINE_DIFF_TIMEOUT_MS = 150
const WORD_DIFF_TIMEOUT_MS = 250

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
  const lineKey = (line: string) => (ignoreWhitespace ? withoutWhitespace(line) : line)
  const { runs, isComplete } = alignSequences(
    oldLines.map(lineKey),
    newLines.map(lineKey),
    LINE_DIFF_TIMEOUT_MS,
  )
  const diff: TextDiff = {
    blocks: [],
    length: Math.max(oldText.length, newText.length),
    removedCount: 0,
    addedCount: 0,
    isComplete,
    hasCommonWords: false,
  }
  const deadline = performance.now() + WORD_DIFF_TIMEOUT_MS
  for (const run of runs) {
    if (run.isCommon) {
      diff.blocks.push({ commonLines: commonLinesOf(run, oldLines, newLines) })
      diff.hasCommonWords = true
      continue
    }
    const words = diffWords(
      oldLines.slice(run.oldStart, run.oldEnd),
      newLines.slice(run.newStart, run.newEnd),
      { ignoreWhitespace, timeoutMs: deadline - performance.now() },
    )
    const numbered = (lines: Piece[][], start: number) =>
      lines.map((pieces, index): Line => ({ number: start + index + 1, pieces }))
    diff.blocks.push({
      removed: numbered(words.removed, run.oldStart),
      added: numbered(words.added, run.newStart),
      hasMarks: words.hasMarks,
      commonBreaks: words.commonBreaks,
    })
    diff.isComplete &&= words.isComplete
    diff.hasCommonWords ||= words.hasMarks
    diff.removedCount += run.oldEnd - run.oldStart
    diff.addedCount += run.newEnd - run.newStart
  }
  return diff
}

/** Splits at line feeds. Text after the last one is a line unless it is empty. */
function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function commonLinesOf({ oldStart, oldEnd, newStart }: Run, oldLines: string[], newLines: string[]) {
  return oldLines.slice(oldStart, oldEnd).map((oldText, index): CommonLine => {
    const newText = newLines[newStart + index] ?? ''
    return { oldNumber: oldStart + index + 1, newNumber: newStart + index + 1, oldText, newText }
  })
}
