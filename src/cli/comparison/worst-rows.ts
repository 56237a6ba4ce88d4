// Finds the worst regressions of each candidate for a report.
import type { ComparedCandidate, RowScore } from '../../schema/comparisons.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import { NO_VALUE } from '../output/statistics.ts'
import type { OpenComparison, Regression } from '../target/target.ts'

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

const MAX_ROWS = 5

/** Uses the first evaluator whose mean is worse, or the first with any regression: of `selectedEvaluators` if set. */
export async function findWorstRows(
  { comparison, findRegressions }: OpenComparison,
  selectedEvaluators: string[] | undefined,
): Promise<WorstRows[]> {
  const worstRowsByCandidate: WorstRows[] = []
  for (const [index, candidate] of comparison.candidates.entries()) {
    const evaluator = firstRegressedEvaluator(candidate, selectedEvaluators)
    if (evaluator === undefined) continue
    const { total, rows: regressions } = await findRegressions(index, evaluator, MAX_ROWS)
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
