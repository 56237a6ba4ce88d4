// How a text became another: by line, with the words that differ inside of changed lines, within a limit of time.

export interface Part {
  text: string
  isMarked: boolean
}

export interface Line {
  kind: 'same' | 'added' | 'removed'
  /** Its number in the old and in the new text. */
  old: number | undefined
  new: number | undefined
  parts: Part[]
}

export interface TextDifference {
  lines: Line[]
  /** Whether lines that stayed were looked for; texts with little in common take too long. */
  isSearched: boolean
  /** Whether nothing but white space differs. */
  isSpaceOnly: boolean
}

const LINES_MS = 400
/** For all blocks of a text together. */
const WORDS_MS = 200
const LONGEST_MARKED = 20_000
/** Where more than this share differs, marks say nothing. */
const MOST_MARKED = 0.6

let last: Promise<unknown> = Promise.resolve()

/** One after the other, with room for the browser to draw and to answer in between. */
export function textDifference(old: string, now: string): Promise<TextDifference> {
  const found = last.then(async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return difference(old, now)
  })
  last = found.catch(() => undefined)
  return found
}

async function difference(old: string, now: string): Promise<TextDifference> {
  const { diffArrays, diffWordsWithSpace } = await import('diff')
  const [before, after] = [old.split('\n'), now.split('\n')]
  const found = diffArrays(before, after, { timeout: LINES_MS })
  const blocks = found ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  const deadline = performance.now() + WORDS_MS
  const lines: Line[] = []
  let [oldNumber, newNumber] = [1, 1]
  for (const [index, { value, added, removed }] of blocks.entries()) {
    const other = blocks[removed ? index + 1 : index - 1]
    const isPaired = removed ? other?.added : added && other?.removed
    const marked = isPaired && other ? marksOf(value, other.value, diffWordsWithSpace, deadline) : undefined
    for (const [place, text] of value.entries()) {
      lines.push({
        kind: added ? 'added' : removed ? 'removed' : 'same',
        old: added ? undefined : oldNumber++,
        new: removed ? undefined : newNumber++,
        parts: marked?.[place] ?? [{ text, isMarked: false }],
      })
    }
  }
  const isSpaceOnly = old.replaceAll(/\s+/g, '') === now.replaceAll(/\s+/g, '')
  return { lines, isSearched: found !== undefined, isSpaceOnly }
}

type WordDifference = typeof import('diff')['diffWordsWithSpace']

/** The lines of one block with marks on the words that the other does not have; undefined where they would say nothing. */
function marksOf(
  block: string[],
  other: string[],
  difference: WordDifference,
  deadline: number,
): Part[][] | undefined {
  const [text, otherText] = [block.join('\n'), other.join('\n')]
  const timeout = deadline - performance.now()
  if (timeout <= 0 || text.length + otherText.length > LONGEST_MARKED) return undefined
  const words = difference(otherText, text, { timeout })?.filter(({ removed }) => !removed)
  if (!words) return undefined
  const marked = words.reduce((sum, { added, value }) => sum + (added ? value.length : 0), 0)
  if (marked > text.length * MOST_MARKED) return undefined
  const lines: Part[][] = [[]]
  for (const { value, added } of words) {
    for (const [index, piece] of value.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (piece !== '') lines.at(-1)?.push({ text: piece, isMarked: added })
    }
  }
  return lines
}

/** Lines to show, and runs of lines that stayed, which are folded. */
export type Section = { lines: Line[]; isFolded: boolean }

const CONTEXT = 3

export function sectionsOf(lines: readonly Line[]): Section[] {
  const sections: Section[] = []
  const near = nearChanges(lines)
  for (const [index, line] of lines.entries()) {
    const isFolded = !near[index]
    const last = sections.at(-1)
    if (last?.isFolded === isFolded) last.lines.push(line)
    else sections.push({ lines: [line], isFolded })
  }
  // A fold that hides a line or two takes as much room as they do.
  return sections.map((section) => ({ ...section, isFolded: section.isFolded && section.lines.length > 2 }))
}

function nearChanges(lines: readonly Line[]): boolean[] {
  const near = new Array<boolean>(lines.length).fill(false)
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== 'same') near.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  }
  return near
}
