// A view of an evaluation: the rows that filters leave, in an order. It gives positions; what stands at them is read
// by others.
import { Problem } from '../errors.ts'
import { storable } from '../json/storable.ts'
import type { Filter, Order } from '../schema/filters.ts'
import type { ScenarioColumns } from './derived.ts'
import type { Connection } from './dialect/dialect.ts'
import { type DeclaredEvaluators, getDeclaredEvaluators } from './evaluators.ts'
import { conditionOf, type Fragment, ordinalOf } from './filters.ts'
import { getScenarioColumns } from './scenarios.ts'

export interface ViewQuestion {
  filters: Filter[]
  order: Order
}

/** Gives `position` and `delta` of the rows that can be compared with a base on an evaluator. */
export type Deltas = (evaluator: string) => Fragment

export class View {
  readonly #connection: Connection
  readonly #evaluation: number
  readonly #isWhole: boolean
  readonly #condition: Fragment
  /** What is sorted by, joined to the rows, and the terms of the order. */
  readonly #sorted: Fragment
  readonly #terms: string

  private constructor(
    connection: Connection,
    evaluation: number,
    isWhole: boolean,
    condition: Fragment,
    sorted: Fragment & { terms: string },
  ) {
    this.#connection = connection
    this.#evaluation = evaluation
    this.#isWhole = isWhole
    this.#condition = condition
    this.#sorted = sorted
    this.#terms = sorted.terms
  }

  /** Throws invalid-request where a filter or the order names what the evaluation does not have. */
  static async open(
    connection: Connection,
    evaluation: number,
    { filters, order }: ViewQuestion,
    deltas: Deltas = noBase,
  ): Promise<View> {
    const columns = await getScenarioColumns(connection, evaluation)
    const declared = await getDeclaredEvaluators(connection, evaluation)
    const condition = conditionOf(filters, {
      evaluation,
      columns,
      words: connection.sql,
      threshold: (evaluator) => thresholdOf(declared, evaluator),
      deltas,
    })
    const sorted = sortedBy(order, evaluation, columns, deltas)
    return new View(connection, evaluation, filters.length === 0, condition, sorted)
  }

  /** Which rows: a condition over `measure AS row`; undefined for all of them. */
  get condition(): Fragment | undefined {
    return this.#isWhole ? undefined : this.#condition
  }

  async count(): Promise<number> {
    const row = await this.#connection.get<{ count: number }>(
      `SELECT count(*) AS count FROM measure AS row WHERE row.evaluation = ? AND ${this.#condition.sql}`,
      this.#evaluation,
      ...this.#condition.values,
    )
    return row?.count ?? 0
  }

  /** Every position, in order. */
  positions(): Promise<Float64Array> {
    const { sql, values } = this.#select('row.position')
    return this.#connection.numbers(`${sql} ORDER BY ${this.#terms}`, ...values)
  }

  window(offset: number, limit: number): Promise<Float64Array> {
    const { sql, values } = this.#select('row.position')
    const statement = `${sql} ORDER BY ${this.#terms} LIMIT ? OFFSET ?`
    return this.#connection.numbers(statement, ...values, limit, offset)
  }

  /** How many rows come before the one at a position; undefined where it is not in the view. */
  async locate(position: number): Promise<number | undefined> {
    const { sql, values } = this.#select(`row.position AS position, ${this.#rank} AS place`)
    const row = await this.#connection.get<{ place: number }>(
      `SELECT place - 1 AS place FROM (${sql}) AS placed WHERE position = ?`,
      ...values,
      position,
    )
    return row?.place
  }

  /**
   * The positions behind one of them, whether or not that is still in the view; none is above `through`, so that what
   * is added meanwhile does not come in between.
   */
  page(after: number | undefined, through: number, limit: number): Promise<Float64Array> {
    const { sql, values } = this.#condition
    const inBounds = { sql: `row.position <= ? AND ${sql}`, values: [through, ...values] }
    if (after === undefined) {
      const first = this.#select('row.position', inBounds)
      return this.#connection.numbers(`${first.sql} ORDER BY ${this.#terms} LIMIT ?`, ...first.values, limit)
    }
    const placed = this.#select(`row.position AS position, ${this.#rank} AS place`, {
      sql: `(${inBounds.sql} OR row.position = ?)`,
      values: [...inBounds.values, after],
    })
    return this.#connection.numbers(
      `WITH placed AS MATERIALIZED (${placed.sql}) SELECT position FROM placed
       WHERE place > (SELECT place FROM placed WHERE position = ?) ORDER BY place LIMIT ?`,
      ...placed.values,
      after,
      limit,
    )
  }

  get #rank(): string {
    return `row_number() OVER (ORDER BY ${this.#terms})`
  }

  #select(what: string, condition = this.#condition): Fragment {
    return {
      sql: `SELECT ${what} FROM measure AS row ${this.#sorted.sql} WHERE row.evaluation = ? AND ${condition.sql}`,
      values: [...this.#sorted.values, this.#evaluation, ...condition.values],
    }
  }
}

function thresholdOf(declared: DeclaredEvaluators, evaluator: string) {
  const { threshold = null, higher_is_better = true } = declared.get(storable(evaluator)) ?? {}
  return threshold === null ? undefined : { threshold, higher_is_better }
}

function noBase(): never {
  throw new Problem('invalid-request', `A delta needs 'base': the id of the evaluation to compare with.`)
}

/** Rows without what is sorted by come last, whichever the direction; position breaks ties. */
function sortedBy(
  { by, name, direction }: Order,
  evaluation: number,
  columns: ScenarioColumns,
  deltas: Deltas,
): Fragment & { terms: string } {
  const term = (column: string) => `${column} ${direction} NULLS LAST`
  if (by === 'position') return { sql: '', values: [], terms: `row.position ${direction}` }
  if (by === 'result') {
    return {
      sql: `LEFT JOIN result AS sorted ON sorted.evaluation = ? AND sorted.evaluator = ?
        AND sorted.position = row.position AND sorted.is_error = 0`,
      values: [evaluation, ordinalOf(columns.score, name, 'evaluator')],
      terms: `${term('sorted.number')}, ${term('sorted.text')}, row.position`,
    }
  }
  if (by === 'delta') {
    const { sql, values } = deltas(name)
    return {
      sql: `LEFT JOIN (${sql}) AS sorted ON sorted.position = row.position`,
      values,
      terms: `${term('sorted.delta')}, row.position`,
    }
  }
  return { sql: '', values: [], terms: `${term(`row.${by}`)}, row.position` }
}
