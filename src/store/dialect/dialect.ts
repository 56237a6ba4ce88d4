// What the store needs of a database engine, and no more. Statements are written once, with `?` for each
// value, in SQL that every engine here understands; what differs stands in `sql` under one name per need.

export type Value = string | number | Uint8Array | null

/** An INSERT of one row of values, and the rows it is for. */
export type Batch = readonly [statement: string, rows: Value[][]]

export interface Connection {
  /** The first row, or undefined. */
  get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined>
  /** Every row, in the order of the statement. */
  all<Row>(statement: string, ...values: Value[]): Promise<Row[]>
  /**
   * The column `element` of every row, in ascending order of the column `place`, joined by a one-character
   * separator, as UTF-8 in memory of its own. The statement gives its rows in that order; its values are whole.
   */
  join(statement: string, separator: string, ...values: number[]): Promise<Uint8Array>
  /** The only column of every row, in the order of the statement. None of them is null. */
  numbers(statement: string, ...values: Value[]): Promise<Float64Array>
  readonly sql: SqlWords
}

export interface SqlWords {
  /** Stands for a text that may be bound as a string or as its UTF-8. */
  readonly text: string
  /** Condition: the text has the part in it, to the letter. */
  contains(text: string, part: string): string
  /** Aggregate: the value below which this fraction of them lies, between two of them in proportion. */
  quantile(values: string, fraction: number): string
  /** Statement: the names of the tables there are, as `name`. */
  readonly tables: string
}

/**
 * Short ones are never kept waiting by the others, of which fewer run at once. The statements of a long one read much,
 * in order; those of a query look at many rows to find something out.
 */
export type SnapshotKind = 'short' | 'long' | 'query'

/** Cannot write: the connections or transactions behind it are read-only. Sees everything written before. */
export interface Reader extends Connection {
  /**
   * For the few rows that every request asks for: sees everything written before this is called, and of what is
   * written later all, some or nothing.
   */
  moment(): Connection
  /**
   * Runs the work over one unchanging state of the store, whatever is written meanwhile. The work of a short one
   * only reads and waits for nothing else; where the store is lost under it, it may be run again from the start.
   */
  snapshot<Answer>(kind: SnapshotKind, work: (snapshot: Connection) => Promise<Answer>): Promise<Answer>
}

export interface Transaction extends Connection {
  /** Resolves with how many rows it changed. */
  run(statement: string, ...values: Value[]): Promise<number>
  /** Each statement for every one of its rows of values, in order; resolves with how many rows were changed in all. */
  runMany(...batches: Batch[]): Promise<number>
  /**
   * Until this transaction ends, every other one that asks for the same name waits. Whoever looks at something and
   * changes it accordingly asks first: transactions run side by side where the engine can.
   */
  lock(...name: (string | number)[]): Promise<void>
}

export interface Writer {
  /** All or nothing: commits when the work resolves, rolls back when it rejects. */
  transaction<Answer>(work: (transaction: Transaction) => Promise<Answer>): Promise<Answer>
}

export interface Migration extends Transaction {
  /** Several statements without values: the text of a migration. */
  script(statements: string): Promise<void>
}

export interface Dialect {
  /** Picks this engine's text of a migration. */
  readonly engine: 'sqlite' | 'postgres'
  readonly reader: Reader
  readonly writer: Writer
  /** A transaction that no other process migrates beside, however long it takes. */
  migrate(work: (migration: Migration) => Promise<void>): Promise<void>
  /** Where the store really is, if it is one file. */
  readonly file?: string
  /** Writes a copy of one state of the store to a file that is empty. */
  backup(file: string): Promise<void>
  /** What is wrong with the store as the engine sees it; empty when nothing is. */
  integrity(): Promise<string[]>
  close(): Promise<void>
}

/** A server that cannot be reached any more, for a reason, or that can be reached again. */
export interface ServerChange {
  server: string
  failure?: unknown
}

/** How an engine across a network is used; an embedded one needs none of it. */
export interface NetworkSettings {
  /** URLs of servers that follow the one that is written to. */
  replica: string[]
  /** How many connections read from each server. */
  pool_size: number
  /** How many connections write. */
  write_pool_size: number
  /** How long a request waits for a connection, in milliseconds. */
  pool_timeout: number
  /** How long a statement may take, in milliseconds. */
  statement_timeout: number
}
