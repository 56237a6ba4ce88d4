// A connection to a SQLite file with a cache of prepared statements. The main thread and the worker threads use it.
import { hash } from 'node:crypto'
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Read, Value } from '../dialect.ts'
import { isTooLarge } from './errors.ts'
import { collectNumbersStatement, joinStatement } from './sql.ts'

const MAX_PREPARED_STATEMENTS = 200

type ElementsRead = Extract<Read, { returns: 'elements' }>

export class SqliteStatements {
  readonly database: DatabaseSync
  readonly #preparedStatements = new Map<string, StatementSync>()
  /** The numbers that the running statement has passed to `collect_number`. */
  #collectedNumbers: number[] = []

  constructor(database: DatabaseSync) {
    this.database = database
    const step = (count: number, number: SQLOutputValue) => {
      this.#collectedNumbers[count] = number as number
      return count + 1
    }
    database.aggregate('collect_number', { start: 0, step })
    database.function('is_running', () => 1)
    database.function('sha256', (text) => hash('sha256', String(text)))
  }

  read(read: Read): unknown {
    switch (read.returns) {
      case 'row':
        return this.get(read.statement, read.values)
      case 'rows':
        return this.all(read.statement, read.values)
      case 'elements':
        return this.#joinElements(read)
      // An aggregate function collects the numbers: one object per row would take longer than the query itself.
      case 'numbers':
        this.#collectedNumbers = []
        this.get(collectNumbersStatement(read.statement), read.values)
        return Float64Array.from(this.#collectedNumbers)
    }
  }

  #joinElements({ statement, separator, values, maxBytes }: ElementsRead): Uint8Array | undefined {
    const join = joinStatement(statement, separator)
    if (maxBytes !== undefined) this.database.limits.length = maxBytes
    try {
      const { bytes } = this.get(join, values) as { bytes: Uint8Array | null }
      return bytes ?? new Uint8Array()
    } catch (error) {
      if (maxBytes !== undefined && isTooLarge(error)) return undefined
      throw error
    } finally {
      if (maxBytes !== undefined) this.database.limits.length = Number.POSITIVE_INFINITY
    }
  }

  get(statement: string, values: Value[]): unknown {
    return this.#prepare(statement).get(...values)
  }

  all(statement: string, values: Value[]): unknown[] {
    return this.#prepare(statement).all(...values)
  }

  /** Runs the statement once per row. Returns the number of changed rows. */
  run(statement: string, rows: Value[][]): number {
    const preparedStatement = this.#prepare(statement)
    let changes = 0
    for (const values of rows) changes += Number(preparedStatement.run(...values).changes)
    return changes
  }

  /** Does nothing if SQLite has already rolled back, as it does when the disk is full. */
  rollback(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK')
  }

  close(): void {
    this.#preparedStatements.clear()
    this.database.close()
  }

  #prepare(statement: string): StatementSync {
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
