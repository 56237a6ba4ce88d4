// Caches rows until any process commits a change to the SQLite file.
import type { Value } from '../dialect.ts'
import type { SqliteStatements } from './statements.ts'

/** Changes if and only if another connection has committed. */
const DATA_VERSION = 'PRAGMA data_version'

const MAX_ROWS = 1000

export class RowCache {
  readonly #statements: SqliteStatements
  /** By statement, then by its values. */
  readonly #rows = new Map<string, Map<string, unknown>>()
  #rowCount = 0
  #dataVersion: unknown

  /** The connection must not write: its own commits do not change the data version. */
  constructor(statements: SqliteStatements) {
    this.#statements = statements
  }

  /** Clears the cache if the file has changed since the last call, or if the cache is full. */
  refresh(): void {
    const { data_version } = this.#statements.get(DATA_VERSION, []) as { data_version: unknown }
    if (data_version !== this.#dataVersion || this.#rowCount >= MAX_ROWS) {
      this.#rows.clear()
      this.#rowCount = 0
    }
    this.#dataVersion = data_version
  }

  /** The first row, as of the last refresh or later; undefined if there is none. */
  get(statement: string, values: Value[]): unknown {
    const valuesKey = JSON.stringify(values)
    const cachedRow = this.#rows.get(statement)?.get(valuesKey)
    if (cachedRow !== undefined) return cachedRow
    const row = this.#statements.get(statement, values)
    // The row can be newer than the last refresh; the next refresh then clears it.
    if (row !== undefined) this.#add(statement, valuesKey, Object.freeze(row))
    return row
  }

  #add(statement: string, valuesKey: string, row: unknown): void {
    const rows = this.#rows.get(statement) ?? new Map<string, unknown>()
    this.#rows.set(statement, rows.set(valuesKey, row))
    this.#rowCount += 1
  }
}
