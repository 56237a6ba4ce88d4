// Scenarios on their way into an evaluation, with what is derived from them.
import { Problem } from '../errors.ts'
import type { Appended } from '../schema/scenarios.ts'
import { INPUT_COLUMNS, MEASURE_COLUMNS, RESULT_COLUMNS, type ScenarioColumns } from './derived.ts'
import type { Connection, Transaction, Value } from './dialect/dialect.ts'
import type { ScenarioRow } from './scenario-rows.ts'
import { getScenarioColumns, lastPosition, noteChange } from './scenarios.ts'

/**
 * What is to become of a scenario whose id is there with other content; `isOfThis`: it was added by this appender. May
 * throw to give up all of it.
 */
export type OnTaken = (row: ScenarioRow, isOfThis: boolean) => void

/** Adds scenarios behind those that are there, batch by batch. */
export class ScenarioAppender {
  readonly #transaction: Transaction
  readonly #evaluation: number
  readonly #onTaken: OnTaken
  readonly #known: KnownColumns
  /** Where what it adds begins, if nothing of it may come twice, be it the same. */
  readonly #onceFrom: number
  readonly #appended: Appended = { accepted: 0, unchanged: 0 }
  #next: number
  #bytes = 0
  #derived: Promise<void> = Promise.resolve()

  private constructor(
    transaction: Transaction,
    evaluation: number,
    onTaken: OnTaken,
    columns: ScenarioColumns,
    next: number,
    isOnce: boolean,
  ) {
    this.#transaction = transaction
    this.#evaluation = evaluation
    this.#onTaken = onTaken
    this.#known = knownColumns(columns)
    this.#next = next
    this.#onceFrom = isOnce ? next : Number.POSITIVE_INFINITY
  }

  static async begin(
    transaction: Transaction,
    evaluation: number,
    onTaken: OnTaken = refuseTaken,
    isOnce = false,
  ): Promise<ScenarioAppender> {
    const next = (await lastPosition(transaction, evaluation)) + 1
    const columns = await getScenarioColumns(transaction, evaluation)
    return new ScenarioAppender(transaction, evaluation, onTaken, columns, next, isOnce)
  }

  /** One whose id is there with the same content changes nothing. */
  async add(batch: ScenarioRow[]): Promise<void> {
    const placed = batch.map((row, index) => ({ ...row, position: this.#next + index }))
    this.#next += batch.length
    const added = await this.#addNew(placed)
    await addColumns(this.#transaction, this.#evaluation, this.#known, added)
    for (const { body } of added)
      this.#bytes += typeof body === 'string' ? Buffer.byteLength(body) : body.length
    // Goes in while the next batch is being made ready.
    await this.#derived
    this.#derived = addDerived(this.#transaction, this.#evaluation, this.#known, added)
    this.#derived.catch(() => undefined)
  }

  async #addNew(rows: PlacedRow[]): Promise<PlacedRow[]> {
    try {
      return await addNew(this.#transaction, this.#evaluation, rows, {
        appended: this.#appended,
        onTaken: this.#onTaken,
        onceFrom: this.#onceFrom,
      })
    } catch (error) {
      // Where what went before has failed, that is the reason.
      await this.#derived
      throw error
    }
  }

  /** If any was added the evaluation answers with a new version from here on. */
  async finish(): Promise<Appended> {
    await this.#derived
    const { accepted } = this.#appended
    if (accepted > 0) await noteChange(this.#transaction, this.#evaluation, accepted, this.#bytes)
    return this.#appended
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

function refuseTaken({ id, place }: ScenarioRow): never {
  const where = place ? ` (record ${place.index + 1}, line ${place.line})` : ''
  throw new Problem(
    'conflict',
    `The scenario '${id}'${where} is there already with other content. Nothing was stored; give it another id, or leave it out.`,
  )
}

export type PlacedRow = ScenarioRow & { position: number }

const ADD_SCENARIO = (text: string) => `INSERT INTO scenario (evaluation, position, id, body, extra, digest)
  VALUES (?, ?, ?, ${text}, ${text}, ?) ON CONFLICT (evaluation, id) DO NOTHING`

/** Returns those that were not there; those that were are counted, or handed to `onTaken`. */
async function addNew(
  transaction: Transaction,
  evaluation: number,
  rows: PlacedRow[],
  { appended, onTaken, onceFrom }: { appended: Appended; onTaken: OnTaken; onceFrom: number },
): Promise<PlacedRow[]> {
  const count = await transaction.runMany([
    ADD_SCENARIO(transaction.sql.text),
    rows.map(({ position, id, body, extra, digest }) => [evaluation, position, id, body, extra, digest]),
  ])
  appended.accepted += count
  if (count === rows.length) return rows
  const there = await findScenarios(transaction, evaluation, rows)
  const added: PlacedRow[] = []
  for (const row of rows) {
    const stored = there.get(row.id)
    const isOfThis = stored !== undefined && stored.position >= onceFrom
    if (stored?.position === row.position) added.push(row)
    else if (!isOfThis && stored && Buffer.compare(stored.digest, row.digest) === 0) appended.unchanged += 1
    else onTaken(row, isOfThis)
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

/** The names there are, with their ordinals. */
type KnownColumns = Record<keyof ScenarioColumns, Map<string, number>>

export function knownColumns({ input, expected, score }: ScenarioColumns): KnownColumns {
  const numbered = (names: string[]) => new Map(names.map((name, ordinal) => [name, ordinal]))
  return { input: numbered(input), expected: numbered(expected), score: numbered(score) }
}

const ADD_SEARCH = (text: string) => `INSERT INTO search (evaluation, position, text) VALUES (?, ?, ${text})`
const ADD_MEASURE = insertInto('measure', ['evaluation', 'position', ...MEASURE_COLUMNS])
const ADD_RESULT = insertInto('result', ['evaluation', 'position', 'evaluator', ...RESULT_COLUMNS])
const ADD_INPUT = insertInto('input', ['evaluation', 'position', 'input', ...INPUT_COLUMNS])

function insertInto(table: string, columns: string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}

/** What is derived from scenarios that are there, whose names are known. */
export async function addDerived(
  transaction: Transaction,
  evaluation: number,
  known: KnownColumns,
  rows: PlacedRow[],
): Promise<void> {
  const listed = (lists: Value[][], position: number, ordinals: Map<string, number>) =>
    lists.map(([name, ...values]) => [evaluation, position, ordinals.get(String(name)) ?? null, ...values])
  await transaction.runMany(
    [ADD_SEARCH(transaction.sql.text), rows.map(({ position, search }) => [evaluation, position, search])],
    [ADD_MEASURE, rows.map(({ position, measure }) => [evaluation, position, ...measure])],
    [ADD_RESULT, rows.flatMap(({ position, results }) => listed(results, position, known.score))],
    [ADD_INPUT, rows.flatMap(({ position, inputs }) => listed(inputs, position, known.input))],
  )
}

/** Notes the names that these scenarios are the first to have, in `known` and in the store. */
async function addColumns(
  transaction: Transaction,
  evaluation: number,
  known: KnownColumns,
  rows: ScenarioRow[],
): Promise<void> {
  const fresh: [number, string, number, string][] = []
  for (const names of new Set(rows.map(({ names }) => names))) {
    for (const kind of ['input', 'expected', 'score'] as const) {
      for (const name of names[kind]) {
        if (known[kind].has(name)) continue
        fresh.push([evaluation, kind, known[kind].size, name])
        known[kind].set(name, known[kind].size)
      }
    }
  }
  if (fresh.length === 0) return
  await transaction.runMany([
    'INSERT INTO evaluation_column (evaluation, kind, ordinal, name) VALUES (?, ?, ?, ?)',
    fresh,
  ])
}
