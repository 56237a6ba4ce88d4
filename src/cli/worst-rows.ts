// The rows that got worse most, of each candidate, as a report shows them.
import { storable } from '../json/storable.ts'
import type { ComparedCandidate, Comparison } from '../schema/comparisons.ts'
import type { EvaluationScenario } from '../schema/scenarios.ts'
import type { Side, Sides } from '../store/compared-sides.ts'
import { readJoinedRows } from '../store/comparison-rows.ts'
import { JoinedColumns } from '../store/joined-columns.ts'
import { joinEvaluations } from '../store/joins.ts'
import { KeptComparisons } from '../store/kept-comparisons.ts'
import { readBodies } from '../store/rows.ts'
import { findShownRows, type RowsQuestion } from '../store/shown-rows.ts'
import type { Connection } from '../store/store.ts'

/** The rows of a candidate that got worse most on one evaluator. */
export interface WorstRows {
  candidate: string
  evaluator: string
  /** How many got worse. */
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

const MOST_ROWS = 5

/** On the evaluator that is given; else on the first that is worse, or that at least has such rows. */
export async function findWorstRows(
  connection: Connection,
  [base, ...candidates]: Sides,
  comparison: Comparison,
  on: string | undefined,
): Promise<WorstRows[]> {
  const worst: WorstRows[] = []
  const kept = new KeptComparisons()
  for (const [place, candidate] of candidates.entries()) {
    const evaluator = on ?? firstRegressed(comparison.candidates[place] as ComparedCandidate)
    if (evaluator === undefined) continue
    // Each by itself: the classes of joined rows are those of the first candidate.
    const join = await joinEvaluations(connection, base, [candidate], comparison.join.by)
    const columns = new JoinedColumns(connection, [base, candidate], join, kept)
    const question: RowsQuestion = { show: 'regressed', on: evaluator, filters: [], order: undefined }
    const { places } = await findShownRows(columns, question)
    const rows = await readJoinedRows(columns, places.subarray(0, MOST_ROWS), evaluator)
    const shown: WorstRow[] = []
    for (const { base: position, candidates } of rows) {
      const before = await readScenario(connection, base, position)
      const behind = await readScenario(connection, candidate, candidates[0]?.position ?? null)
      if (before && behind) shown.push(worstRow(before, behind, evaluator))
    }
    worst.push({ candidate: candidate.about.id, evaluator, total: places.length, rows: shown })
  }
  return worst
}

function firstRegressed({ evaluators }: ComparedCandidate): string | undefined {
  const worse = evaluators.find(({ outcome }) => outcome === 'worse')
  return (worse ?? evaluators.find(({ classes }) => classes.regressed > 0))?.name
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

function worstRow(before: EvaluationScenario, behind: EvaluationScenario, evaluator: string): WorstRow {
  return {
    id: behind.id ?? '',
    base_score: scoreOf(before, evaluator),
    score: scoreOf(behind, evaluator),
    input: inputOf(behind),
    base_output: outputOf(before),
    output: outputOf(behind),
  }
}

/** As it was written, with four digits at most that count. */
function scoreOf({ results }: EvaluationScenario, evaluator: string): string {
  const value = results.find(({ evaluator_config }) => storable(evaluator_config) === evaluator)?.result.value
  return typeof value === 'number' ? String(Number(value.toPrecision(4))) : String(value)
}

function inputOf({ inputs }: EvaluationScenario): string {
  const [first] = inputs
  if (inputs.length === 1) return textOf(first?.value)
  return inputs.map(({ name, value }) => `${name}: ${textOf(value)}`).join(', ')
}

/** What the application said, or why it could not. */
function outputOf({ outputs }: EvaluationScenario): string {
  const [first] = outputs
  return first?.result.error ? `Error: ${first.result.error.message}` : textOf(first?.result.value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
