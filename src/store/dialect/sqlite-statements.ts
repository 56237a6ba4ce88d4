// One connection to a SQLite file and its prepared statements: what the reading side and the writing thread
// have in common.
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Value } from './dialect.ts'
import { gatherStatement } from './sqlite-words.ts'

const MOST_PREPARED = 200

export class SqliteStatements {
  readonly database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()
  /** What the function `gathered` was given by the statement that is run. */
  #gathered: number[] = []

  constructor(database: DatabaseSync) {
    this.database = database
    const step = (count: number, number: SQLOutputValue) => {
      this.#gathered[count] = number as number
      return count + 1
    }
    database.aggregate('gathered', { start: 0, step })
  }

  get(statement: string, values: Value[]): unknown {
    return this.#prepare(statement).get(...values)
  }

  all(statement: string, values: Value[]): unknown[] {
    return this.#prepare(statement).all(...values)
  }

  /** To make an object of each row would take longer than to find them. */
  numbers(statement: string, values: Value[]): Float64Array {
    this.#gathered = []
    this.get(gatherStatement(statement), values)
    return Float64Array.from(this.#gathered)
  }

  /** Returns how many rows were changed. */
  run(statement: string, rows: Value[][]): number {
    const prepared = this.#prepare(statement)
    let changes = 0
    for (const values of rows) changes += Number(prepared.run(...values).changes)
    return changes
  }

  script(statements: string): void {
    this.database.exec(statements)
  }

  /** Some failures, a full disk among them, have rolled back already. */
  rollback(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK')
  }

  close(): void {
    this.#prepared.clear()
    this.database.close()
  }

  #prepare(statement: string): StatementSync {
    let prepared = this.#prepared.get(statement)
    if (!prepared) {
      // Filters make statements of many forms; the few that are asked all the time are soon there again.
      if (this.#prepared.size >= MOST_PREPARED) this.#prepared.clear()
      prepared = this.database.prepare(statement)
      this.#prepared.set(statement, prepared)
    }
    return prepared
  }
}
