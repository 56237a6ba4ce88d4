// The interface of a database engine, and the methods that all its connections share. Statements use `?` placeholders and SQL that both engines understand;
// `sql` has the fragments that differ.
import type { Action, ChangeCounts } from '../../schema/changes.ts'

export type Value = string | number | Uint8Array | null

/** An INSERT statement for one row, and the rows to insert with it. */
export type Batch = readonly [statement: string, rows: Value[][]]

/** A statement that writes, and its values. */
export type Statement = readonly [statement: string, ...values: Value[]]

/** A statement that reads, and what it returns: see the methods of `Connection`. */
export type Read =
  | { returns: 'row' | 'rows' | 'numbers'; statement: string; values: Value[] }
  | { returns: 'elements'; statement: string; separator: string; values: number[]; maxBytes?: number }

export abstract class Connection {
  abstract readonly sql: SqlFragments

  /** Runs a statement for one of the methods below. */
  abstract read(read: Read): Promise<unknown>

  /** The first row, or undefined. */
  get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined> {
    return this.read({ returns: 'row', statement, values }) as Promise<Row | undefined>
  }

  /** Every row, in the order of the statement. */
  all<Row>(statement: string, ...values: Value[]): Promise<Row[]> {
    return this.read({ returns: 'rows', statement, values }) as Promise<Row[]>
  }

  /**
   * The column `element` of all rows, joined by a one-character separator, as UTF-8. The statement must return its
   * rows in ascending order of its column `ordinal`, and its values must be integers. The caller can modify the bytes.
   */
  joinElements(statement: string, separator: string, ...values: number[]): Promise<Uint8Array> {
    return this.read({ returns: 'elements', statement, separator, values }) as Promise<Uint8Array>
  }

  /** The same, or undefined if it is larger than `maxBytes`. Needs `sql.canLimitElements`. */
  joinElementsUpTo(
    maxBytes: number,
    statement: string,
    separator: string,
    ...values: number[]
  ): Promise<Uint8Array | undefined> {
    const read: Read = { returns: 'elements', statement, separator, values, maxBytes }
    return this.read(read) as Promise<Uint8Array | undefined>
  }

  /** The only column of every row, in the order of the statement. It must not contain null. */
  readNumbers(statement: string, ...values: Value[]): Promise<Float64Array> {
    return this.read({ returns: 'numbers', statement, values }) as Promise<Float64Array>
  }
}

/** SQL that each engine writes differently, and how much one statement should read. */
export interface SqlFragments {
  /** Size of the chunks in which many elements are read. */
  readonly chunkBytes: number
  /** Whether the engine can stop joining elements when they are too large. Otherwise they are measured before. */
  readonly canLimitElements: boolean
  /** Condition: the text contains the part, case-sensitive. */
  contains(text: string, part: string): string
  /** Whether search texts are stored in the table `search`. Otherwise each search derives them from the bodies. */
  readonly storesSearchText: boolean
  /** Subquery: the positions of the scenarios whose search text contains a text. Values: evaluation, normalized text. */
  readonly searchPositions: string
  /** Condition: the JSON array of strings has an element that is equal to the text. */
  hasElement(array: string, text: string): string
  /** Subquery: the integers of a JSON array, which is bound as one text. */
  readonly integers: string
  /**
   * Last statement: appends an entry to the change log of a project and locks the log until COMMIT, so that sequence
   * numbers become visible in ascending order. Values: project, token, time, key_id, key_name, address, action, subject,
   * element, counts, version.
   */
  readonly appendChange: string
  /** The key of a new evaluation or variant. Null if the engine generates it on INSERT. */
  newKey(): number | null
  /** After a table name: the statement must use this index. Empty if the engine has statistics to choose it. */
  indexHint(index: string): string
  /**
   * Condition that is true for every row with this position. Statements that scan many rows without returning them need it:
   * SQLite can cancel a statement only while it runs such a condition or returns rows as numbers.
   */
  cancelable(position: string): string
  /**
   * A statement with the columns `ordinal` and `element`, as one that can return several elements joined by line feeds. For short
   * elements: PostgreSQL sends a message for each row.
   */
  joinLines(statement: string): string
  /** Bytes as a hexadecimal text. Only for comparing with each other: engines differ in the case of letters. */
  hex(bytes: string): string
  /** The SHA-256 hash of a text, as a hexadecimal text. */
  sha256(text: string): string
  /** Statement: the names of all tables, as column `name`. */
  readonly tables: string
}

/**
 * `short`: a few small reads; never waits for the other kinds, whose concurrency is limited.
 * `long`: reads many rows in order. `query`: filters, aggregates or joins many rows.
 */
export type SnapshotKind = 'short' | 'long' | 'query'

/** Uses read-only connections or transactions. Single reads and snapshots see everything committed before the call. */
export interface SnapshotReader extends Connection {
  /**
   * Runs `work` on one consistent snapshot. In a `short` snapshot, `work` must only read from the snapshot, because
   * it is run again from the start if the connection is lost. When the signal of a `query` snapshot is aborted, its
   * running statement is canceled, and it runs no other.
   */
  snapshot<Result>(
    kind: SnapshotKind,
    work: (snapshot: Connection) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>
  /** The row that `get` would read, if it is in a cache of this reader. Reads nothing. */
  cachedRow?<Row>(statement: string, ...values: Value[]): Row | undefined
}

export interface Reader extends SnapshotReader {
  /**
   * The reads of one request: they see everything committed before this call, and possibly some later commits. Single
   * rows can come from a cache.
   */
  latest(): SnapshotReader
  /** Whether `latest` returns the same object until something is committed. Rows of its `cachedRow` are then current. */
  readonly hasRowCache: boolean
}

export abstract class Transaction extends Connection {
  /** For the change log. */
  changes: Change[] = []

  /** Resolves with the number of changed rows. */
  run(statement: string, ...values: Value[]): Promise<number> {
    return this.runMany([statement, [values]])
  }

  /** Runs each statement once per row, in order. Resolves with the total number of changed rows. */
  abstract runMany(...batches: Batch[]): Promise<number>

  /**
   * Takes an exclusive lock with this name until the transaction ends. Lock before reading a value that decides what
   * to write: PostgreSQL runs transactions concurrently.
   */
  abstract lock(...name: (string | number)[]): Promise<void>

  /** Runs several statements without values. */
  abstract script(statements: string): Promise<void>

  /** Adds an entry to the change log when the transaction commits. Call it for every change that clients can see. */
  recordChange(change: Change): void {
    this.changes.push(change)
  }
}

/** One entry of the change log. */
export interface Change {
  /** The key of the project. */
  project: number
  action: Action
  /** The id of the evaluation or variant, or the public id of the key. */
  subject: string
  /** The id of the scenario or review or the number of the revision, if the change is about one only. */
  element?: string
  /** How many scenarios, results or revisions changed. */
  counts?: Counts
  /** The new version of the evaluation or variant. Null if it was deleted. */
  version?: string | null
}

export type Counts = Readonly<ChangeCounts>

/** Who makes a change. */
export interface Actor {
  /** The public id of the API key, or `cli` for the command line. */
  key_id: string
  key_name: string | null
  /** The address of the client. */
  address: string | null
}

export interface Writer {
  /**
   * Commits when `work` resolves, rolls back when it rejects. The default actor is the command line. The signal is for commands
   * on SQLite: it ends the wait for other processes.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    actor?: Actor,
    signal?: AbortSignal,
  ): Promise<Result>
  /** See `EngineWriter`. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
}

export interface EngineWriter {
  /**
   * Commits when `work` resolves, rolls back when it rejects. The last statements, with placeholders `?1`, `?2`, …, are
   * sent in one message with COMMIT, so that they need no round trip and hold their locks only during the commit.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    lastStatements?: (transaction: Transaction) => Statement[],
    signal?: AbortSignal,
  ): Promise<Result>
  /**
   * Runs `work`, which writes in another thread, when no transaction of this writer is open, and begins none meanwhile. SQLite
   * has one writer, and its lock is not fair. PostgreSQL runs transactions concurrently.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
}

/** The size of the store in bytes. */
export interface CompactedSizes {
  bytes_before: number
  bytes: number
}

export interface Dialect {
  /** Selects the SQL of a migration. */
  readonly engine: 'sqlite' | 'postgres'
  readonly reader: Reader
  readonly writer: EngineWriter
  /** Runs a transaction without a timeout, while no other process migrates. `work` can run several times. */
  migrate(work: (migration: Transaction) => Promise<void>): Promise<void>
  /** The resolved path of the store, if it is one file. */
  readonly file?: string
  /** Writes a consistent copy of the store to an empty file. */
  backup(file: string): Promise<void>
  /** Returns the free space of the store to the file system. Reads continue meanwhile, and writes wait. */
  compact(): Promise<CompactedSizes>
  /** Runs the engine's own integrity check. Returns the problems that it finds. */
  checkIntegrity(): Promise<string[]>
  close(): Promise<void>
}

/** A server became unreachable or reachable again. */
export interface ServerChange {
  server: string
  /** Why it is unreachable; undefined when it is reachable again. */
  failure?: unknown
}

/** Settings for PostgreSQL. SQLite ignores them. */
export interface NetworkSettings {
  /** URLs of read replicas. */
  replica: string[]
  /** Maximum number of read connections per server. */
  pool_size: number
  /** Maximum time to wait for a connection, in milliseconds. */
  pool_timeout: number
  /** Maximum duration of a statement, in milliseconds. */
  statement_timeout: number
  /** Maximum duration of a statement in a `query` snapshot, in milliseconds. Requests have it as the limit of the whole query. */
  query_timeout: number
}
