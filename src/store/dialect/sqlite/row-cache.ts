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
  #count = 0
  #version: unknown

  /** The connection must not write: its own commits do not change the data version. */
  constructor(statements: SqliteStatements) {
    this.#statements = statements
  }

  /** Clears the cache if the file has changed since the last call. */
  refresh(): void {
    const { data_version } = this.#statements.get(DATA_VERSION, []) as { data_version: unknown }
    if (data_version !== this.#version || this.#count >= MAX_ROWS) {
      this.#rows.clear()
      this.#count = 0
    }
    this.#version = data_version
  }

  /** The first row, as of the last refresh or later; undefined if there is none. */
  get(statement: string, values: Value[]): unknown {
    const valuesKey = JSON.stringify(values)
    const cached = this.#rows.get(statement)?.get(valuesKey)
    if (cached !== undefined) return cached
    const row = this.#statements.get(statement, values)
    // The row can be newer than the last refresh; the next refresh then clears it.
    if (row !== undefined) this.#add(statement, valuesKey, Object.freeze(row))
    return row
  }

  #add(statement: string, valuesKey: string, row: unknown): void {
    const rows = this.#rows.get(statement) ?? new Map<string, unknown>()
    this.#rows.set(statement, rows.set(valuesKey, row))
    this.#count += 1
  }
}
