// The scenarios of an evaluation: read as stored text, appended with what is derived from them.
import { createHash } from 'node:crypto'
import { mintVersion } from '../schema/ids.ts'
import type { EvaluationScenario } from '../schema/scenarios.ts'
import { measureOf, resultsOf, searchTextOf } from './derived.ts'
import type { Connection, Transaction } from './dialect/dialect.ts'
import type { ElementTable } from './elements.ts'

export const SCENARIOS: ElementTable = {
  table: 'scenario',
  owner: 'evaluation',
  position: 'position',
  element: 'body',
}

/** The same with `extra` spliced in as the last member: a body is an object and ends with its brace. */
export const SCENARIOS_WITH_EXTRA: ElementTable = {
  ...SCENARIOS,
  element: `substr(body, 1, length(body) - 1) || ',"extra":' || coalesce(extra, 'null') || '}'`,
}

/** The names of the inputs, answers and evaluators there are, each kind in order of first appearance. */
export type ScenarioColumns = Record<'input' | 'expected' | 'score', string[]>

export const SCENARIO_COLUMNS =
  'SELECT kind, name FROM evaluation_column WHERE evaluation = ? ORDER BY kind, ordinal'

export async function getScenarioColumns(
  connection: Connection,
  evaluation: number,
): Promise<ScenarioColumns> {
  const rows = await connection.all<{ kind: keyof ScenarioColumns; name: string }>(
    SCENARIO_COLUMNS,
    evaluation,
  )
  const columns: ScenarioColumns = { input: [], expected: [], score: [] }
  for (const { kind, name } of rows) columns[kind].push(name)
  return columns
}

/** Adds scenarios behind those that are there. The evaluation answers with a new version afterwards. */
export async function appendScenarios(
  transaction: Transaction,
  evaluation: number,
  scenarios: Iterable<EvaluationScenario>,
): Promise<void> {
  const last = await transaction.get<{ position: number | null }>(
    'SELECT max(position) AS position FROM scenario WHERE evaluation = ?',
    evaluation,
  )
  const columns = await getScenarioColumns(transaction, evaluation)
  let position = last?.position ?? -1
  let count = 0
  let bytes = 0
  for (const scenario of scenarios) {
    position += 1
    count += 1
    bytes += await addScenario(transaction, evaluation, position, scenario)
    await addColumns(transaction, evaluation, columns, scenario)
  }
  await transaction.run(
    `UPDATE evaluation SET version = ?, scenario_count = scenario_count + ?, body_bytes = body_bytes + ?
     WHERE key = ?`,
    mintVersion(),
    count,
    bytes,
    evaluation,
  )
}

/** Returns the length of the body. */
async function addScenario(
  transaction: Transaction,
  evaluation: number,
  position: number,
  { extra, ...scenario }: EvaluationScenario,
): Promise<number> {
  const body = JSON.stringify(scenario)
  const extraText = extra == null ? null : JSON.stringify(extra)
  await transaction.run(
    'INSERT INTO scenario (evaluation, position, id, body, extra, digest) VALUES (?, ?, ?, ?, ?, ?)',
    evaluation,
    position,
    scenario.id,
    body,
    extraText,
    digest(JSON.stringify({ ...scenario, is_pinned: null, note: null }), extraText),
  )
  await transaction.run(
    'INSERT INTO search (evaluation, position, text) VALUES (?, ?, ?)',
    evaluation,
    position,
    searchTextOf(scenario),
  )
  const { input_hash, cost, latency, has_error } = measureOf(scenario)
  await transaction.run(
    `INSERT INTO measure (evaluation, position, input_hash, cost, latency, has_error, is_pinned, has_note)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    evaluation,
    position,
    input_hash,
    cost,
    latency,
    Number(has_error),
    Number(scenario.is_pinned === true),
    Number(scenario.note !== null),
  )
  for (const [ordinal, result] of resultsOf(scenario).entries()) {
    await transaction.run(
      `INSERT INTO result (evaluation, position, ordinal, evaluator, type, number, text, is_error)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      evaluation,
      position,
      ordinal,
      result.evaluator,
      result.type,
      result.number,
      result.text,
      Number(result.is_error),
    )
  }
  return Buffer.byteLength(body)
}

/** Notes the names a scenario is the first to have, in `columns` and in the store. */
async function addColumns(
  transaction: Transaction,
  evaluation: number,
  columns: ScenarioColumns,
  scenario: EvaluationScenario,
): Promise<void> {
  const names: ScenarioColumns = {
    input: scenario.inputs.map(({ name }) => name),
    expected: (scenario.correct_answers ?? []).map(({ key }) => key),
    score: scenario.results.map(({ evaluator_config }) => evaluator_config),
  }
  for (const kind of ['input', 'expected', 'score'] as const) {
    for (const name of names[kind]) {
      if (columns[kind].includes(name)) continue
      await transaction.run(
        'INSERT INTO evaluation_column (evaluation, kind, ordinal, name) VALUES (?, ?, ?, ?)',
        evaluation,
        kind,
        columns[kind].length,
        name,
      )
      columns[kind].push(name)
    }
  }
}

/** Tells whether a record comes again: of what was first written, without pin and note. */
function digest(body: string, extra: string | null): Uint8Array {
  return createHash('sha256')
    .update(body)
    .update('\n')
    .update(extra ?? '')
    .digest()
}
