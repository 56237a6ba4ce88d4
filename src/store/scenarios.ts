// The scenarios of an evaluation: read as stored text, appended with what is derived from them, marked.
import { Problem } from '../errors.ts'
import { memberTexts } from '../json/slices.ts'
import { mintVersion } from '../schema/ids.ts'
import type { Appended, EvaluationScenario, ScenarioPatch } from '../schema/scenarios.ts'
import type { Written } from '../schema/written.ts'
import { MEASURE_COLUMNS, RESULT_COLUMNS, type ScenarioColumns, searchTextOf } from './derived.ts'
import type { Connection, Transaction } from './dialect/dialect.ts'
import type { ElementTable } from './elements.ts'
import { changedBody, type ScenarioRow } from './scenario-rows.ts'

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

/** What is to become of a scenario whose id is there with other content. May throw to give up all of it. */
export type OnTaken = (row: ScenarioRow) => void

/**
 * Adds scenarios behind those that are there. One whose id is there with the same content changes nothing. If
 * any was added the evaluation answers with a new version afterwards.
 */
export async function appendScenarios(
  transaction: Transaction,
  evaluation: number,
  batches: AsyncIterable<ScenarioRow[]> | Iterable<ScenarioRow[]>,
  onTaken: OnTaken = refuseTaken,
): Promise<Appended> {
  const last = await transaction.get<{ position: number | null }>(
    'SELECT max(position) AS position FROM scenario WHERE evaluation = ?',
    evaluation,
  )
  const columns = await getScenarioColumns(transaction, evaluation)
  const known = {
    input: new Set(columns.input),
    expected: new Set(columns.expected),
    score: new Set(columns.score),
  }
  const appended = { accepted: 0, unchanged: 0 }
  let next = (last?.position ?? -1) + 1
  let bytes = 0
  let derived: Promise<void> = Promise.resolve()
  for await (const batch of batches) {
    const placed = batch.map((row, index) => ({ ...row, position: next + index }))
    next += batch.length
    const added = await addNew(transaction, evaluation, placed, appended, onTaken)
    await addColumns(transaction, evaluation, known, added)
    for (const { body } of added) bytes += typeof body === 'string' ? Buffer.byteLength(body) : body.length
    // Goes in while the next batch is being read.
    await derived
    derived = addDerived(transaction, evaluation, added)
    derived.catch(() => undefined)
  }
  await derived
  if (appended.accepted > 0) await noteChange(transaction, evaluation, appended.accepted, bytes)
  return appended
}

/** After every change of what an evaluation answers. */
async function noteChange(
  transaction: Transaction,
  evaluation: number,
  count: number,
  bytes: number,
): Promise<void> {
  await transaction.run(
    `UPDATE evaluation SET version = ?, scenario_count = scenario_count + ?, body_bytes = body_bytes + ?
     WHERE key = ?`,
    mintVersion(),
    count,
    bytes,
    evaluation,
  )
}

function refuseTaken({ id, place }: ScenarioRow): never {
  const where = place ? ` (record ${place.index + 1}, line ${place.line})` : ''
  throw new Problem(
    'conflict',
    `The scenario '${id}'${where} is there already with other content. Nothing was stored; give it another id, or leave it out.`,
  )
}

type PlacedRow = ScenarioRow & { position: number }

const ADD_SCENARIO = (text: string) => `INSERT INTO scenario (evaluation, position, id, body, extra, digest)
  VALUES (?, ?, ?, ${text}, ${text}, ?) ON CONFLICT (evaluation, id) DO NOTHING`

/** Returns those that were not there; those that were are counted, or handed to `onTaken`. */
async function addNew(
  transaction: Transaction,
  evaluation: number,
  rows: PlacedRow[],
  appended: Appended,
  onTaken: OnTaken,
): Promise<PlacedRow[]> {
  const count = await transaction.runMany(
    ADD_SCENARIO(transaction.sql.text),
    rows.map(({ position, id, body, extra, digest }) => [evaluation, position, id, body, extra, digest]),
  )
  appended.accepted += count
  if (count === rows.length) return rows
  const there = await findScenarios(transaction, evaluation, rows)
  const added: PlacedRow[] = []
  for (const row of rows) {
    const stored = there.get(row.id)
    if (stored?.position === row.position) added.push(row)
    else if (stored && Buffer.compare(stored.digest, row.digest) === 0) appended.unchanged += 1
    else onTaken(row)
  }
  return added
}

const AT_ONCE = 50
export const FIND_SCENARIOS = `SELECT id, position, digest FROM scenario
  WHERE evaluation = ? AND id IN (${Array(AT_ONCE).fill('?').join(', ')})`

interface StoredScenario {
  id: string
  position: number
  digest: Uint8Array
}

async function findScenarios(
  connection: Connection,
  evaluation: number,
  rows: ScenarioRow[],
): Promise<Map<string, StoredScenario>> {
  const there = new Map<string, StoredScenario>()
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const ids = rows.slice(at, at + AT_ONCE).map(({ id }) => id)
    // One statement for any number: the last id stands in for those that are missing.
    const padded = ids.concat(Array(AT_ONCE - ids.length).fill(ids.at(-1)))
    const found = await connection.all<StoredScenario>(FIND_SCENARIOS, evaluation, ...padded)
    for (const scenario of found) there.set(scenario.id, scenario)
  }
  return there
}

const ADD_SEARCH = (text: string) => `INSERT INTO search (evaluation, position, text) VALUES (?, ?, ${text})`
const ADD_MEASURE = `INSERT INTO measure (evaluation, position, ${MEASURE_COLUMNS.join(', ')})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
const ADD_RESULT = (
  text: string,
) => `INSERT INTO result (evaluation, position, ordinal, ${RESULT_COLUMNS.join(', ')})
  VALUES (?, ?, ?, ${text}, ${text}, ?, ${text}, ?)`

async function addDerived(transaction: Transaction, evaluation: number, rows: PlacedRow[]): Promise<void> {
  const results = rows.flatMap(({ position, results }) =>
    results.map((values, ordinal) => [evaluation, position, ordinal, ...values]),
  )
  await Promise.all([
    transaction.runMany(
      ADD_SEARCH(transaction.sql.text),
      rows.map(({ position, search }) => [evaluation, position, search]),
    ),
    transaction.runMany(
      ADD_MEASURE,
      rows.map(({ position, measure }) => [evaluation, position, ...measure]),
    ),
    transaction.runMany(ADD_RESULT(transaction.sql.text), results),
  ])
}

/** Notes the names that these scenarios are the first to have, in `known` and in the store. */
async function addColumns(
  transaction: Transaction,
  evaluation: number,
  known: Record<keyof ScenarioColumns, Set<string>>,
  rows: ScenarioRow[],
): Promise<void> {
  const fresh: [number, string, number, string][] = []
  for (const names of new Set(rows.map(({ names }) => names))) {
    for (const kind of ['input', 'expected', 'score'] as const) {
      for (const name of names[kind]) {
        if (known[kind].has(name)) continue
        fresh.push([evaluation, kind, known[kind].size, name])
        known[kind].add(name)
      }
    }
  }
  if (fresh.length === 0) return
  await transaction.runMany(
    'INSERT INTO evaluation_column (evaluation, kind, ordinal, name) VALUES (?, ?, ?, ?)',
    fresh,
  )
}

export const FIND_SCENARIO = 'SELECT position, body FROM scenario WHERE evaluation = ? AND id = ?'

/** Sets or clears the pin and the note, and returns the scenario's text. Throws scenario-not-found. */
export async function markScenario(
  transaction: Transaction,
  evaluation: number,
  id: string,
  { texts }: Written<ScenarioPatch>,
): Promise<string> {
  const stored = await transaction.get<{ position: number; body: string }>(FIND_SCENARIO, evaluation, id)
  if (!stored) {
    throw new Problem('scenario-not-found', `This evaluation has no scenario with the id '${id}'.`)
  }
  const body = changedBody(memberTexts(stored.body), Object.fromEntries(texts))
  if (body === stored.body) return body
  const scenario = JSON.parse(body) as EvaluationScenario
  const place = [evaluation, stored.position]
  await transaction.run('UPDATE scenario SET body = ? WHERE evaluation = ? AND position = ?', body, ...place)
  await transaction.run(
    'UPDATE measure SET is_pinned = ?, has_note = ? WHERE evaluation = ? AND position = ?',
    Number(scenario.is_pinned === true),
    Number(scenario.note !== null),
    ...place,
  )
  await transaction.run(
    'UPDATE search SET text = ? WHERE evaluation = ? AND position = ?',
    searchTextOf(scenario),
    ...place,
  )
  await noteChange(transaction, evaluation, 0, Buffer.byteLength(body) - Buffer.byteLength(stored.body))
  return body
}
