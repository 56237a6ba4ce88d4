// Explains the changes of an evaluation from its baseline by the groups of its rows, as text and as Markdown.
import type { Breakdown } from '../../schema/analysis/breakdowns.ts'
import { MAX_WIDTH, wrapText } from '../output/help-text.ts'
import { codeSpanOfName, markdownTable } from '../output/markdown.ts'
import { alignColumns, sanitizeLine, truncateLine } from '../output/terminal-text.ts'
import { changeTable, correctionNote } from './change-table.ts'
import { explainChange } from './explanation.ts'
import type { ReportStyle } from './group-labels.ts'
import { selectChanges } from './metric-changes.ts'

export const TEXT: ReportStyle = { name: sanitizeLine, value: (text) => truncateLine(text, 40) }
const MARKDOWN: ReportStyle = { name: codeSpanOfName, value: (text) => codeSpanOfName(text, 80) }

interface Report {
  heading: string
  sentences: string[]
  tables: { rows: string[][]; notes: string[] }[]
}

/**
 * Lines. `evaluators` are those to explain, or undefined for all that changed. `joinKey` is the join key that the report
 * names already.
 */
export function changeText(breakdown: Breakdown, evaluators?: string[], joinKey?: string): string[] {
  const { heading, sentences, tables } = reportChanges(breakdown, evaluators, joinKey, TEXT)
  return [
    heading,
    ...sentences.map(wrapSentence),
    ...tables.flatMap(({ rows, notes }) => ['', ...alignColumns(rows, MAX_WIDTH), ...notes]),
  ]
}

/** Does not break a line within a product. */
function wrapSentence(sentence: string): string {
  const text = sentence.replaceAll(' × ', '\u00a0×\u00a0')
  return wrapText(text, '  ').trimStart().replaceAll('\u00a0', ' ')
}

/** Paragraphs, with the same parameters. */
export function changeMarkdown(breakdown: Breakdown, evaluators?: string[], joinKey?: string): string[] {
  const { heading, sentences, tables } = reportChanges(breakdown, evaluators, joinKey, MARKDOWN)
  return [
    heading,
    sentences.map((sentence) => `- ${sentence}`).join('\n'),
    ...tables.flatMap(({ rows: [headings = [], ...rows], notes }) => [
      markdownTable(headings, rows, (column) => column > 0 && column < headings.length - 1).join('\n'),
      ...notes,
    ]),
  ]
}

/** Without selected evaluators, only the first change has a table. */
function reportChanges(
  breakdown: Breakdown,
  evaluators: string[] | undefined,
  joinKey: string | undefined,
  style: ReportStyle,
): Report {
  const { id, by, base } = breakdown
  const changes = selectChanges(breakdown, evaluators)
  // With several candidates, the comparison can need another join key than one of them alone.
  const matched =
    base && joinKey !== undefined && base.by !== joinKey ? `, matched by ${style.name(base.by)}` : ''
  return {
    heading: `Changes of ${style.name(id)} by ${style.name(by)}${matched}:`,
    sentences: base?.has_different_rows
      ? ['These runs do not have the same rows, so their changes cannot be explained.']
      : changes.length === 0
        ? ['Nothing can be compared with the baseline.']
        : changes.map((change) => explainChange(change, style)),
    tables: base?.has_different_rows
      ? []
      : changes
          .slice(0, evaluators?.length ?? 1)
          .map((change) => ({ rows: changeTable(change, style), notes: correctionNote(change) })),
  }
}
