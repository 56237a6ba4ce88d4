// Compares two passages by word, and marks what changed in their lines.
import { alignSequences, type Run } from './sequences.ts'

/** A part of a line. */
export interface Piece {
  text: string
  /** The number of the change that the piece is part of, the same in both passages. Undefined if it is not changed. */
  change?: number
}

interface WordDiff {
  removed: Piece[][]
  added: Piece[][]
  /** Line breaks of both passages that match, as the numbers of the lines that follow. */
  commonBreaks: [removedLines: number, addedLines: number][]
  /** False if the passages have no word in common. Nothing is marked then. */
  hasMarks: boolean
  /** False if the time limit stopped the comparison. Parts that were not compared are marked as a whole. */
  isComplete: boolean
}

/** Scripts without spaces between words are compared by character. */
const UNSPACED = '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Mymr}'
/** A line break, indentation, or a word, number or character with the whitespace after it. */
const TOKENS = new RegExp(
  `\\n|[^\\S\\n]+|(?:\\p{N}+(?:[.,]\\p{N}+)+|[[\\p{L}\\p{N}\\p{M}_]--[${UNSPACED}]]+|.)[^\\S\\n]*`,
  'gsv',
)
const WORD = /[\p{L}\p{N}]/u
/** In longer words, only the changed part is marked. */
const LONG_WORD = 40

export function diffWords(
  removedLines: string[],
  addedLines: string[],
  { ignoreWhitespace, timeoutMs }: { ignoreWhitespace: boolean; timeoutMs: number },
): WordDiff {
  const plainDiff = (isComplete: boolean): WordDiff => ({
    removed: removedLines.map((text) => [{ text }]),
    added: addedLines.map((text) => [{ text }]),
    commonBreaks: [],
    hasMarks: false,
    isComplete,
  })
  if (removedLines.length === 0 || addedLines.length === 0) return plainDiff(true)
  const [removedText, addedText] = [removedLines.join('\n'), addedLines.join('\n')]
  const [oldTokens, newTokens] = [removedText.match(TOKENS) ?? [], addedText.match(TOKENS) ?? []]
  const { runs, isComplete } = alignSequences(oldTokens.map(wordOf), newTokens.map(wordOf), timeoutMs)
  const hasCommonWord = runs.some((run) => {
    if (run.isCommon) return oldTokens.slice(run.oldStart, run.oldEnd).some((token) => WORD.test(token))
    const [start, , , end] = changedParts(run, oldTokens, newTokens)
    return WORD.test(start + end)
  })
  if (!hasCommonWord && runs.some(({ isCommon }) => !isCommon)) return plainDiff(isComplete)
  const [removed, added] = [new LineWriter(), new LineWriter()]
  const commonBreaks: [number, number][] = []
  let change = 0
  const writeChange = (oldText: string, newText: string) => {
    if (ignoreWhitespace && oldText.trim() === '' && newText.trim() === '') {
      removed.write(oldText)
      added.write(newText)
      return
    }
    removed.write(oldText, change)
    added.write(newText, change)
    change++
  }
  for (const run of runs) {
    if (!run.isCommon) {
      const [start, oldText, newText, end] = changedParts(run, oldTokens, newTokens)
      removed.write(start)
      added.write(start)
      writeChange(oldText, newText)
      removed.write(end)
      added.write(end)
      continue
    }
    for (let offset = 0; offset < run.oldEnd - run.oldStart; offset++) {
      const oldToken = oldTokens[run.oldStart + offset] ?? ''
      const newToken = newTokens[run.newStart + offset] ?? ''
      if (oldToken === newToken) {
        removed.write(oldToken)
        added.write(newToken)
      } else {
        // The words are equal, but not the whitespace after them.
        const word = wordOf(oldToken)
        removed.write(word.trim())
        added.write(word.trim())
        writeChange(oldToken.slice(word.trim().length), newToken.slice(word.trim().length))
      }
      if (oldToken === '\n') commonBreaks.push([removed.lines.length - 1, added.lines.length - 1])
    }
  }
  return { removed: removed.lines, added: added.lines, commonBreaks, hasMarks: true, isComplete }
}

/** A token without the whitespace after its word. Indentation of any width is the same. */
function wordOf(token: string): string {
  return token === '\n' ? token : token.trim() || ' '
}

/** The texts of a run, after the start and before the end that two long words have in common. */
function changedParts(run: Run, oldTokens: string[], newTokens: string[]): [string, string, string, string] {
  const oldText = oldTokens.slice(run.oldStart, run.oldEnd).join('')
  const newText = newTokens.slice(run.newStart, run.newEnd).join('')
  const maxLength = Math.min(oldText.length, newText.length)
  const isOneWord = run.oldEnd - run.oldStart === 1 && run.newEnd - run.newStart === 1
  if (!isOneWord || maxLength < LONG_WORD) return ['', oldText, newText, '']
  let start = 0
  while (start < maxLength && oldText[start] === newText[start]) start++
  let end = 0
  while (end < maxLength - start && oldText.at(-1 - end) === newText.at(-1 - end)) end++
  // A surrogate pair stays together.
  if (/[\ud800-\udbff]/.test(oldText[start - 1] ?? '')) start--
  if (/[\udc00-\udfff]/.test(oldText.at(-end) ?? '') && end > 0) end--
  const part = (text: string) => text.slice(start, text.length - end)
  return [oldText.slice(0, start), part(oldText), part(newText), oldText.slice(oldText.length - end)]
}

/** Collects pieces of text into lines. */
class LineWriter {
  readonly lines: Piece[][] = [[]]

  write(text: string, change?: number): void {
    for (const [index, lineText] of text.split('\n').entries()) {
      if (index > 0) this.lines.push([])
      // Whitespace between words is part of the change, but not after the last word.
      const markedText = change === undefined ? '' : lineText.trimEnd() || lineText
      this.#push(markedText, change)
      this.#push(lineText.slice(markedText.length), undefined)
    }
  }

  #push(text: string, change: number | undefined): void {
    if (text === '') return
    const lastPiece = this.lines.at(-1)?.at(-1)
    if (lastPiece && lastPiece.change === change) lastPiece.text += text
    else this.lines.at(-1)?.push(change === undefined ? { text } : { text, change })
  }
}
