// Caches rows until any process commits a change to the SQLite file.
import { LruCache } from '../../cache/lru-cache.ts'
import type { Value } from '../dialect.ts'
import type { SqliteStatements } from './statements.ts'

/** Changes if and only if another connection has committed. */
const DATA_VERSION = 'PRAGMA data_version'

const MAX_ROWS = 1000

export class RowCache {
  readonly #statements: SqliteStatements
  readonly #rows = new LruCache<unknown>(MAX_ROWS, () => 1)
  #dataVersion: unknown

  /** The connection must not write: its own commits do not change the data version. */
  constructor(statements: SqliteStatements) {
    this.#statements = statements
  }

  /** Clears the cache if the file has changed since the last call. */
  refresh(): void {
    const { data_version } = this.#statements.get(DATA_VERSION, []) as { data_version: unknown }
    if (data_version !== this.#dataVersion) this.#rows.clear()
    this.#dataVersion = data_version
  }

  /** The first row, as of the last refresh or later; undefined if there is none. */
  get(statement: string, values: Value[]): unknown {
    const key = statement + JSON.stringify(values)
    const cachedRow = this.#rows.get(key)
    if (cachedRow !== undefined) return cachedRow
    const row = this.#statements.get(statement, values)
    // The row can be newer than the last refresh; the next refresh then clears it.
    if (row !== undefined) this.#rows.set(key, Object.freeze(row))
    return row
  }
}
