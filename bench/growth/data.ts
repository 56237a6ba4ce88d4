// Fills stores of different sizes for growth.ts: the same few evaluations in each, and others that make the store large.
import { parsedValue } from '../../src/schema/validation/parsed-value.ts'
import { ensureProject } from '../../src/store/access/projects.ts'
import type { Transaction } from '../../src/store/dialect/dialect.ts'
import { getDeclaredEvaluators } from '../../src/store/evaluations/evaluators.ts'
import { ScoreStatistics } from '../../src/store/evaluations/score-statistics.ts'
import { storeStatistics } from '../../src/store/evaluations/stored-scores.ts'
import { getScenarioColumns, parseBody } from '../../src/store/scenarios/columns.ts'
import { scenarioScores } from '../../src/store/scenarios/row.ts'
import type { Store } from '../../src/store/store.ts'
import { addRevision } from '../../src/store/variants/revisions.ts'
import { createVariant } from '../../src/store/variants/variants.ts'
import { addLargeEvaluation } from '../data.ts'

/** A store with many evaluations of a few scenarios, or with one large evaluation. */
export interface StoreSize {
  evaluations: number
  /** Scenarios per evaluation. */
  scenarios: number
}

/** The evaluations that every store contains: their requests have the same responses in stores of any size. */
export const SAME = { id: 'same', previous: 'same-previous', variant: 'same', tag: 'release', source: 'same' }
export const LARGE = 'run-0'

const SAME_SCENARIOS = 1000
const SAME_EVALUATIONS = 20
const REVISIONS = 10
const EVALUATIONS_PER_VARIANT = 10
const MINUTE_MS = 60_000
const FIRST_TIME = Date.parse('2022-01-01T00:00:00.000Z')
/** Evaluations without scenarios per transaction. */
const INSERT_SIZE = 50_000

/** Times increase with the number, one minute apart. */
export function timeOf(number: number): string {
  return new Date(FIRST_TIME + number * MINUTE_MS).toISOString()
}

/** Adds what is missing. An interrupted call can be repeated. */
export async function fillStore(
  store: Store,
  size: StoreSize,
  engine: 'SQLite' | 'PostgreSQL',
): Promise<void> {
  if ((await countScenarios(store, SAME.id)) < SAME_SCENARIOS) await addSame(store, size.evaluations)
  const blobType = engine === 'SQLite' ? 'BLOB' : 'bytea'
  const existing = await store.reader.get<{ count: number }>(
    `SELECT count(*) AS count FROM evaluation WHERE id LIKE 'run-%'`,
  )
  for (let start = existing?.count ?? 0; start < size.evaluations; ) {
    const end = size.scenarios === 0 ? Math.min(start + INSERT_SIZE, size.evaluations) : start + 1
    await store.writer.transaction(async (transaction) => {
      await insertEvaluations(transaction, start, end)
      if (size.scenarios > 0) await copyScenarios(transaction, `run-${start}`, size.scenarios, blobType)
    })
    start = end
  }
}

/** Evaluations in the middle of the list, so that a list that is read in order from either end finds them late. */
async function addSame(store: Store, evaluations: number): Promise<void> {
  await addVariant(store, SAME.variant, REVISIONS)
  for (let number = SAME_EVALUATIONS - 1; number >= 0; number -= 1) {
    const isLarge = number < 2
    await addLargeEvaluation(store, isLarge ? SAME_SCENARIOS : 10, {
      id: [SAME.id, SAME.previous][number] ?? `same-${number}`,
      name: `Same ${number}`,
      seed: number,
      variant_id: SAME.variant,
      revision: 1 + (number % REVISIONS),
      source: SAME.source,
      status: isLarge ? 'running' : 'finished',
      tags: isLarge ? ['nightly', SAME.tag] : [],
      created_at: timeOf(Math.floor(evaluations / 2)),
    })
  }
}

async function countScenarios({ reader }: Store, id: string): Promise<number> {
  const statement = 'SELECT scenario_count FROM evaluation WHERE id = ?'
  return (await reader.get<{ scenario_count: number }>(statement, id))?.scenario_count ?? 0
}

export async function addVariant({ writer }: Store, id: string, revisions: number): Promise<void> {
  await writer.transaction(async (transaction) => {
    const project = await ensureProject(transaction, 'default')
    const key = await createVariant(transaction, project, parsedValue({ id, name: `Variant ${id}` }))
    for (let revision = 1; revision <= revisions; revision += 1)
      await addRevision(
        transaction,
        key,
        parsedValue({
          revision,
          modified_by: 'bench',
          config: { config_name: 'default', parameters: { temperature: revision } },
        }),
      )
  })
}

/** Inserts evaluations without scenarios, with their variants and their entries in the change log. */
async function insertEvaluations(transaction: Transaction, start: number, end: number): Promise<void> {
  const project = await ensureProject(transaction, 'default')
  const last = await transaction.get<{ sequence: number }>(
    'SELECT coalesce(max(sequence), 0) AS sequence FROM change WHERE project = ?',
    project,
  )
  const rows = Array.from({ length: end - start }, (_, index) => {
    const number = start + index
    const variant = `variant-${Math.floor(number / EVALUATIONS_PER_VARIANT)}`
    return { number, id: `run-${number}`, time: timeOf(number), variant }
  })
  const now = new Date().toISOString()
  const variants = rows.filter(({ number }) => number % EVALUATIONS_PER_VARIANT === 0)
  await transaction.runMany(
    [
      `INSERT INTO evaluation (project, id, name, variant_id, revision, source, tags, created_at, updated_at, version)
       VALUES (?, ?, ?, ?, 1, 'bench', ?, ?, ?, ?)`,
      rows.map(({ number, id, time, variant }) => [
        project,
        id,
        `Run ${number}`,
        variant,
        number % 2 === 0 ? '[]' : '["nightly"]',
        time,
        time,
        `version-${number}`,
      ]),
    ],
    [
      `INSERT INTO change (project, sequence, token, time, action, subject, version)
       VALUES (?, ?, 'token', ?, 'evaluation.created', ?, ?)`,
      rows.map(({ number, id }, index) => [
        project,
        (last?.sequence ?? 0) + 1 + index,
        now,
        id,
        `version-${number}`,
      ]),
    ],
    [
      `INSERT INTO variant (project, id, name, created_at, updated_at, version) VALUES (?, ?, ?, ?, ?, ?)`,
      variants.map(({ variant, time, number }) => [
        project,
        variant,
        `Variant ${variant}`,
        time,
        time,
        `version-${number}`,
      ]),
    ],
  )
}

/** Columns whose copies differ. `PREFIX` makes the hashes of inputs different in each copy, as inputs usually are. */
const CHANGED_COLUMNS: Record<string, string> = {
  position: 'position + OFFSET',
  id: `'scenario-' || (position + OFFSET)`,
  body: `replace(replace(body, '"id":"' || id || '"', '"id":"scenario-' || (position + OFFSET) || '"'),
    '"evaluation_id":"${SAME.id}"', '"evaluation_id":"ID"')`,
  input_hash: 'CAST(PREFIX || substr(input_hash, 9) AS BLOB)',
  input_text_hash: 'CAST(PREFIX || substr(input_text_hash, 9) AS BLOB)',
  hash: 'CAST(PREFIX || substr(hash, 9) AS BLOB)',
  text_hash: 'CAST(PREFIX || substr(text_hash, 9) AS BLOB)',
}

const COPIED_TABLES: Record<string, string> = {
  scenario: 'position, id, body, extra, digest',
  search: 'position, text',
  measure:
    'position, input_hash, input_text_hash, expected_hash, output_hash, cost, latency, has_error, error_group, is_pinned, has_note',
  result: 'evaluator, position, type, number, text, is_verdict, is_error, error_group',
  input: 'input, position, hash, text_hash',
}

/** Copies the scenarios of an evaluation repeatedly. That is much faster than writing them as a client. */
async function copyScenarios(
  transaction: Transaction,
  id: string,
  count: number,
  blobType: string,
): Promise<void> {
  const from = await getKey(transaction, SAME.id)
  const to = await getKey(transaction, id)
  for (let offset = 0; offset < count; offset += SAME_SCENARIOS) {
    const prefix = new Uint8Array(8)
    new DataView(prefix.buffer).setUint32(4, offset)
    for (const [table, columns] of Object.entries(COPIED_TABLES)) {
      if (table === 'search' && !transaction.sql.storesSearchText) continue
      const values = columns
        .split(', ')
        .map((column) => CHANGED_COLUMNS[column] ?? column)
        .join(', ')
        .replaceAll('OFFSET', `${offset}`)
        .replaceAll('ID', id)
        .replaceAll('BLOB', blobType)
      const prefixes = Array.from(values.matchAll(/PREFIX/g), () => prefix)
      await transaction.run(
        `INSERT INTO ${table} (evaluation, ${columns}) SELECT ${to}, ${values.replaceAll('PREFIX', '?')}
         FROM ${table} WHERE evaluation = ${from} AND position < ${SAME_SCENARIOS}`,
        ...prefixes,
      )
    }
  }
  await transaction.run(`INSERT INTO evaluation_column (evaluation, kind, ordinal, name, row_count)
    SELECT ${to}, kind, ordinal, name, ${count} FROM evaluation_column WHERE evaluation = ${from}`)
  await transaction.run(`UPDATE evaluation SET scenario_count = ${count}, next_position = ${count},
    body_bytes = (SELECT sum(octet_length(body)) FROM scenario WHERE evaluation = ${to}) WHERE key = ${to}`)
  await storeScores(transaction, { from, to, count })
}

/** The scores of an evaluation whose scenarios are copies of those of another one. */
async function storeScores(
  transaction: Transaction,
  { from, to, count }: { from: number; to: number; count: number },
): Promise<void> {
  const rows = await transaction.all<{ body: string }>(
    'SELECT body FROM scenario WHERE evaluation = ? AND position < ?',
    from,
    SAME_SCENARIOS,
  )
  const scores = rows.map(({ body }) => scenarioScores(parseBody(body)))
  const statistics = new ScoreStatistics(await getDeclaredEvaluators(transaction, to))
  for (let number = 0; number < count; number += 1) {
    const row = scores[number % scores.length]
    if (row) statistics.addRow(row)
  }
  statistics.orderEvaluators((await getScenarioColumns(transaction, to)).score)
  await storeStatistics(transaction, to, statistics)
}

async function getKey(transaction: Transaction, id: string): Promise<number> {
  const row = await transaction.get<{ key: number }>('SELECT key FROM evaluation WHERE id = ?', id)
  if (!row) throw new Error(`The evaluation ${id} does not exist`)
  return row.key
}
