// The text report of a comparison: verdict, a table per candidate and warnings.
import type { Comparison } from '../../schema/comparisons.ts'
import { sanitizeLine } from '../output/terminal-text.ts'
import { COLUMN_HEADINGS, matchSummary, tableRows, verdictText } from './table.ts'

export function comparisonText(comparison: Comparison): string {
  const [baseline] = comparison.evaluations
  const verdicts = comparison.candidates.map((candidate) =>
    verdictText(baseline?.id ?? '', candidate, sanitizeLine),
  )
  const tables = comparison.candidates.flatMap((candidate) => [
    '',
    `${sanitizeLine(candidate.id)}: ${matchSummary(comparison, candidate, sanitizeLine)}`,
    ...alignColumns([COLUMN_HEADINGS, ...tableRows(candidate, sanitizeLine)]),
  ])
  const warnings = comparison.warnings.map(({ detail }) => `Warning: ${sanitizeLine(detail)}`)
  return [...verdicts, ...tables, ...(warnings.length === 0 ? [] : ['', ...warnings]), ''].join('\n')
}

/** Aligns the first and the last column left, the others right. */
function alignColumns(rows: string[][]): string[] {
  const widths = COLUMN_HEADINGS.map((_, column) =>
    Math.max(...rows.map((row) => textWidth(row[column] ?? ''))),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - textWidth(cell))
        return column === 0 || column === COLUMN_HEADINGS.length - 1 ? cell + space : space + cell
      })
      .join('  ')
      .trimEnd(),
  )
}

function textWidth(text: string): number {
  return [...text].length
}
