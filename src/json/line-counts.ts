// How many lines of a text were added and removed, within bounds: texts may be megabytes, and whoever waits for
// the thread that counts must not notice.
import { diffArrays } from 'diff'

export interface LineCounts {
  added: number
  removed: number
}

/** How much all counts of one comparison may take together. What goes beyond counts as replaced, line by line. */
export class LineBudget {
  /** To be cut into lines. */
  characters = 1_000_000
  /** Steps of a search for what stayed: lines times the edits between them. */
  steps = 1_500_000
}

const LINE_FEED = 0x0a

/** Texts that differ in the feed behind their last line alone. */
const LAST_FEED: LineCounts = { added: 1, removed: 1 }

export function countLines(old: string, now: string, budget: LineBudget): LineCounts {
  budget.characters -= old.length + now.length
  if (budget.characters < 0) return { added: lineCount(now), removed: lineCount(old) }
  const [before, after] = withoutCommonEnds(linesOf(old), linesOf(now))
  const all = { added: after.length, removed: before.length }
  if (all.added === 0 && all.removed === 0) return LAST_FEED
  if (all.added === 0 || all.removed === 0) return all
  return search(before, after, budget) ?? all
}

/** Undefined where the two differ too much. The result is the same on every machine: no clock is asked. */
function search(before: string[], after: string[], budget: LineBudget): LineCounts | undefined {
  const lines = before.length + after.length
  const maxEditLength = Math.min(lines, Math.floor(budget.steps / lines))
  // Compared as numbers: long lines that begin alike would be read again with every step.
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

/** Without their line feeds: what is added behind the last line does not change it. */
function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** By character: of short lines there may be millions. */
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
