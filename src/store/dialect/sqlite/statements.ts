// A connection to a SQLite file with a cache of prepared statements. Readers and the write thread use it.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Value } from '../dialect.ts'
import { collectNumbersStatement } from './sql.ts'

const MAX_PREPARED_STATEMENTS = 200

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
  }

  get(statement: string, values: Value[]): unknown {
    return this.#prepare(statement).get(...values)
  }

  all(statement: string, values: Value[]): unknown[] {
    return this.#prepare(statement).all(...values)
  }

  /** Uses an aggregate function, because one object per row would take longer than the query itself. */
  readNumbers(statement: string, values: Value[]): Float64Array {
    this.#collectedNumbers = []
    this.get(collectNumbersStatement(statement), values)
    return Float64Array.from(this.#collectedNumbers)
  }

  /** Runs the statement once per row. Returns the number of changed rows. */
  run(statement: string, rows: Value[][]): number {
    const preparedStatement = this.#prepare(statement)
    let changes = 0
    for (const values of rows) changes += Number(preparedStatement.run(...values).changes)
    return changes
  }

  script(statements: string): void {
    this.database.exec(statements)
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
