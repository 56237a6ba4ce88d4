// The text report of a comparison: verdict, a table per candidate and warnings.
import type { Comparison } from '../../schema/comparisons.ts'
import { alignColumns, sanitizeLine } from '../output/terminal-text.ts'
import { COLUMN_HEADINGS, matchSummary, tableRows, verdictText } from './table.ts'

/** `explanations` are lines for each candidate. */
export function comparisonText(comparison: Comparison, explanations: string[][] = []): string {
  const [baseline] = comparison.evaluations
  const verdicts = comparison.candidates.map((candidate) =>
    verdictText(baseline?.id ?? '', candidate, sanitizeLine),
  )
  const sections = comparison.candidates.flatMap((candidate, index) => [
    '',
    `${sanitizeLine(candidate.id)}: ${matchSummary(comparison, candidate, sanitizeLine)}`,
    ...alignColumns([COLUMN_HEADINGS, ...tableRows(candidate, sanitizeLine)]),
    ...(explanations[index] ? ['', ...explanations[index]] : []),
  ])
  const warnings = comparison.warnings.map(({ detail }) => `Warning: ${sanitizeLine(detail)}`)
  return [...verdicts, ...sections, ...(warnings.length === 0 ? [] : ['', ...warnings]), ''].join('\n')
}
