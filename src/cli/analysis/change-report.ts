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

/** Lines. `evaluators` are those to explain, or undefined for all that changed. */
export function changeText(breakdown: Breakdown, evaluators: string[] | undefined): string[] {
  const { heading, sentences, tables } = reportChanges(breakdown, evaluators, TEXT)
  return [
    heading,
    ...sentences.map((sentence) => wrapText(sentence, '  ').trimStart()),
    ...tables.flatMap(({ rows, notes }) => ['', ...alignColumns(rows, MAX_WIDTH), ...notes]),
  ]
}

/** Paragraphs. `evaluators` are those to explain, or undefined for all that changed. */
export function changeMarkdown(breakdown: Breakdown, evaluators: string[] | undefined): string[] {
  const { heading, sentences, tables } = reportChanges(breakdown, evaluators, MARKDOWN)
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
function reportChanges(breakdown: Breakdown, evaluators: string[] | undefined, style: ReportStyle): Report {
  const changes = selectChanges(breakdown, evaluators)
  return {
    heading: `Changes of ${style.name(breakdown.id)} by ${style.name(breakdown.by)}:`,
    sentences:
      changes.length === 0
        ? ['Nothing can be compared with the baseline.']
        : changes.map((change) => explainChange(change, style)),
    tables: changes
      .slice(0, evaluators?.length ?? 1)
      .map((change) => ({ rows: changeTable(change, style), notes: correctionNote(change) })),
  }
}
