// A view of an evaluation: the rows that filters leave, in an order. It gives positions; what stands at them is read
// by others.
import { storable } from '../json/storable.ts'
import { BY_POSITION, type Filter, type Order } from '../schema/filters.ts'
import type { ScenarioColumns } from './derived.ts'
import type { Connection } from './dialect/dialect.ts'
import { type DeclaredEvaluators, getDeclaredEvaluators } from './evaluators.ts'
import { conditionOf, type Fragment, ordinalOf } from './filters.ts'
import { getScenarioColumns } from './scenarios.ts'

/** Gives `position` and `delta` of the rows that can be compared with a base on an evaluator. */
export type Deltas = (evaluator: string) => Fragment

export interface ViewQuestion {
  filters: Filter[]
  order: Order
}

/** A part of the rows and what they are sorted by: SQL from FROM to WHERE, over `row` with its `position`. */
interface Part extends Fragment {
  terms: string
}

export class View {
  /** Which rows: a condition over `measure AS row`; undefined for all of them. */
  readonly condition: Fragment | undefined
  readonly #connection: Connection
  /** Rows that have what is sorted by come first, then the others. */
  readonly #parts: (condition: Fragment | undefined) => Part[]

  private constructor(
    connection: Connection,
    condition: Fragment | undefined,
    parts: (condition: Fragment | undefined) => Part[],
  ) {
    this.condition = condition
    this.#connection = connection
    this.#parts = parts
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
    const context = {
      evaluation,
      columns,
      words: connection.sql,
      threshold: (evaluator: string) => thresholdOf(declared, evaluator),
      deltas,
    }
    const condition = filters.length === 0 ? undefined : conditionOf(filters, context)
    const parts = partsOf(order, evaluation, columns, deltas)
    return new View(connection, condition, parts)
  }

  /** Every position, in order. */
  positions(): Promise<Float64Array> {
    return this.#ordered(this.condition)
  }

  /** Some of them, without looking for the others where that can be helped. */
  async window(offset: number, limit: number): Promise<Float64Array> {
    if (this.condition) return (await this.positions()).slice(offset, offset + limit)
    const found: Float64Array[] = []
    let [skip, wanted] = [offset, limit]
    for (const part of this.#parts(undefined)) {
      const some = await this.#read(part, wanted, skip)
      found.push(some)
      wanted -= some.length
      if (wanted === 0) break
      // What is left to skip stands behind this part.
      if (some.length === 0) skip -= await this.#count(part)
      else skip = 0
    }
    return joined(found)
  }

  /**
   * The positions behind one of them, whether or not that is still in the view; none is above `through`, so that what
   * is added meanwhile does not come in between.
   */
  async page(after: number | undefined, through: number): Promise<Float64Array> {
    const left = (await this.positions()).filter((position) => position <= through)
    if (after === undefined) return left
    const { before, isThere } = await this.place(after, left)
    return left.subarray(isThere ? before + 1 : before)
  }

  /**
   * How many of these positions, which are of the view and in its order, come before another one of the evaluation; and
   * whether that is one of them.
   */
  async place(position: number, among: Float64Array): Promise<{ before: number; isThere: boolean }> {
    const place = among.indexOf(position)
    if (place !== -1) return { before: place, isThere: true }
    // The filters leave it out; its place among all rows is as if there were none.
    const every = await this.#ordered(undefined)
    const isBefore = new Set(every.subarray(0, Math.max(0, every.indexOf(position))))
    const behind = among.findIndex((one) => !isBefore.has(one))
    return { before: behind === -1 ? among.length : behind, isThere: false }
  }

  async #ordered(condition: Fragment | undefined): Promise<Float64Array> {
    const found: Float64Array[] = []
    for (const part of this.#parts(condition)) found.push(await this.#read(part))
    return joined(found)
  }

  #read({ sql, values, terms }: Part, limit?: number, offset = 0): Promise<Float64Array> {
    const statement = `SELECT row.position ${sql} ORDER BY ${terms}`
    if (limit === undefined) return this.#connection.numbers(statement, ...values)
    return this.#connection.numbers(`${statement} LIMIT ? OFFSET ?`, ...values, limit, offset)
  }

  async #count({ sql, values }: Part): Promise<number> {
    const row = await this.#connection.get<{ count: number }>(`SELECT count(*) AS count ${sql}`, ...values)
    return row?.count ?? 0
  }
}

function joined(lists: Float64Array[]): Float64Array {
  const filled = lists.filter(({ length }) => length > 0)
  if (filled.length < 2) return filled[0] ?? new Float64Array()
  const all = new Float64Array(lists.reduce((length, list) => length + list.length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all
}

/** Undefined where the evaluation declares none. */
export function thresholdOf(declared: DeclaredEvaluators, evaluator: string) {
  const { threshold = null, higher_is_better = true } = declared.get(storable(evaluator)) ?? {}
  return threshold === null ? undefined : { threshold, higher_is_better }
}

function noBase(): never {
  throw new Error('Who asks for a delta has a base')
}

/** Rows of `measure` that a condition leaves. */
function rowsOf(evaluation: number, condition: Fragment | undefined): Fragment {
  const and = condition ? ` AND ${condition.sql}` : ''
  return {
    sql: `FROM measure AS row WHERE row.evaluation = ?${and}`,
    values: [evaluation, ...(condition?.values ?? [])],
  }
}

/** Position breaks ties, and orders what has nothing to be sorted by. */
function partsOf(
  { by, name, direction }: Order,
  evaluation: number,
  columns: ScenarioColumns,
  deltas: Deltas,
): (condition: Fragment | undefined) => Part[] {
  if (by === 'position') {
    return (condition) => [{ ...rowsOf(evaluation, condition), terms: `row.position ${direction}` }]
  }
  if (by === 'latency' || by === 'cost') {
    const terms = `row.${by} ${direction} NULLS LAST, row.position`
    return (condition) => [{ ...rowsOf(evaluation, condition), terms }]
  }
  const valued =
    by === 'result'
      ? resultParts(evaluation, ordinalOf(columns.score, name, 'evaluator'), direction)
      : [deltaPart(deltas(name), direction)]
  return (condition) => valuedFirst(valued, evaluation, condition)
}

/** Scores, then labels: sorted by themselves, each has one thing to be compared by. */
function resultParts(evaluation: number, evaluator: number, direction: Order['direction']): Part[] {
  return ['number', 'text'].map((column) => ({
    sql: `FROM result AS row WHERE row.evaluation = ? AND row.evaluator = ? AND row.is_error = 0
      AND row.${column} IS NOT NULL`,
    values: [evaluation, evaluator],
    terms: `row.${column} ${direction}, row.position`,
  }))
}

function deltaPart({ sql, values }: Fragment, direction: Order['direction']): Part {
  return {
    sql: `FROM (${sql}) AS row WHERE row.delta IS NOT NULL`,
    values,
    terms: `row.delta ${direction}, row.position`,
  }
}

/** What is sorted by lies in a table of its own: rows that are not in it come behind. */
function valuedFirst(valued: Part[], evaluation: number, condition: Fragment | undefined): Part[] {
  const all = rowsOf(evaluation, condition)
  const left = condition && ` AND row.position IN (SELECT row.position ${all.sql})`
  const without = valued.map(({ sql }) => ` AND row.position NOT IN (SELECT row.position ${sql})`)
  return [
    ...valued.map(({ sql, values, terms }) => ({
      sql: `${sql}${left ?? ''}`,
      values: left ? [...values, ...all.values] : values,
      terms,
    })),
    {
      sql: `${all.sql}${without.join('')}`,
      values: [...all.values, ...valued.flatMap(({ values }) => values)],
      terms: `row.position ${BY_POSITION.direction}`,
    },
  ]
}
