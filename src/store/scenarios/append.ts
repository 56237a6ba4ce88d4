// Appends scenarios to an evaluation and writes the tables that are derived from them.
import { Problem } from '../../errors.ts'
import type { Appended } from '../../schema/scenarios.ts'
import type { Batch, Connection, EngineTransaction, Transaction } from '../dialect/dialect.ts'
import { insertStatement } from '../dialect/insert.ts'
import { inLists } from '../reads/in-list.ts'
import { MEASURE_COLUMNS, NAMED_TABLES, type ScenarioColumns } from './derived-columns.ts'
import type { ScenarioRow } from './row.ts'
import { getLastPosition, getScenarioColumns, recordContentChange } from './scenarios.ts'

/**
 * Called for a scenario whose id already exists with different content. `isFromThisUpload`: this appender stored it.
 * Can throw to cancel the whole upload.
 */
export type OnIdConflict = (row: ScenarioRow, isFromThisUpload: boolean) => void

export interface AppendOptions {
  /** By default, a conflict cancels the upload. */
  onIdConflict?: OnIdConflict
  /** Whether identical duplicates within the upload are conflicts. */
  rejectsDuplicates?: boolean | undefined
}

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
    columns: ScenarioColumns,
    nextPosition: number,
    { onIdConflict = rejectConflict, rejectsDuplicates = false }: AppendOptions,
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
    options: AppendOptions = {},
  ): Promise<ScenarioAppender> {
    const nextPosition = (await getLastPosition(transaction, evaluation)) + 1
    const columns = await getScenarioColumns(transaction, evaluation)
    return new ScenarioAppender(transaction, evaluation, columns, nextPosition, options)
  }

  /** A scenario that already exists with the same content is counted as unchanged. */
  async add(batch: ScenarioRow[]): Promise<void> {
    const rows = batch.map((row, index) => ({ ...row, position: this.#nextPosition + index }))
    this.#nextPosition += batch.length
    const insertedRows = await this.#insertNew(rows).catch(async (error) => {
      // If the previous batch failed, report its error: it is the cause.
      await this.#pendingDerived
      throw error
    })
    await insertGeneratedIds(this.#transaction, this.#evaluation, insertedRows)
    await insertNewColumns(this.#transaction, this.#evaluation, this.#ordinals, insertedRows)
    for (const { body } of insertedRows)
      this.#addedBytes += typeof body === 'string' ? Buffer.byteLength(body) : body.length
    // The derived rows are written while the next batch is prepared.
    await this.#pendingDerived
    this.#pendingDerived = insertDerived(this.#transaction, this.#evaluation, this.#ordinals, insertedRows)
    this.#pendingDerived.catch(() => undefined)
  }

  /** Returns the inserted rows. Existing rows are counted as unchanged or passed to `onIdConflict`. */
  async #insertNew(rows: PositionedRow[]): Promise<PositionedRow[]> {
    const insertedCount = await this.#transaction.runMany([
      INSERT_SCENARIO(this.#transaction.sql.text),
      rows.map(({ position, id, body, extra, digest }) => [
        this.#evaluation,
        position,
        id,
        body,
        extra,
        digest,
      ]),
    ])
    this.#counts.accepted += insertedCount
    if (insertedCount === rows.length) return rows
    const storedScenarios = await findScenarios(this.#transaction, this.#evaluation, rows)
    const insertedRows: PositionedRow[] = []
    for (const row of rows) {
      const stored = storedScenarios.get(row.id)
      const isFromThisUpload = stored !== undefined && stored.position >= this.#firstUniquePosition
      if (stored?.position === row.position) insertedRows.push(row)
      else if (!isFromThisUpload && stored && Buffer.compare(stored.digest, row.digest) === 0)
        this.#counts.unchanged += 1
      else this.#onIdConflict(row, isFromThisUpload)
    }
    return insertedRows
  }

  /** Gives the evaluation a new version if any scenario was added. */
  async finish(): Promise<Appended> {
    await this.#pendingDerived
    const { accepted } = this.#counts
    if (accepted > 0) {
      const change = { action: 'scenarios.appended', counts: { scenarios: accepted } } as const
      const size = { count: accepted, bytes: this.#addedBytes }
      await recordContentChange(this.#transaction, this.#evaluation, change, size)
    }
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

const INSERT_GENERATED_ID = insertStatement('generated_id', ['evaluation', 'position'])

/** Records which of the new rows have a generated id. */
async function insertGeneratedIds(
  transaction: Transaction,
  evaluation: number,
  rows: PositionedRow[],
): Promise<void> {
  const generatedRows = rows.filter(({ hasGeneratedId }) => hasGeneratedId)
  if (generatedRows.length === 0) return
  await transaction.runMany([
    INSERT_GENERATED_ID,
    generatedRows.map(({ position }) => [evaluation, position]),
  ])
}

/** The ordinal of each column name, by kind. */
type ColumnOrdinals = Record<keyof ScenarioColumns, Map<string, number>>

export function toColumnOrdinals({ input, expected, score }: ScenarioColumns): ColumnOrdinals {
  const toOrdinals = (names: string[]) => new Map(names.map((name, ordinal) => [name, ordinal]))
  return { input: toOrdinals(input), expected: toOrdinals(expected), score: toOrdinals(score) }
}

const INSERT_SEARCH = (text: string) =>
  `INSERT INTO search (evaluation, position, text) VALUES (?, ?, ${text})`
const INSERT_COLUMN = insertStatement('evaluation_column', ['evaluation', 'kind', 'ordinal', 'name'])
const INSERT_MEASURE = insertStatement('measure', ['evaluation', 'position', ...MEASURE_COLUMNS])

/** Writes the derived tables for stored scenarios whose column names are already in `ordinals`. */
export async function insertDerived(
  transaction: EngineTransaction,
  evaluation: number,
  ordinals: ColumnOrdinals,
  rows: PositionedRow[],
): Promise<void> {
  const named = (['results', 'inputs'] as const).map((list): Batch => {
    const { table, ordinal, kind, columns } = NAMED_TABLES[list]
    const values = rows.flatMap((row) =>
      row[list].map(([name, ...rest]) => [
        evaluation,
        row.position,
        ordinals[kind].get(String(name)) ?? null,
        ...rest,
      ]),
    )
    return [insertStatement(table, ['evaluation', 'position', ordinal, ...columns]), values]
  })
  await transaction.runMany(
    [INSERT_SEARCH(transaction.sql.text), rows.map(({ position, search }) => [evaluation, position, search])],
    [INSERT_MEASURE, rows.map(({ position, measure }) => [evaluation, position, ...measure])],
    ...named,
  )
}

/** Adds new column names to `ordinals` and to the database. */
async function insertNewColumns(
  transaction: EngineTransaction,
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
  await transaction.runMany([INSERT_COLUMN, newColumns])
}
