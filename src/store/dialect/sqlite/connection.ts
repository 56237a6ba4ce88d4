// A connection to a SQLite file with a cache of prepared statements. The main thread and the worker threads use it.
import { hash } from 'node:crypto'
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import { createBodyMatcher } from '../../search/search-text.ts'
import { Connection, type Read, type Value } from '../dialect.ts'
import { asProblem, isTooLarge } from './errors.ts'
import { SQL_FRAGMENTS } from './sql.ts'

const MAX_PREPARED_STATEMENTS = 200
/** Characters. */
const MAX_CACHED_POSITIONS = 1024 * 1024

type ElementsRead = Extract<Read, { returns: 'elements' }>

export class SqliteConnection extends Connection {
  readonly sql = SQL_FRAGMENTS
  readonly database: DatabaseSync
  protected readonly path: string
  readonly #preparedStatements = new Map<string, StatementSync>()
  /** The numbers that the running statement has passed to `collect_number`. */
  #collectedNumbers: number[] = []
  /** The next window of rows is searched again. */
  #lastSearch = { key: '', positions: '' }

  constructor(path: string, database: DatabaseSync) {
    super()
    this.path = path
    this.database = database
    const step = (count: number, number: SQLOutputValue) => {
      this.#collectedNumbers[count] = number as number
      return count + 1
    }
    database.aggregate('collect_number', { start: 0, step })
    database.function('is_running', () => 1)
    database.function('sha256', (text) => hash('sha256', String(text)))
    database.function('search_positions', (evaluation, text) =>
      this.#searchPositions(Number(evaluation), String(text)),
    )
  }

  async read(read: Read): Promise<unknown> {
    try {
      return this.readNow(read)
    } catch (error) {
      throw asProblem(this.path, error)
    }
  }

  /** Throws the errors of SQLite. */
  readNow(read: Read): unknown {
    switch (read.returns) {
      case 'row':
        return this.prepare(read.statement).get(...read.values)
      case 'rows':
        return this.prepare(read.statement).all(...read.values)
      case 'elements':
        return this.#joinElements(read)
      // An aggregate function collects the numbers: one object per row would take longer than the query itself.
      case 'numbers':
        this.#collectedNumbers = []
        this.prepare(collectNumbersStatement(read.statement)).get(...read.values)
        return Float64Array.from(this.#collectedNumbers)
    }
  }

  #joinElements({ statement, separator, values, maxBytes }: ElementsRead): Uint8Array | undefined {
    const join = joinStatement(statement, separator)
    if (maxBytes !== undefined) this.database.limits.length = maxBytes
    try {
      const { bytes } = this.prepare(join).get(...values) as { bytes: Uint8Array | null }
      return bytes ?? new Uint8Array()
    } catch (error) {
      if (maxBytes !== undefined && isTooLarge(error)) return undefined
      throw error
    } finally {
      if (maxBytes !== undefined) this.database.limits.length = Number.POSITIVE_INFINITY
    }
  }

  /** Runs the statement once per row. Returns the number of changed rows. */
  run(statement: string, rows: Value[][]): number {
    const preparedStatement = this.prepare(statement)
    let changes = 0
    for (const values of rows) changes += Number(preparedStatement.run(...values).changes)
    return changes
  }

  /** The positions of the scenarios whose search text contains a normalized text, as a JSON array. */
  #searchPositions(evaluation: number, text: string): string {
    const version = JSON.stringify(
      this.prepare('SELECT version FROM evaluation WHERE key = ?').get(evaluation),
    )
    const key = `${evaluation} ${version} ${text}`
    if (this.#lastSearch.key === key) return this.#lastSearch.positions
    const matchesBody = createBodyMatcher(text)
    const found: number[] = []
    // A function with the body as argument would be shorter, but node:sqlite frees no argument before the statement ends.
    const rows = this.database.prepare('SELECT position, body FROM scenario WHERE evaluation = ?')
    rows.setReturnArrays(true)
    for (const [position, body] of rows.iterate(evaluation) as Iterable<unknown> as Iterable<
      [number, string]
    >)
      if (matchesBody(body)) found.push(position)
    const positions = `[${found}]`
    if (positions.length <= MAX_CACHED_POSITIONS) this.#lastSearch = { key, positions }
    return positions
  }

  /** Does nothing if SQLite has already rolled back, as it does when the disk is full. */
  rollback(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK')
  }

  close(): void {
    this.#preparedStatements.clear()
    this.database.close()
  }

  /** The statement, compiled when it runs for the first time. */
  prepare(statement: string): StatementSync {
    let preparedStatement = this.#preparedStatements.get(statement)
    if (!preparedStatement) {
      // Filters produce many different statements; the frequent ones are soon prepared again.
      if (this.#preparedStatements.size >= MAX_PREPARED_STATEMENTS) this.#preparedStatements.clear()
      preparedStatement = this.database.prepare(statement)
      this.#preparedStatements.set(statement, preparedStatement)
    }
    return preparedStatement
  }
}

/** Joins the column `element` of a statement's rows, in their order, as column `bytes`. */
export function joinStatement(statement: string, separator: string): string {
  const joined = `CAST(group_concat(element, char(${separator.charCodeAt(0)})) AS BLOB)`
  return `SELECT ${joined} AS bytes FROM (${statement})`
}

/** Passes each value of a statement's only column to the SQL function `collect_number`. */
export function collectNumbersStatement(statement: string): string {
  return `WITH source (number) AS (${statement}) SELECT collect_number(number) AS count FROM source`
}
