// The text report of a comparison: verdict, a table per candidate, the worst regressions and warnings.
import type { Comparison } from '../../schema/comparisons.ts'
import { MAX_WIDTH, wrapText } from '../output/help-text.ts'
import { countOf } from '../output/progress.ts'
import { formatMean, RATE } from '../output/statistics.ts'
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
    ...candidate.preferences.map((preference) => preferenceText(candidate.id, preference)),
    ...(explanations[index] ? ['', ...explanations[index]] : []),
    ...worstRows.filter((rows) => rows.candidate === candidate.id).flatMap(worstRowsSection),
  ])
  const warnings = comparison.warnings.map(({ detail }) => `Warning: ${sanitizeLine(detail)}`)
  return [...verdicts, ...sections, ...(warnings.length === 0 ? [] : ['', ...warnings]), ''].join('\n')
}

/** For example: `People prefer r6 in 61 % of 80 rows (95 % confidence interval 49 to 72), 12 ties. Review: side-by-side.` */
function preferenceText(
  id: string,
  {
    review_id,
    candidate,
    baseline,
    equal,
    both_bad,
    share,
    interval,
  }: Comparison['candidates'][number]['preferences'][number],
): string {
  const ties = countOf(equal + both_bad, 'tie')
  const [low, high] = (interval ?? []).map((bound) => formatMean(bound, RATE, 0).replace(/ %$/, ''))
  const preferred =
    share === null
      ? 'People prefer neither side'
      : `People prefer ${sanitizeLine(id)} in ${formatMean(share, RATE, 0)} of ${countOf(candidate + baseline, 'row')} (95 % confidence interval ${low} to ${high})`
  return wrapText(`${preferred}, ${ties}. Review: ${sanitizeLine(review_id)}.`)
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
