// Reads the latest state of a SQLite file, and caches its rows.
import { LruCache } from '../../cache/lru-cache.ts'
import { Connection, type Read, type SnapshotKind, type SnapshotReader, type Value } from '../dialect.ts'
import { SQL_FRAGMENTS } from './sql.ts'

const MAX_ROWS = 1000

/** Used until any process commits a change. A row can be newer: after a commit, but before the next reader is created. */
export class LatestReader extends Connection implements SnapshotReader {
  readonly sql = SQL_FRAGMENTS
  readonly #reader: SnapshotReader
  readonly #rows = new LruCache<unknown>(MAX_ROWS, () => 1)

  constructor(reader: SnapshotReader) {
    super()
    this.#reader = reader
  }

  async read(read: Read): Promise<unknown> {
    if (read.returns !== 'row') return this.#reader.read(read)
    const key = cacheKey(read.statement, read.values)
    const cachedRow = this.#rows.get(key)
    if (cachedRow !== undefined) return cachedRow
    const row = await this.#reader.read(read)
    if (row !== undefined) this.#rows.set(key, Object.freeze(row))
    return row
  }

  cachedRow<Row>(statement: string, ...values: Value[]): Row | undefined {
    return this.#rows.get(cacheKey(statement, values)) as Row | undefined
  }

  snapshot<Result>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    return this.#reader.snapshot(kind, work, signal)
  }
}

/** Different values have different keys: each value starts with its type and its length. */
function cacheKey(statement: string, values: Value[]): string {
  let key = statement
  for (const value of values) {
    if (typeof value === 'string') key += `\0s${value.length} ${value}`
    else if (value instanceof Uint8Array) {
      const { buffer, byteOffset, length } = value
      key += `\0b${length} ${Buffer.from(buffer, byteOffset, length).toString('latin1')}`
    } else key += `\0n${value}`
  }
  return key
}
