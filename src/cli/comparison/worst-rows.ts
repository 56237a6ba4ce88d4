// Finds the worst regressions of each candidate for a report.
import { toStorableText } from '../../json/storable-text.ts'
import type { ComparedCandidate, Comparison } from '../../schema/comparisons.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import type { ComparisonCache } from '../../store/compare/comparison-cache.ts'
import { JoinedColumns } from '../../store/compare/joined-columns.ts'
import { type JoinedRowQuery, selectJoinedRows } from '../../store/compare/joined-row-selection.ts'
import { readJoinedRows } from '../../store/compare/joined-rows.ts'
import type { Side, Sides } from '../../store/compare/sides.ts'
import { readBodies } from '../../store/reads/bodies.ts'
import type { Connection } from '../../store/store.ts'

/** The worst regressions of a candidate on one evaluator. */
export interface WorstRows {
  candidate: string
  evaluator: string
  /** Number of all regressions. */
  total: number
  rows: WorstRow[]
}

export interface WorstRow {
  /** The id of the scenario in the candidate. */
  id: string
  base_score: string
  score: string
  input: string
  base_output: string
  output: string
}

const MAX_ROWS = 5

/** Uses `selectedEvaluator` if set; otherwise the first whose mean is worse, or the first with any regression. */
export async function findWorstRows(
  connection: Connection,
  [baseline, ...candidates]: Sides,
  comparison: Comparison,
  selectedEvaluator: string | undefined,
  cache: ComparisonCache,
): Promise<WorstRows[]> {
  const worstRowsByCandidate: WorstRows[] = []
  for (const [index, candidate] of candidates.entries()) {
    const evaluator =
      selectedEvaluator ?? firstRegressedEvaluator(comparison.candidates[index] as ComparedCandidate)
    if (evaluator === undefined) continue
    // One join per candidate, because joined rows are classified by their first candidate only.
    const columns = await JoinedColumns.open(connection, [baseline, candidate], comparison.join.by, cache)
    const query: JoinedRowQuery = { show: 'regressed', on: evaluator, filters: [], order: undefined }
    const { rowNumbers } = await selectJoinedRows(columns, query)
    const rows = await readJoinedRows(columns, rowNumbers.subarray(0, MAX_ROWS), evaluator)
    const worstRows: WorstRow[] = []
    for (const { baseline: position, candidates } of rows) {
      const baselineScenario = await readScenario(connection, baseline, position)
      const candidateScenario = await readScenario(connection, candidate, candidates[0]?.position ?? null)
      if (baselineScenario && candidateScenario)
        worstRows.push(toWorstRow(baselineScenario, candidateScenario, evaluator))
    }
    worstRowsByCandidate.push({
      candidate: candidate.info.id,
      evaluator,
      total: rowNumbers.length,
      rows: worstRows,
    })
  }
  return worstRowsByCandidate
}

function firstRegressedEvaluator({ evaluators }: ComparedCandidate): string | undefined {
  const worseEvaluator = evaluators.find(({ outcome }) => outcome === 'worse')
  return (worseEvaluator ?? evaluators.find(({ classes }) => classes.regressed > 0))?.name
}

async function readScenario(
  connection: Connection,
  { key }: Side,
  position: number | null,
): Promise<EvaluationScenario | undefined> {
  if (position === null) return undefined
  for await (const { body } of readBodies(connection, key, Float64Array.of(position))) return JSON.parse(body)
  return undefined
}

function toWorstRow(
  baseline: EvaluationScenario,
  candidate: EvaluationScenario,
  evaluator: string,
): WorstRow {
  return {
    id: candidate.id ?? '',
    base_score: formatScore(baseline, evaluator),
    score: formatScore(candidate, evaluator),
    input: formatInputs(candidate),
    base_output: formatOutput(baseline),
    output: formatOutput(candidate),
  }
}

/** The score with at most four significant digits. */
function formatScore({ results }: EvaluationScenario, evaluator: string): string {
  const value = results.find(({ evaluator_config }) => toStorableText(evaluator_config) === evaluator)?.result
    .value
  return typeof value === 'number' ? String(Number(value.toPrecision(4))) : String(value)
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
