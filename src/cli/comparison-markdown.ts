// A comparison for a pull request: the verdict, a table for each candidate, the rows that got worse most, and what to be
// wary of. Whatever models, tools and people wrote stands in spans of code.
import type { Comparison } from '../schema/comparisons.ts'
import { HEADS, joinedText, tableOf, verdictOf } from './comparison-figures.ts'
import { code, codeName, pathStep, table } from './markdown.ts'
import type { WorstRows } from './worst-rows.ts'

/** So many characters of a text are shown. */
const CELL = 80
/** Ids are bounded, so this is never cut. */
const LONGEST_ID = 10_000

export function comparisonMarkdown(
  comparison: Comparison,
  worst: WorstRows[],
  publicUrl: string | undefined,
): string {
  const [base] = comparison.evaluations
  const verdicts = comparison.candidates.map(
    (candidate) => `**${verdictOf(base?.id ?? '', candidate, codeName)}**`,
  )
  const sections = comparison.candidates.map((candidate) => [
    `${codeName(candidate.id)}: ${joinedText(comparison, candidate, codeName)}`,
    table(HEADS, tableOf(candidate, codeName), (column) => column > 0 && column < HEADS.length - 1).join(
      '\n',
    ),
    ...worst.filter((rows) => rows.candidate === candidate.id).flatMap((rows) => worstRows(rows, publicUrl)),
  ])
  const warnings = comparison.warnings.map(({ detail }) => `- ${code(detail, 400)}`)
  const all = [
    ...verdicts,
    ...sections.flat(),
    ...(warnings.length === 0 ? [] : [`Warnings:\n\n${warnings.join('\n')}`]),
  ]
  return `${all.join('\n\n')}\n`
}

function worstRows(
  { candidate, evaluator, total, rows }: WorstRows,
  publicUrl: string | undefined,
): string[] {
  if (rows.length === 0) return []
  const cells = rows.map((row) => [
    linkOf(candidate, row.id, publicUrl),
    `${row.base_score} → ${row.score}`,
    code(row.input, CELL),
    code(row.base_output, CELL),
    code(row.output, CELL),
  ])
  const which = total > rows.length ? `the ${rows.length} worst of ${total} rows` : `all ${total} rows`
  return [
    `Regressed on ${codeName(evaluator)}, ${total === 1 ? 'one row' : which}:`,
    table(['scenario', 'score', 'input', 'base', 'candidate'], cells, () => false).join('\n'),
  ]
}

function linkOf(evaluation: string, scenario: string, publicUrl: string | undefined): string {
  if (publicUrl === undefined) return codeName(scenario, LONGEST_ID)
  const path = `/evaluations/${pathStep(evaluation)}/scenarios/${pathStep(scenario)}`
  return `[${codeName(scenario, CELL)}](${publicUrl}${path})`
}
