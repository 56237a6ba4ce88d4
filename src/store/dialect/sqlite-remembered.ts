// Rows that were found, kept for as long as nothing is written, by whichever process.
import type { Value } from './dialect.ts'
import type { SqliteStatements } from './sqlite-statements.ts'

/** Differs from one moment to another if and only if another connection has committed something between them. */
const DATA_VERSION = 'PRAGMA data_version'

const MOST_ROWS = 1000

export class RememberedRows {
  readonly #statements: SqliteStatements
  /** By statement, then by its values. */
  readonly #rows = new Map<string, Map<string, unknown>>()
  #count = 0
  #version: unknown

  /** Over a connection that does not write itself. */
  constructor(statements: SqliteStatements) {
    this.#statements = statements
  }

  /** Forgets what may not be true any more. */
  refresh(): void {
    const { data_version } = this.#statements.get(DATA_VERSION, []) as { data_version: unknown }
    if (data_version !== this.#version || this.#count >= MOST_ROWS) {
      this.#rows.clear()
      this.#count = 0
    }
    this.#version = data_version
  }

  /** The first row, as it was at the last refresh or later; undefined where there is none. */
  get(statement: string, values: Value[]): unknown {
    const question = JSON.stringify(values)
    const known = this.#rows.get(statement)?.get(question)
    if (known !== undefined) return known
    const row = this.#statements.get(statement, values)
    // Of what is newer than the last refresh the next one knows.
    if (row !== undefined) this.#remember(statement, question, Object.freeze(row))
    return row
  }

  #remember(statement: string, question: string, row: unknown): void {
    const rows = this.#rows.get(statement) ?? new Map<string, unknown>()
    this.#rows.set(statement, rows.set(question, row))
    this.#count += 1
  }
}
