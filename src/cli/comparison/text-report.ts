// The text report of a comparison: verdict, a table per candidate, the worst regressions and warnings.
import type { Comparison } from '../../schema/comparisons.ts'
import { MAX_WIDTH } from '../output/help-text.ts'
import { alignColumns, sanitizeLine, truncateLine } from '../output/terminal-text.ts'
import { comparisonTable, matchSummary, type ReportOptions, verdictText } from './table.ts'
import { type WorstRows, worstRowsHeading } from './worst-rows.ts'

export function comparisonText(
  comparison: Comparison,
  worstRows: WorstRows[],
  options: ReportOptions = {},
): string {
  const { explanations = [] } = options
  const verdicts = comparison.candidates.map((candidate) =>
    verdictText(comparison, candidate, sanitizeLine, options),
  )
  const sections = comparison.candidates.flatMap((candidate, index) => [
    '',
    `${sanitizeLine(candidate.id)}: ${matchSummary(comparison, candidate, sanitizeLine)}`,
    ...alignColumns(comparisonTable(candidate, sanitizeLine)),
    ...(explanations[index] ? ['', ...explanations[index]] : []),
    ...worstRows.filter((rows) => rows.candidate === candidate.id).flatMap(worstRowsSection),
  ])
  const warnings = comparison.warnings.map(({ detail }) => `Warning: ${sanitizeLine(detail)}`)
  return [...verdicts, ...sections, ...(warnings.length === 0 ? [] : ['', ...warnings]), ''].join('\n')
}

/** Each row has a line with its scores, and one for each of its texts. */
function worstRowsSection(worstRows: WorstRows): string[] {
  const { evaluator, rows } = worstRows
  if (rows.length === 0) return []
  const line = (label: string, text: string) =>
    truncateLine(`    ${label.padEnd(11)}${text.slice(0, 8 * MAX_WIDTH).replaceAll(/\s+/g, ' ')}`, MAX_WIDTH)
  return [
    '',
    `${worstRowsHeading(worstRows)} on ${sanitizeLine(evaluator)}:`,
    ...rows.flatMap((row) => [
      `  ${sanitizeLine(row.id)}: ${row.base_score} → ${row.score}`,
      line('input', row.input),
      line('baseline', row.base_output),
      line('candidate', row.output),
    ]),
  ]
}
