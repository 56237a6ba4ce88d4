// Counts added and removed lines between two texts. The work is limited, because texts can be megabytes and must not
// block the thread.
import { diffArrays } from 'diff'

export interface LineCounts {
  added: number
  removed: number
}

/** Limits the work of all counts in one comparison. Beyond it, a text counts as entirely replaced. */
export class LineBudget {
  /** Characters to split into lines. */
  characters = 1_000_000
  /** Steps of the diff: lines times edits. */
  steps = 1_500_000
}

const LINE_FEED = 0x0a

/** For texts that differ only in the line feed at the end. */
const FINAL_LINE_FEED_COUNTS: LineCounts = { added: 1, removed: 1 }

/** Counts the lines that only one of two different texts has. */
export function countChangedLines(oldText: string, newText: string, budget: LineBudget): LineCounts {
  budget.characters -= oldText.length + newText.length
  if (budget.characters < 0) return { added: countAllLines(newText), removed: countAllLines(oldText) }
  const [oldLines, newLines] = trimCommonLines(splitLines(oldText), splitLines(newText))
  const maxCounts = { added: newLines.length, removed: oldLines.length }
  if (maxCounts.added === 0 && maxCounts.removed === 0) return FINAL_LINE_FEED_COUNTS
  if (maxCounts.added === 0 || maxCounts.removed === 0) return maxCounts
  return diffLines(oldLines, newLines, budget) ?? maxCounts
}

/** Undefined if the texts differ too much. The limit is not a timeout, so results do not depend on the machine. */
function diffLines(oldLines: string[], newLines: string[], budget: LineBudget): LineCounts | undefined {
  const lineCount = oldLines.length + newLines.length
  const maxEditLength = Math.min(lineCount, Math.floor(budget.steps / lineCount))
  // Lines are compared as numbers: comparing long lines with equal prefixes is slow.
  const numbers = new Map<string, number>()
  const numberLine = (line: string) => {
    const number = numbers.get(line) ?? numbers.size
    numbers.set(line, number)
    return number
  }
  const changes = diffArrays(oldLines.map(numberLine), newLines.map(numberLine), { maxEditLength })
  let [added, removed] = [0, 0]
  for (const change of changes ?? []) {
    if (change.added) added += change.count
    if (change.removed) removed += change.count
  }
  budget.steps -= lineCount * (changes ? added + removed : maxEditLength)
  return changes && { added, removed }
}

/** Lines without line feeds, so that appending a line does not change the one before. */
function splitLines(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** Does not split the text, because that can create millions of short lines. */
function countAllLines(text: string): number {
  let feeds = 0
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) === LINE_FEED) feeds += 1
  return feeds + Number(text !== '' && !text.endsWith('\n'))
}

/** Removes the lines that both texts have at the start and at the end. */
function trimCommonLines(oldLines: string[], newLines: string[]): [string[], string[]] {
  const shorterLength = Math.min(oldLines.length, newLines.length)
  let head = 0
  while (head < shorterLength && oldLines[head] === newLines[head]) head += 1
  let tail = 0
  while (tail < shorterLength - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail += 1
  return [oldLines.slice(head, oldLines.length - tail), newLines.slice(head, newLines.length - tail)]
}
