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

  /** Clears the cache if the file has changed since the last call. Returns whether it did. */
  refresh(): boolean {
    const { data_version } = this.#statements.get(DATA_VERSION, []) as { data_version: unknown }
    if (data_version !== this.#dataVersion) {
      this.#dataVersion = data_version
      this.#rows.clear()
      return true
    }
    return false
  }

  /** The first row, as of the last refresh or later; undefined if there is none. */
  get(statement: string, values: Value[]): unknown {
    const key = cacheKey(statement, values)
    const cachedRow = this.#rows.get(key)
    if (cachedRow !== undefined) return cachedRow
    const row = this.#statements.get(statement, values)
    // The row can be newer than the last refresh; the next refresh then clears it.
    if (row !== undefined) this.#rows.set(key, Object.freeze(row))
    return row
  }

  /** The row of an earlier `get`, if it has not changed until the last refresh. */
  peek(statement: string, values: Value[]): unknown {
    return this.#rows.get(cacheKey(statement, values))
  }
}

/** Different values have different keys: each value starts with its type and its length. */
function cacheKey(statement: string, values: Value[]): string {
  let key = statement
  for (const value of values) {
    if (typeof value === 'string') key += `\0s${value.length} ${value}`
    else if (value instanceof Uint8Array) key += `\0b${value.length} ${latin1(value)}`
    else key += `\0n${value}`
  }
  return key
}

function latin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
}
