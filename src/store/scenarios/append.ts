// Appends scenarios to an evaluation and writes the tables that are derived from them.
import { Problem } from '../../errors.ts'
import type { Appended } from '../../schema/scenarios.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { insertStatement } from '../dialect/insert.ts'
import { inLists } from '../reads/in-list.ts'
import { ColumnWriter } from './columns.ts'
import { insertDerived, type PositionedRow } from './derived-rows.ts'
import type { ScenarioRow } from './row.ts'
import { getNextPosition, recordContentChange } from './scenarios.ts'

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
  readonly #columns: ColumnWriter
  /** First position of this upload if identical duplicates within it are conflicts, otherwise infinity. */
  readonly #firstUniquePosition: number
  readonly #counts: Appended = { accepted: 0, unchanged: 0 }
  #nextPosition: number
  #addedBytes = 0
  #pendingDerived: Promise<void> = Promise.resolve()

  private constructor(
    transaction: Transaction,
    evaluation: number,
    columns: ColumnWriter,
    nextPosition: number,
    { onIdConflict = rejectConflict, rejectsDuplicates = false }: AppendOptions,
  ) {
    this.#transaction = transaction
    this.#evaluation = evaluation
    this.#onIdConflict = onIdConflict
    this.#columns = columns
    this.#nextPosition = nextPosition
    this.#firstUniquePosition = rejectsDuplicates ? nextPosition : Number.POSITIVE_INFINITY
  }

  static async begin(
    transaction: Transaction,
    evaluation: number,
    options: AppendOptions = {},
  ): Promise<ScenarioAppender> {
    const nextPosition = await getNextPosition(transaction, evaluation)
    const columns = await ColumnWriter.begin(transaction, evaluation)
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
    this.#columns.addRows(insertedRows.map(({ names }) => names))
    for (const { body } of insertedRows)
      this.#addedBytes += typeof body === 'string' ? Buffer.byteLength(body) : body.length
    // The derived rows are written while the next batch is prepared.
    await this.#pendingDerived
    this.#pendingDerived = insertDerived(
      this.#transaction,
      this.#evaluation,
      this.#columns.ordinals,
      insertedRows,
    )
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
      else if (!isFromThisUpload && stored && isUnchanged(stored, row)) this.#counts.unchanged += 1
      else this.#onIdConflict(row, isFromThisUpload)
    }
    return insertedRows
  }

  /** Gives the evaluation a new version if any scenario was added. */
  async finish(): Promise<Appended> {
    await this.#pendingDerived
    const { accepted } = this.#counts
    if (accepted > 0) {
      await this.#columns.finish()
      const change = { action: 'scenarios.appended', counts: { scenarios: accepted } } as const
      await recordContentChange(this.#transaction, this.#evaluation, change, {
        count: accepted,
        bytes: this.#addedBytes,
        nextPosition: this.#nextPosition,
      })
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

const INSERT_SCENARIO = (
  text: string,
) => `INSERT INTO scenario (evaluation, position, id, body, extra, digest)
  VALUES (?, ?, ?, ${text}, ${text}, ?) ON CONFLICT (evaluation, id) DO NOTHING`

export const FIND_SCENARIOS = (placeholders: string) =>
  `SELECT id, position, digest, first_digest FROM scenario WHERE evaluation = ? AND id IN (${placeholders})`

interface StoredScenario {
  id: string
  position: number
  digest: Uint8Array
  first_digest: Uint8Array | null
}

/** Whether a record is equal to the stored scenario, as it is now or as it was first written. */
function isUnchanged({ digest, first_digest }: StoredScenario, row: ScenarioRow): boolean {
  return [digest, first_digest ?? digest].some((stored) => Buffer.compare(stored, row.digest) === 0)
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
