// Finds the worst regressions of each candidate for a report.
import type { ComparedCandidate, RowScore } from '../../schema/comparisons.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import { NO_VALUE } from '../output/statistics.ts'
import type { OpenComparison, Regression } from '../target/target-types.ts'

/** The worst regressions of a candidate on one evaluator. */
export interface WorstRows {
  candidate: string
  evaluator: string
  /** Number of all regressions. */
  total: number
  rows: WorstRow[]
}

export interface WorstRow {
  /** The id of the scenario in the candidate, or of its first repeat. */
  id: string
  base_score: string
  score: string
  input: string
  base_output: string
  output: string
}

/**
 * Lists at most `limit` rows. Uses the first evaluator whose mean is worse, or the first with any regression. `evaluatorsOf` selects the
 * evaluators of a candidate, or returns undefined for all.
 */
export async function findWorstRows(
  { comparison, findRegressions }: OpenComparison,
  evaluatorsOf: (candidate: ComparedCandidate) => string[] | undefined,
  limit: number,
): Promise<WorstRows[]> {
  if (limit === 0) return []
  const worstRowsByCandidate: WorstRows[] = []
  for (const [index, candidate] of comparison.candidates.entries()) {
    const evaluator = firstRegressedEvaluator(candidate, evaluatorsOf(candidate))
    if (evaluator === undefined) continue
    const { total, rows: regressions } = await findRegressions(index, evaluator, limit)
    const rows = regressions.map(toWorstRow)
    worstRowsByCandidate.push({ candidate: candidate.id, evaluator, total, rows })
  }
  return worstRowsByCandidate
}

function firstRegressedEvaluator(
  { evaluators }: ComparedCandidate,
  selectedEvaluators: string[] | undefined,
): string | undefined {
  const choices = evaluators.filter(({ name }) => selectedEvaluators?.includes(name) ?? true)
  const worseEvaluator = choices.find(({ outcome }) => outcome === 'worse')
  return (worseEvaluator ?? choices.find(({ classes }) => classes.regressed > 0))?.name
}

function toWorstRow({ baseline, candidate, base_score, score }: Regression): WorstRow {
  return {
    id: candidate.id ?? '',
    base_score: formatScore(base_score),
    score: formatScore(score),
    input: formatInputs(candidate),
    base_output: formatOutput(baseline),
    output: formatOutput(candidate),
  }
}

/** For example `The 5 worst of 29 regressions`. */
export function worstRowsHeading({ total, rows }: WorstRows): string {
  if (total === 1) return 'One regression'
  const count = rows.length === 1 ? '' : `${rows.length} `
  return total > rows.length ? `The ${count}worst of ${total} regressions` : `All ${total} regressions`
}

/** A verdict, `3/5` for repeats of a verdict, or a mean with at most four significant digits. */
function formatScore(score: RowScore | null): string {
  if (score?.mean == null) return NO_VALUE
  const { count, passes, mean } = score
  if (passes !== null) return count === 1 ? String(passes === 1) : `${passes}/${count}`
  return String(Number(mean.toPrecision(4)))
}

function formatInputs({ inputs }: EvaluationScenario): string {
  const [firstInput] = inputs
  if (inputs.length === 1) return toText(firstInput?.value)
  return inputs.map(({ name, value }) => `${name}: ${toText(value)}`).join(', ')
}

/** The output of the application, or its error message. */
function formatOutput({ outputs }: EvaluationScenario): string {
  const [output] = outputs
  return output?.result.error ? `Error: ${output.result.error.message}` : toText(output?.result.value)
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
