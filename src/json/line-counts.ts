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
const FINAL_LINE_FEED: LineCounts = { added: 1, removed: 1 }

export function countLines(old: string, now: string, budget: LineBudget): LineCounts {
  budget.characters -= old.length + now.length
  if (budget.characters < 0) return { added: lineCount(now), removed: lineCount(old) }
  const [before, after] = withoutCommonEnds(linesOf(old), linesOf(now))
  const all = { added: after.length, removed: before.length }
  if (all.added === 0 && all.removed === 0) return FINAL_LINE_FEED
  if (all.added === 0 || all.removed === 0) return all
  return diffLines(before, after, budget) ?? all
}

/** Undefined if the texts differ too much. The limit is not a timeout, so results do not depend on the machine. */
function diffLines(before: string[], after: string[], budget: LineBudget): LineCounts | undefined {
  const lines = before.length + after.length
  const maxEditLength = Math.min(lines, Math.floor(budget.steps / lines))
  // Lines are compared as numbers: comparing long lines with equal prefixes is slow.
  const numbers = new Map<string, number>()
  const numbered = (line: string) => {
    const number = numbers.get(line) ?? numbers.size
    numbers.set(line, number)
    return number
  }
  const changes = diffArrays(before.map(numbered), after.map(numbered), { maxEditLength })
  let [added, removed] = [0, 0]
  for (const change of changes ?? []) {
    if (change.added) added += change.count
    if (change.removed) removed += change.count
  }
  budget.steps -= lines * (changes ? added + removed : maxEditLength)
  return changes && { added, removed }
}

/** Lines without line feeds, so that appending a line does not change the one before. */
function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** Counts characters, because splitting can create millions of short lines. */
function lineCount(text: string): number {
  let feeds = 0
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === LINE_FEED) feeds += 1
  return feeds + Number(text !== '' && !text.endsWith('\n'))
}

function withoutCommonEnds(before: string[], after: string[]): [string[], string[]] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  return [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
}
