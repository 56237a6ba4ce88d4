// What the store needs of a database engine, and no more. Statements are written once, with `?` for each
// value, in SQL that every engine here understands; what differs stands in `sql` under one name per need.

export type Value = string | number | Uint8Array | null

export type Batch = readonly [statement: string, rows: Value[][]]

export interface Connection {
  /** The first row, or undefined. */
  get<Row>(statement: string, ...values: Value[]): Promise<Row | undefined>
  /** Every row, in the order of the statement. */
  all<Row>(statement: string, ...values: Value[]): Promise<Row[]>
  readonly sql: SqlWords
}

export interface SqlWords {
  /** Aggregate: the texts of all rows joined by a one-character separator, as UTF-8 bytes. */
  joinedBytes(column: string, separator: string): string
  /** Stands for a text that may be bound as a string or as its UTF-8. */
  readonly text: string
  /** Statement: the names of the tables there are, as `name`. */
  readonly tables: string
}

/** Cannot write: the connections behind it are opened read-only. */
export interface Reader extends Connection {
  /** Runs the work over one unchanging state of the store, whatever is written meanwhile. */
  snapshot<Answer>(work: (snapshot: Connection) => Promise<Answer>): Promise<Answer>
}

export interface Transaction extends Connection {
  /** Resolves with how many rows it changed. */
  run(statement: string, ...values: Value[]): Promise<number>
  /** Each statement for every one of its rows of values, in order; resolves with how many rows were changed in all. */
  runMany(...batches: Batch[]): Promise<number>
  /** Several statements without values: the text of a migration. */
  script(statements: string): Promise<void>
}

export interface Writer {
  /** All or nothing: commits when the work resolves, rolls back when it rejects. One at a time. */
  transaction<Answer>(work: (transaction: Transaction) => Promise<Answer>): Promise<Answer>
}

export interface Dialect {
  /** Picks this engine's text of a migration. */
  readonly engine: 'sqlite'
  readonly reader: Reader
  readonly writer: Writer
  /** Where the store really is, if it is one file. */
  readonly file?: string
  /** Writes a copy of one state of the store to a file that is empty. */
  backup(file: string): Promise<void>
  /** What is wrong with the store as the engine sees it; empty when nothing is. */
  integrity(): Promise<string[]>
  close(): Promise<void>
}
