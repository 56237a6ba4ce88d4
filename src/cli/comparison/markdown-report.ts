// The Markdown report of a comparison: verdict, a table per candidate, the worst regressions and warnings.
import type { ComparedCandidate, Comparison } from '../../schema/comparisons.ts'
import { codeSpan, codeSpanOfName, encodePathSegment, markdownTable } from '../output/markdown.ts'
import { comparisonTable, matchSummary, type ReportOptions, verdictText } from './table.ts'
import { type WorstRows, worstRowsHeading } from './worst-rows.ts'

/** Longer texts are truncated. */
const MAX_CELL_LENGTH = 80
/** Longer than any id, so ids are never truncated. */
const MAX_ID_LENGTH = 10_000

export function comparisonMarkdown(
  comparison: Comparison,
  worstRows: WorstRows[],
  publicUrl: string | undefined,
  options: ReportOptions = {},
): string {
  const { explanations = [] } = options
  const verdicts = comparison.candidates.map(
    (candidate) => `**${verdictText(comparison, candidate, codeSpanOfName, options)}**`,
  )
  const sections = comparison.candidates.map((candidate, index) => [
    `${codeSpanOfName(candidate.id)}: ${matchSummary(comparison, candidate, codeSpanOfName)}`,
    statisticsTable(candidate),
    ...(explanations[index] ?? []),
    ...worstRows
      .filter((rows) => rows.candidate === candidate.id)
      .flatMap((rows) => worstRowsSection(rows, publicUrl)),
  ])
  const warnings = comparison.warnings.map(({ detail }) => `- ${codeSpan(detail, 400)}`)
  const paragraphs = [
    ...verdicts,
    ...sections.flat(),
    ...(warnings.length === 0 ? [] : [`Warnings:\n\n${warnings.join('\n')}`]),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

function statisticsTable(candidate: ComparedCandidate): string {
  const [headings = [], ...rows] = comparisonTable(candidate, codeSpanOfName)
  return markdownTable(headings, rows, (column) => column > 0 && column < headings.length - 1).join('\n')
}

function worstRowsSection(worstRows: WorstRows, publicUrl: string | undefined): string[] {
  const { candidate, evaluator, rows } = worstRows
  if (rows.length === 0) return []
  const cells = rows.map((row) => [
    scenarioLink(candidate, row.id, publicUrl),
    `${row.base_score} → ${row.score}`,
    codeSpan(row.input, MAX_CELL_LENGTH),
    codeSpan(row.base_output, MAX_CELL_LENGTH),
    codeSpan(row.output, MAX_CELL_LENGTH),
  ])
  return [
    `${worstRowsHeading(worstRows)} on ${codeSpanOfName(evaluator)}:`,
    markdownTable(
      ['scenario', 'score', 'input', 'baseline output', 'candidate output'],
      cells,
      () => false,
    ).join('\n'),
  ]
}

function scenarioLink(evaluation: string, scenario: string, publicUrl: string | undefined): string {
  if (publicUrl === undefined) return codeSpanOfName(scenario, MAX_ID_LENGTH)
  const path = `/evaluations/${encodePathSegment(evaluation)}/scenarios/${encodePathSegment(scenario)}`
  return `[${codeSpanOfName(scenario, MAX_CELL_LENGTH)}](${publicUrl}${path})`
}
