// The columns of an evaluation: the names of its inputs, expected answers and evaluators. Each has an ordinal, by which
// the derived tables refer to it, and the number of rows that have it. Scores are updated together with them.
import { parseScanned } from '../../json/parse.ts'
import { NO_LIMITS, scan } from '../../json/scan.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import type { Connection, Transaction, Value } from '../dialect/dialect.ts'
import type { ScoreStatistics } from '../evaluations/score-statistics.ts'
import { loadStatistics, storeStatistics } from '../evaluations/stored-scores.ts'
import type { ScenarioColumns } from './derived-columns.ts'

type Kind = keyof ScenarioColumns
const KINDS = ['input', 'expected', 'score'] as const satisfies Kind[]

/** The ordinal of each column name, by kind, in the order of the ordinals. */
export type ColumnOrdinals = Record<Kind, Map<string, number>>

export const SCENARIO_COLUMNS =
  'SELECT kind, ordinal, name FROM evaluation_column WHERE evaluation = ? ORDER BY kind, ordinal'

export async function getColumnOrdinals(connection: Connection, evaluation: number): Promise<ColumnOrdinals> {
  const rows = await connection.all<{ kind: Kind; ordinal: number; name: string }>(
    SCENARIO_COLUMNS,
    evaluation,
  )
  const ordinals: ColumnOrdinals = { input: new Map(), expected: new Map(), score: new Map() }
  for (const { kind, ordinal, name } of rows) ordinals[kind].set(name, ordinal)
  return ordinals
}

export async function getScenarioColumns(
  connection: Connection,
  evaluation: number,
): Promise<ScenarioColumns> {
  const { input, expected, score } = await getColumnOrdinals(connection, evaluation)
  return { input: [...input.keys()], expected: [...expected.keys()], score: [...score.keys()] }
}

/** Adds to the row count of an existing column, or inserts the column. */
const ADD_ROWS = `INSERT INTO evaluation_column (evaluation, kind, ordinal, name, row_count) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (evaluation, kind, ordinal) DO UPDATE SET row_count = evaluation_column.row_count + excluded.row_count`

const DELETE_UNUSED = 'DELETE FROM evaluation_column WHERE evaluation = ? AND row_count = 0'

/** Updates the columns and the scores of an evaluation while its rows change. Call `finish` after the rows are written. */
export class ColumnWriter {
  /** Includes the columns of all added rows. */
  readonly ordinals: ColumnOrdinals
  /** Add and remove each row and result that changes. */
  readonly scores: ScoreStatistics
  readonly #transaction: Transaction
  readonly #evaluation: number
  /** By kind and name: how many more rows have the column. */
  readonly #changes: Record<Kind, Map<string, number>> = {
    input: new Map(),
    expected: new Map(),
    score: new Map(),
  }
  readonly #nextOrdinals: Record<Kind, number>
  #hasRemovedRows = false

  private constructor(
    transaction: Transaction,
    evaluation: number,
    ordinals: ColumnOrdinals,
    scores: ScoreStatistics,
  ) {
    this.#transaction = transaction
    this.#evaluation = evaluation
    this.ordinals = ordinals
    this.scores = scores
    this.#nextOrdinals = {
      input: nextOrdinal(ordinals.input),
      expected: nextOrdinal(ordinals.expected),
      score: nextOrdinal(ordinals.score),
    }
  }

  static async begin(transaction: Transaction, evaluation: number): Promise<ColumnWriter> {
    const [ordinals, scores] = await Promise.all([
      getColumnOrdinals(transaction, evaluation),
      loadStatistics(transaction, evaluation),
    ])
    return new ColumnWriter(transaction, evaluation, ordinals, scores)
  }

  /** Assigns ordinals to new names, in order. */
  addColumns(rows: readonly ScenarioColumns[]): void {
    for (const names of rows)
      for (const kind of KINDS) for (const name of names[kind]) this.#ensureOrdinal(kind, name)
  }

  /** Counts rows that are added or removed, by their names. */
  countRows(rows: readonly ScenarioColumns[], sign: 1 | -1): void {
    if (rows.length > 0 && sign === -1) this.#hasRemovedRows = true
    for (let start = 0, end = 0; start < rows.length; start = end) {
      const names = rows[start] as ScenarioColumns
      // Rows of a buffer share the object if they have the same names.
      while (rows[end] === names) end += 1
      for (const kind of KINDS)
        for (const name of new Set(names[kind])) {
          this.#ensureOrdinal(kind, name)
          this.#changes[kind].set(name, (this.#changes[kind].get(name) ?? 0) + sign * (end - start))
        }
    }
  }

  /** Writes the row counts and the scores. Columns that no row has are deleted. */
  async finish(): Promise<void> {
    const rows: Value[][] = []
    for (const kind of KINDS)
      for (const [name, change] of this.#changes[kind])
        if (change !== 0)
          rows.push([this.#evaluation, kind, this.ordinals[kind].get(name) ?? null, name, change])
    if (rows.length > 0) await this.#transaction.runMany([ADD_ROWS, rows])
    if (this.#hasRemovedRows) await this.#transaction.run(DELETE_UNUSED, this.#evaluation)
    this.scores.orderEvaluators(this.ordinals.score.keys())
    await storeStatistics(this.#transaction, this.#evaluation, this.scores)
  }

  #ensureOrdinal(kind: Kind, name: string): void {
    if (this.ordinals[kind].has(name)) return
    this.ordinals[kind].set(name, this.#nextOrdinals[kind])
    this.#nextOrdinals[kind] += 1
  }
}

/** Ordinals can have gaps, because columns are deleted. */
function nextOrdinal(ordinals: Map<string, number>): number {
  return [...ordinals.values()].reduce((last, ordinal) => Math.max(last, ordinal), -1) + 1
}

export function parseBody(body: string): EvaluationScenario {
  return parseScanned(scan(Buffer.from(body), NO_LIMITS)) as EvaluationScenario
}
