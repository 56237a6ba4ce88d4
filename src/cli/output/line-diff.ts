// The lines that differ between two texts, like a unified diff.
import { structuredPatch } from 'diff'
import { sanitizeLine } from './terminal-text.ts'

const CONTEXT_LINES = 2
/** Texts with more changed lines are printed completely, first the old one. It would take too long to find the equal lines. */
const MAX_CHANGED_LINES = 2000

/** Removed lines start with `-`, added ones with `+`. A line `@@` separates distant changes. */
export function formatLineDiff(oldText: string, newText: string): string[] {
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_CHANGED_LINES }
  // Only a difference in the final line feed is worth a remark.
  const end = oldText.endsWith('\n') || newText.endsWith('\n') ? '' : '\n'
  const patch = structuredPatch('', '', oldText + end, newText + end, '', '', options)
  const hunks = patch?.hunks.map(({ lines }) => lines) ?? [
    [...oldText.split('\n').map((line) => `-${line}`), ...newText.split('\n').map((line) => `+${line}`)],
  ]
  return hunks
    .flatMap((lines, index) => (index === 0 ? lines : ['@@', ...lines]))
    .map((line) => sanitizeLine(line).trimEnd())
}
