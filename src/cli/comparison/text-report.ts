// The text report of a comparison: verdict, a table per candidate and warnings.
import type { Comparison } from '../../schema/comparisons.ts'
import { alignColumns, sanitizeLine } from '../output/terminal-text.ts'
import { comparisonTable, matchSummary, type ReportOptions, verdictText } from './table.ts'

export function comparisonText(comparison: Comparison, options: ReportOptions = {}): string {
  const { explanations = [] } = options
  const verdicts = comparison.candidates.map((candidate) =>
    verdictText(comparison, candidate, sanitizeLine, options),
  )
  const sections = comparison.candidates.flatMap((candidate, index) => [
    '',
    `${sanitizeLine(candidate.id)}: ${matchSummary(comparison, candidate, sanitizeLine)}`,
    ...alignColumns(comparisonTable(candidate, sanitizeLine)),
    ...(explanations[index] ? ['', ...explanations[index]] : []),
  ])
  const warnings = comparison.warnings.map(({ detail }) => `Warning: ${sanitizeLine(detail)}`)
  return [...verdicts, ...sections, ...(warnings.length === 0 ? [] : ['', ...warnings]), ''].join('\n')
}
