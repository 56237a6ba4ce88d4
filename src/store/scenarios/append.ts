// Appends scenarios to an evaluation and writes the tables that are derived from them.
import { Problem } from '../../errors.ts'
import type { Appended } from '../../schema/scenarios.ts'
import type { Connection, Transaction, Value } from '../dialect/dialect.ts'
import { inLists } from '../reads/in-list.ts'
import { INPUT_COLUMNS, MEASURE_COLUMNS, RESULT_COLUMNS, type ScenarioColumns } from './derived-columns.ts'
import type { ScenarioRow } from './row.ts'
import { getLastPosition, getScenarioColumns, recordContentChange } from './scenarios.ts'

/**
 * Called for a scenario whose id already exists with different content. `isFromThisUpload`: this appender stored it.
 * Can throw to cancel the whole upload.
 */
export type OnIdConflict = (row: ScenarioRow, isFromThisUpload: boolean) => void

/** Appends scenarios to the end of an evaluation, batch by batch. */
export class ScenarioAppender {
  readonly #transaction: Transaction
  readonly #evaluation: number
  readonly #onIdConflict: OnIdConflict
  readonly #ordinals: ColumnOrdinals
  /** First position of this upload if identical duplicates within it are conflicts, otherwise infinity. */
  readonly #firstUniquePosition: number
  readonly #counts: Appended = { accepted: 0, unchanged: 0 }
  #nextPosition: number
  #addedBytes = 0
  #pendingDerived: Promise<void> = Promise.resolve()

  private constructor(
    transaction: Transaction,
    evaluation: number,
    onIdConflict: OnIdConflict,
    columns: ScenarioColumns,
    nextPosition: number,
    rejectsDuplicates: boolean,
  ) {
    this.#transaction = transaction
    this.#evaluation = evaluation
    this.#onIdConflict = onIdConflict
    this.#ordinals = toColumnOrdinals(columns)
    this.#nextPosition = nextPosition
    this.#firstUniquePosition = rejectsDuplicates ? nextPosition : Number.POSITIVE_INFINITY
  }

  static async begin(
    transaction: Transaction,
    evaluation: number,
    onIdConflict: OnIdConflict = rejectConflict,
    rejectsDuplicates = false,
  ): Promise<ScenarioAppender> {
    const nextPosition = (await getLastPosition(transaction, evaluation)) + 1
    const columns = await getScenarioColumns(transaction, evaluation)
    return new ScenarioAppender(
      transaction,
      evaluation,
      onIdConflict,
      columns,
      nextPosition,
      rejectsDuplicates,
    )
  }

  /** A scenario that already exists with the same content is counted as unchanged. */
  async add(batch: ScenarioRow[]): Promise<void> {
    const rows = batch.map((row, index) => ({ ...row, position: this.#nextPosition + index }))
    this.#nextPosition += batch.length
    const insertedRows = await this.#insertNew(rows)
    await insertNewColumns(this.#transaction, this.#evaluation, this.#ordinals, insertedRows)
    for (const { body } of insertedRows)
      this.#addedBytes += typeof body === 'string' ? Buffer.byteLength(body) : body.length
    // The derived rows are written while the next batch is prepared.
    await this.#pendingDerived
    this.#pendingDerived = insertDerived(this.#transaction, this.#evaluation, this.#ordinals, insertedRows)
    this.#pendingDerived.catch(() => undefined)
  }

  async #insertNew(rows: PositionedRow[]): Promise<PositionedRow[]> {
    try {
      return await insertNew(this.#transaction, this.#evaluation, rows, {
        counts: this.#counts,
        onIdConflict: this.#onIdConflict,
        firstUniquePosition: this.#firstUniquePosition,
      })
    } catch (error) {
      // If the previous batch failed, report its error: it is the cause.
      await this.#pendingDerived
      throw error
    }
  }

  /** Gives the evaluation a new version if any scenario was added. */
  async finish(): Promise<Appended> {
    await this.#pendingDerived
    const { accepted } = this.#counts
    if (accepted > 0)
      await recordContentChange(this.#transaction, this.#evaluation, accepted, this.#addedBytes)
    return this.#counts
  }
}

export async function appendScenarios(
  transaction: Transaction,
  evaluation: number,
  batches: AsyncIterable<ScenarioRow[]> | Iterable<ScenarioRow[]>,
): Promise<Appended> {
  const appender = await ScenarioAppender.begin(transaction, evaluation)
  for await (const batch of batches) await appender.add(batch)
  return appender.finish()
}

function rejectConflict({ id, location }: ScenarioRow): never {
  const position = location ? ` (record ${location.index + 1}, line ${location.line})` : ''
  throw new Problem(
    'conflict',
    `The scenario '${id}'${position} already exists with different content, so nothing was stored. Give it another id or leave it out.`,
  )
}

export type PositionedRow = ScenarioRow & { position: number }

const INSERT_SCENARIO = (
  text: string,
) => `INSERT INTO scenario (evaluation, position, id, body, extra, digest)
  VALUES (?, ?, ?, ${text}, ${text}, ?) ON CONFLICT (evaluation, id) DO NOTHING`

/** Returns the inserted rows. Existing rows are counted as unchanged or passed to `onIdConflict`. */
async function insertNew(
  transaction: Transaction,
  evaluation: number,
  rows: PositionedRow[],
  {
    counts,
    onIdConflict,
    firstUniquePosition,
  }: { counts: Appended; onIdConflict: OnIdConflict; firstUniquePosition: number },
): Promise<PositionedRow[]> {
  const insertedCount = await transaction.runMany([
    INSERT_SCENARIO(transaction.sql.text),
    rows.map(({ position, id, body, extra, digest }) => [evaluation, position, id, body, extra, digest]),
  ])
  counts.accepted += insertedCount
  if (insertedCount === rows.length) return rows
  const storedScenarios = await findScenarios(transaction, evaluation, rows)
  const insertedRows: PositionedRow[] = []
  for (const row of rows) {
    const stored = storedScenarios.get(row.id)
    const isFromThisUpload = stored !== undefined && stored.position >= firstUniquePosition
    if (stored?.position === row.position) insertedRows.push(row)
    else if (!isFromThisUpload && stored && Buffer.compare(stored.digest, row.digest) === 0)
      counts.unchanged += 1
    else onIdConflict(row, isFromThisUpload)
  }
  return insertedRows
}

export const FIND_SCENARIOS = (placeholders: string) =>
  `SELECT id, position, digest FROM scenario WHERE evaluation = ? AND id IN (${placeholders})`

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
  const scenarios = new Map<string, StoredScenario>()
  const ids = rows.map(({ id }) => id)
  for (const { placeholders, values } of inLists(ids, 1000)) {
    const batch = await connection.all<StoredScenario>(FIND_SCENARIOS(placeholders), evaluation, ...values)
    for (const scenario of batch) scenarios.set(scenario.id, scenario)
  }
  return scenarios
}

/** The ordinal of each column name, by kind. */
type ColumnOrdinals = Record<keyof ScenarioColumns, Map<string, number>>

export function toColumnOrdinals({ input, expected, score }: ScenarioColumns): ColumnOrdinals {
  const toOrdinals = (names: string[]) => new Map(names.map((name, ordinal) => [name, ordinal]))
  return { input: toOrdinals(input), expected: toOrdinals(expected), score: toOrdinals(score) }
}

const INSERT_SEARCH = (text: string) =>
  `INSERT INTO search (evaluation, position, text) VALUES (?, ?, ${text})`
const INSERT_MEASURE = insertInto('measure', ['evaluation', 'position', ...MEASURE_COLUMNS])
const INSERT_RESULT = insertInto('result', ['evaluation', 'position', 'evaluator', ...RESULT_COLUMNS])
const INSERT_INPUT = insertInto('input', ['evaluation', 'position', 'input', ...INPUT_COLUMNS])

function insertInto(table: string, columns: string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}

/** Writes the derived tables for stored scenarios whose column names are already in `ordinals`. */
export async function insertDerived(
  transaction: Transaction,
  evaluation: number,
  ordinals: ColumnOrdinals,
  rows: PositionedRow[],
): Promise<void> {
  const withOrdinals = (lists: Value[][], position: number, byName: Map<string, number>) =>
    lists.map(([name, ...values]) => [evaluation, position, byName.get(String(name)) ?? null, ...values])
  await transaction.runMany(
    [INSERT_SEARCH(transaction.sql.text), rows.map(({ position, search }) => [evaluation, position, search])],
    [INSERT_MEASURE, rows.map(({ position, measure }) => [evaluation, position, ...measure])],
    [INSERT_RESULT, rows.flatMap(({ position, results }) => withOrdinals(results, position, ordinals.score))],
    [INSERT_INPUT, rows.flatMap(({ position, inputs }) => withOrdinals(inputs, position, ordinals.input))],
  )
}

/** Adds new column names to `ordinals` and to the database. */
async function insertNewColumns(
  transaction: Transaction,
  evaluation: number,
  ordinals: ColumnOrdinals,
  rows: ScenarioRow[],
): Promise<void> {
  const newColumns: [number, string, number, string][] = []
  for (const names of new Set(rows.map(({ names }) => names))) {
    for (const kind of ['input', 'expected', 'score'] as const) {
      for (const name of names[kind]) {
        if (ordinals[kind].has(name)) continue
        newColumns.push([evaluation, kind, ordinals[kind].size, name])
        ordinals[kind].set(name, ordinals[kind].size)
      }
    }
  }
  if (newColumns.length === 0) return
  await transaction.runMany([
    'INSERT INTO evaluation_column (evaluation, kind, ordinal, name) VALUES (?, ?, ?, ?)',
    newColumns,
  ])
}
