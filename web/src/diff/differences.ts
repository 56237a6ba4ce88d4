// What differs between two texts: lines first, then words inside of what changed, within a time that nobody notices.
import { type ChangeObject, diffArrays, diffWordsWithSpace } from 'diff'

/** A stretch of a line; `isChanged` where its words differ from those of the other text. */
export interface Piece {
  text: string
  isChanged: boolean
}

export interface Line {
  /** Counted from 1 in its own text. */
  number: number
  pieces: Piece[]
}

interface SameLine {
  old: number
  new: number
  text: string
  /** The same, but for white space where that does not count. */
  oldText: string
}

/** Lines that both texts have, or lines of the old one in whose place the new one has others. */
export type Block = { same: SameLine[] } | { removed: Line[]; added: Line[] }

export interface Differences {
  blocks: Block[]
  removed: number
  added: number
  /** Whether words were looked for everywhere; there is an end to what that may take. */
  areWordsMarked: boolean
}

type Sameness = 'identical' | 'white space' | 'different'

/** How much is compared at once; the rest is when somebody asks for it. */
export const COMPARED = 100_000
const LINES_MS = 200
const WORDS_MS = 100
/** Below this share of common text marks would be all over, and say nothing. */
const LEAST_COMMON = 0.2

export function sameness(old: string, text: string): Sameness {
  if (old === text) return 'identical'
  return withoutSpace(old) === withoutSpace(text) ? 'white space' : 'different'
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '')
}

/** Where `ignoresSpace` is set, lines and words that differ in white space alone are the same. */
export function differences(old: string, text: string, ignoresSpace = false): Differences {
  const [oldLines, newLines] = [linesOf(old), linesOf(text)]
  const [oldKeys, newKeys] = ignoresSpace
    ? [oldLines.map(withoutSpace), newLines.map(withoutSpace)]
    : [oldLines, newLines]
  const changes = diffArrays(oldKeys, newKeys, { timeout: LINES_MS }) ?? allChanged(oldKeys, newKeys)
  const blocks: Block[] = []
  const found = { removed: 0, added: 0, areWordsMarked: true }
  const deadline = performance.now() + WORDS_MS
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
    // What was removed and what was added in its place come one after the other, in either order.
    const before = changes[index - 1]
    if (before && (before.added || before.removed)) continue
    const pair = [change, changes[index + 1]]
    const removed = oldLines.slice(oldAt - 1, oldAt - 1 + (pair.find((one) => one?.removed)?.count ?? 0))
    const added = newLines.slice(newAt - 1, newAt - 1 + (pair.find((one) => one?.added)?.count ?? 0))
    const left = deadline - performance.now()
    const words =
      removed.length > 0 && added.length > 0 && left > 0
        ? diffWordsWithSpace(removed.join('\n'), added.join('\n'), { timeout: left })
        : undefined
    if (!words && removed.length > 0 && added.length > 0) found.areWordsMarked = false
    const marks = words && commonShare(words) >= LEAST_COMMON ? words : undefined
    blocks.push({
      removed: numbered(marks ? side(marks, 'removed', ignoresSpace) : removed.map(whole), oldAt),
      added: numbered(marks ? side(marks, 'added', ignoresSpace) : added.map(whole), newAt),
    })
    found.removed += removed.length
    found.added += added.length
    oldAt += removed.length
    newAt += added.length
  }
  return { blocks, ...found }
}

/** A line feed ends a line; what stands behind the last one is a line too, unless it is nothing. */
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

const whole = (line: string): Piece[] => [{ text: line, isChanged: false }]

function numbered(lines: Piece[][], from: number): Line[] {
  return lines.map((pieces, index) => ({ number: from + index, pieces }))
}

/** How much of both texts, white space aside, the other one has too. */
function commonShare(words: ChangeObject<string>[]): number {
  let [common, all] = [0, 0]
  for (const { value, added, removed } of words) {
    const length = withoutSpace(value).length
    all += added || removed ? length : 2 * length
    if (!added && !removed) common += 2 * length
  }
  return all === 0 ? 1 : common / all
}

/** The lines of one text out of the words of both. */
function side(words: ChangeObject<string>[], kind: 'removed' | 'added', ignoresSpace: boolean): Piece[][] {
  const lines: Piece[][] = [[]]
  for (const word of words) {
    const isChanged = word[kind]
    if (!isChanged && (word.added || word.removed)) continue
    for (const [index, text] of word.value.split('\n').entries()) {
      if (index > 0) lines.push([])
      const counts = isChanged && !(ignoresSpace && text.trim() === '')
      if (text !== '') lines.at(-1)?.push({ text, isChanged: counts })
    }
  }
  return lines.map(joined)
}

/** Changed words with nothing but white space between them are one change. */
function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = []
  for (const [index, { text, isChanged }] of pieces.entries()) {
    const isBetween = text.trim() === '' && pieces[index - 1]?.isChanged && pieces[index + 1]?.isChanged
    const last = result.at(-1)
    const counts = isChanged || isBetween === true
    if (last && last.isChanged === counts) last.text += text
    else result.push({ text, isChanged: counts })
  }
  return result
}
