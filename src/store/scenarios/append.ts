// Appends scenarios to an evaluation and writes the tables that are derived from them.
import type { Appended, OnConflict } from '../../schema/scenarios.ts'
import type { Transaction } from '../dialect/dialect.ts'
import { insertStatement } from '../dialect/insert.ts'
import { ColumnWriter } from './columns.ts'
import {
  type Conflict,
  ConflictList,
  ConflictResolver,
  canChangeMarks,
  type ExistingScenario,
  findScenarios,
  isUnchanged,
  misalignedDetailsProblem,
  NO_CONFLICTS,
  type OnRejected,
} from './conflicts.ts'
import { insertDerived, type PositionedRow } from './derived-rows.ts'
import { type MissingScenarios, StoredPositions } from './missing.ts'
import type { ScenarioRow } from './row.ts'
import { rowScores } from './row.ts'
import { recordContentChange } from './scenarios.ts'

export interface AppendOptions {
  onConflict?: OnConflict | undefined
  /** For `replace`: the evaluators whose results are kept. */
  humanEvaluators?: ReadonlySet<string> | undefined
  onRejected: OnRejected
  /** Whether duplicates within the upload are rejected, even identical ones. */
  rejectsDuplicates?: boolean | undefined
  /** Whether stored scenarios without a record are counted. */
  findsMissing?: boolean | undefined
}

/** With the missing scenarios only if they are counted. */
export type AppendOutcome = Appended & Partial<MissingScenarios>

/** Appends scenarios to the end of an evaluation, batch by batch. */
export interface Appender {
  /** A scenario that already exists with the same content is counted as unchanged. */
  add(batch: ScenarioRow[]): Promise<void>
  /** Gives the evaluation a new version if any scenario was added or replaced. */
  finish(): Promise<AppendOutcome>
}

export class ScenarioAppender implements Appender {
  readonly #transaction: Transaction
  readonly #evaluation: number
  readonly #id: string
  readonly #columns: ColumnWriter
  readonly #onConflict: OnConflict
  readonly #options: AppendOptions
  #conflicts: ConflictResolver | undefined
  /** First position of this upload if duplicates within it are rejected, otherwise infinity. */
  readonly #firstUniquePosition: number
  readonly #storedPositions: StoredPositions | undefined
  #acceptedCount = 0
  #unchangedCount = 0
  #nextPosition: number
  #addedBytes = 0
  #pendingDerived: Promise<void> = Promise.resolve()

  private constructor(
    transaction: Transaction,
    evaluation: { key: number; id: string; next_position: number; scenario_count: number },
    columns: ColumnWriter,
    options: AppendOptions,
  ) {
    this.#transaction = transaction
    this.#evaluation = evaluation.key
    this.#id = evaluation.id
    this.#columns = columns
    this.#options = options
    this.#onConflict = options.onConflict ?? 'error'
    this.#nextPosition = evaluation.next_position
    this.#firstUniquePosition = options.rejectsDuplicates
      ? evaluation.next_position
      : Number.POSITIVE_INFINITY
    const { next_position: end, scenario_count: count } = evaluation
    if (options.findsMissing && count > 0) this.#storedPositions = new StoredPositions({ end, count })
  }

  static async begin(
    transaction: Transaction,
    key: number,
    options: AppendOptions,
  ): Promise<ScenarioAppender> {
    const evaluation = await transaction.get<{ id: string; next_position: number; scenario_count: number }>(
      'SELECT id, next_position, scenario_count FROM evaluation WHERE key = ?',
      key,
    )
    const columns = await ColumnWriter.begin(transaction, key)
    return new ScenarioAppender(
      transaction,
      { id: '', next_position: 0, scenario_count: 0, ...evaluation, key },
      columns,
      options,
    )
  }

  async add(batch: ScenarioRow[]): Promise<void> {
    // A scenario can be replaced several times, one after the other.
    const parts = this.#onConflict === 'replace' ? splitAtRepeatedIds(batch) : [batch]
    for (const part of parts) {
      await this.#addPart(part).catch(async (error) => {
        // If the previous part failed, report its error: it is the cause.
        await this.#pendingDerived
        throw error
      })
    }
  }

  async #addPart(part: ScenarioRow[]): Promise<void> {
    const rows = part.map((row, index) => ({ ...row, position: this.#nextPosition + index }))
    this.#nextPosition += part.length
    const { insertedRows, conflicts } = await this.#insertNew(rows)
    await insertGeneratedIds(this.#transaction, this.#evaluation, insertedRows)
    if (conflicts.length > 0) this.#addColumnsInOrder(rows, insertedRows, conflicts)
    this.#columns.countRows(
      insertedRows.map(({ names }) => names),
      1,
    )
    for (const row of insertedRows) this.#columns.scores.addRow(rowScores(row))
    for (const { body } of insertedRows) this.#addedBytes += Buffer.byteLength(body)
    // The derived rows are written while the next batch is prepared.
    await this.#pendingDerived
    this.#pendingDerived = insertDerived(
      this.#transaction,
      this.#evaluation,
      this.#columns.ordinals,
      insertedRows,
    )
    this.#pendingDerived.catch(() => undefined)
    if (conflicts.length === 0) return
    // A scenario that is replaced can be one of the inserted ones.
    await this.#pendingDerived
    const evaluation = { key: this.#evaluation, id: this.#id }
    this.#conflicts ??= new ConflictResolver(this.#transaction, evaluation, this.#columns, this.#options)
    await this.#conflicts.resolve(conflicts)
  }

  /** Returns the inserted rows, and those that differ from an existing scenario. */
  async #insertNew(rows: PositionedRow[]): Promise<{ insertedRows: PositionedRow[]; conflicts: Conflict[] }> {
    const insertedCount = await this.#transaction.runMany([
      INSERT_SCENARIO,
      rows.map(({ position, id, body, extra, digest }) => [
        this.#evaluation,
        position,
        id,
        body,
        extra,
        digest,
      ]),
    ])
    this.#acceptedCount += insertedCount
    if (insertedCount === rows.length) return { insertedRows: rows, conflicts: [] }
    const existingScenarios = await findScenarios(this.#transaction, this.#evaluation, rows)
    const insertedRows: PositionedRow[] = []
    const conflicts: Conflict[] = []
    for (const row of rows) {
      const existing = existingScenarios.get(row.id)
      if (!existing) throw new Error('A scenario was neither inserted nor found')
      this.#storedPositions?.mark(existing.position)
      const isDuplicate = existing.position >= this.#firstUniquePosition
      if (existing.position === row.position) insertedRows.push(row)
      else if (
        !isDuplicate &&
        isUnchanged(existing, row, this.#onConflict) &&
        !this.#changesMarks(existing, row)
      )
        this.#unchangedCount += 1
      else conflicts.push({ row, existing, isDuplicate })
    }
    return { insertedRows, conflicts }
  }

  #changesMarks(existing: ExistingScenario, row: ScenarioRow): boolean {
    return this.#onConflict === 'replace' && canChangeMarks(existing, row)
  }

  /** Columns have the order of the records, whether a record is inserted or replaces a scenario. */
  #addColumnsInOrder(rows: PositionedRow[], insertedRows: PositionedRow[], conflicts: Conflict[]): void {
    if (this.#onConflict !== 'replace') return
    const writtenRows = new Set<ScenarioRow>([...insertedRows, ...conflicts.map(({ row }) => row)])
    this.#columns.addColumns(rows.filter((row) => writtenRows.has(row)).map(({ names }) => names))
  }

  /** Waits until the rows are written. The columns are not written yet, so that rows can still be changed with them. */
  async flush() {
    await this.#pendingDerived
    return {
      accepted: this.#acceptedCount,
      unchanged: this.#unchangedCount + (this.#conflicts?.counts.unchanged ?? 0),
      bytes: this.#addedBytes,
      nextPosition: this.#nextPosition,
      columns: this.#columns,
    }
  }

  async finish(): Promise<AppendOutcome> {
    await this.#pendingDerived
    const missing = await this.#storedPositions?.findMissing(this.#transaction, this.#evaluation)
    const { addedBytes, counts } = this.#conflicts ?? { addedBytes: 0, counts: NO_CONFLICTS }
    const [accepted, replaced] = [this.#acceptedCount, counts.replaced]
    if (accepted + replaced > 0) await this.#columns.finish()
    if (accepted > 0) {
      const change = { action: 'scenarios.appended', counts: { scenarios: accepted } } as const
      await recordContentChange(this.#transaction, this.#evaluation, change, {
        count: accepted,
        bytes: this.#addedBytes,
        nextPosition: this.#nextPosition,
      })
    }
    if (replaced > 0) {
      const change = { action: 'scenarios.replaced', counts: { scenarios: replaced } } as const
      await recordContentChange(this.#transaction, this.#evaluation, change, { bytes: addedBytes })
    }
    return {
      accepted,
      unchanged: this.#unchangedCount + counts.unchanged,
      ...(this.#onConflict === 'replace' && { replaced }),
      ...(this.#onConflict === 'skip' && { skipped: counts.skipped }),
      ...missing,
    }
  }
}

export type UploadOptions = Pick<AppendOptions, 'onConflict' | 'humanEvaluators'>

/** Appends all scenarios or none. Throws conflict with the ids that exist with different content. */
export async function appendScenarios(
  transaction: Transaction,
  evaluation: number,
  batches: AsyncIterable<ScenarioRow[]> | Iterable<ScenarioRow[]>,
  options: UploadOptions = {},
  begin: (...args: Parameters<typeof ScenarioAppender.begin>) => Promise<Appender> = ScenarioAppender.begin,
): Promise<Appended> {
  let conflicts: ConflictList | undefined
  const onRejected: OnRejected = (row, reason) => {
    if (reason === 'misaligned-details') throw misalignedDetailsProblem(row)
    conflicts ??= new ConflictList(options.onConflict)
    conflicts.add(row)
  }
  const appender = await begin(transaction, evaluation, { ...options, onRejected })
  for await (const batch of batches) await appender.add(batch)
  // An appender can report conflicts until it has finished.
  const counts = await appender.finish()
  // The closure sets it, which the compiler does not see.
  if (conflicts) throw (conflicts as ConflictList).toProblem()
  return counts
}

/** Lists of rows in which each id occurs once, in the order of the rows. */
function splitAtRepeatedIds(rows: ScenarioRow[]): ScenarioRow[][] {
  const parts: ScenarioRow[][] = [[]]
  let ids = new Set<string>()
  for (const row of rows) {
    if (ids.has(row.id)) {
      parts.push([])
      ids = new Set()
    }
    ids.add(row.id)
    parts.at(-1)?.push(row)
  }
  return parts
}

const INSERT_SCENARIO = `INSERT INTO scenario (evaluation, position, id, body, extra, digest)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (evaluation, id) DO NOTHING`

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
