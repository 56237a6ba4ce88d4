// A view of an evaluation: the positions of the rows that match filters, in order.
import type { RowFilter } from '../../schema/filters/filters.ts'
import { BY_POSITION, type Order } from '../../schema/filters/orders.ts'
import type { Connection } from '../dialect/dialect.ts'
import { getDeclaredEvaluators } from '../evaluations/evaluators.ts'
import { type BoundSql, joinConditions } from '../reads/conditions.ts'
import { getColumnOrdinals } from '../scenarios/columns.ts'
import { findDeltas, type ReadDeltas, sortByDelta } from './deltas.ts'
import { buildCondition, getOrdinal, isColumnFilter } from './filters.ts'

export interface ViewOptions {
  filters: RowFilter[]
  order: Order
}

/** A subset of the rows with its sort terms: SQL from FROM to WHERE, over `row` with its `position`. */
interface SortedPart extends BoundSql {
  terms: string
}

type PartBuilder = (condition: BoundSql | undefined) => SortedPart[]

export class View {
  /** A condition over `measure AS row`; undefined for all rows. */
  readonly condition: BoundSql | undefined
  readonly #connection: Connection
  /** Rows with a sort value first, then the others. */
  readonly #buildParts: PartBuilder
  /** If rows are sorted by score difference: the positions of those that have one. They come first. */
  readonly #sortedByDelta: Int32Array | undefined

  private constructor(
    connection: Connection,
    condition: BoundSql | undefined,
    buildParts: PartBuilder,
    sortedByDelta: Int32Array | undefined,
  ) {
    this.condition = condition
    this.#connection = connection
    this.#buildParts = buildParts
    this.#sortedByDelta = sortedByDelta
  }

  /** Throws invalid-request if a filter or the order names something that the evaluation does not have. */
  static async open(
    connection: Connection,
    evaluation: number,
    { filters, order }: ViewOptions,
    readDeltas: ReadDeltas = throwNoBaseline,
  ): Promise<View> {
    const ordinals = await getColumnOrdinals(connection, evaluation)
    const declared = await getDeclaredEvaluators(connection, evaluation)
    const { sql } = connection
    const conditions: BoundSql[] = []
    for (const filter of filters) {
      if (isColumnFilter(filter)) {
        conditions.push(buildCondition(filter, { evaluation, ordinals, declared, sql }))
        continue
      }
      getOrdinal(ordinals.score, filter.name, 'evaluator')
      const positions = findDeltas(await readDeltas(filter.name), filter)
      conditions.push({ sql: `row.position IN (${sql.integers})`, values: [`[${positions}]`] })
    }
    const isNamed = order.by === 'result' || order.by === 'delta'
    const evaluator = isNamed ? getOrdinal(ordinals.score, order.name, 'evaluator') : -1
    return new View(
      connection,
      conditions.length === 0 ? undefined : joinConditions(conditions),
      createPartBuilder(order, evaluation, evaluator),
      order.by === 'delta' ? sortByDelta(await readDeltas(order.name), order.direction) : undefined,
    )
  }

  /** All positions, in order. */
  positions(): Promise<Float64Array> {
    return this.#readOrdered(this.condition)
  }

  /** A window of positions. Without filters, reads only what is needed. */
  async window(offset: number, limit: number): Promise<Float64Array> {
    if (this.condition || this.#sortedByDelta) return (await this.positions()).slice(offset, offset + limit)
    const parts: Float64Array[] = []
    let [skip, remaining] = [offset, limit]
    for (const part of this.#buildParts(undefined)) {
      const positions = await this.#read(part, remaining, skip)
      parts.push(positions)
      remaining -= positions.length
      if (remaining === 0) break
      // The offset is beyond this part.
      if (positions.length === 0) skip -= await this.#count(part)
      else skip = 0
    }
    return concatenate(parts)
  }

  /**
   * The positions after `after`, which can be absent from the view. Positions above `through` are excluded, so that rows
   * added between two pages do not appear.
   */
  async page(after: number | undefined, through: number): Promise<Float64Array> {
    const positions = (await this.positions()).filter((position) => position <= through)
    if (after === undefined) return positions
    const { before, isIncluded } = await this.locate(after, positions)
    return positions.subarray(isIncluded ? before + 1 : before)
  }

  /** Counts how many of the ordered positions `among` come before `position`, and whether it is one of them. */
  async locate(position: number, among: Float64Array): Promise<{ before: number; isIncluded: boolean }> {
    const index = among.indexOf(position)
    if (index !== -1) return { before: index, isIncluded: true }
    // The position is filtered out. Its place in the order comes from the unfiltered view.
    const allPositions = await this.#readOrdered(undefined)
    const precedingPositions = new Set(allPositions.subarray(0, Math.max(0, allPositions.indexOf(position))))
    const before = among.findIndex((candidate) => !precedingPositions.has(candidate))
    return { before: before === -1 ? among.length : before, isIncluded: false }
  }

  async #readOrdered(condition: BoundSql | undefined): Promise<Float64Array> {
    const parts: Float64Array[] = []
    for (const part of this.#buildParts(condition)) parts.push(await this.#read(part))
    const positions = concatenate(parts)
    return this.#sortedByDelta ? moveToFront(positions, this.#sortedByDelta) : positions
  }

  #read({ sql, values, terms }: SortedPart, limit?: number, offset = 0): Promise<Float64Array> {
    const statement = `SELECT row.position ${sql} ORDER BY ${terms}`
    if (limit === undefined) return this.#connection.readNumbers(statement, ...values)
    return this.#connection.readNumbers(`${statement} LIMIT ? OFFSET ?`, ...values, limit, offset)
  }

  async #count({ sql, values }: SortedPart): Promise<number> {
    const row = await this.#connection.get<{ count: number }>(`SELECT count(*) AS count ${sql}`, ...values)
    return row?.count ?? 0
  }
}

function concatenate(lists: Float64Array[]): Float64Array {
  const nonEmpty = lists.filter(({ length }) => length > 0)
  if (nonEmpty.length < 2) return nonEmpty[0] ?? new Float64Array()
  const result = new Float64Array(lists.reduce((length, list) => length + list.length, 0))
  let offset = 0
  for (const list of lists) {
    result.set(list, offset)
    offset += list.length
  }
  return result
}

/** `first` can contain positions that are not in `positions`. */
function moveToFront(positions: Float64Array, first: Int32Array): Float64Array {
  const included = new Set(positions)
  const front = Float64Array.from(first).filter((position) => included.has(position))
  for (const position of first) included.delete(position)
  return concatenate([front, positions.filter((position) => included.has(position))])
}

function throwNoBaseline(): never {
  throw new Error('Delta filters and orders need a baseline')
}

/** The rows of `measure` that match a condition. */
function selectMeasureRows(evaluation: number, condition: BoundSql | undefined): BoundSql {
  const andCondition = condition ? ` AND ${condition.sql}` : ''
  return {
    sql: `FROM measure AS row WHERE row.evaluation = ?${andCondition}`,
    values: [evaluation, ...(condition?.values ?? [])],
  }
}

/** Position breaks ties and orders rows without a sort value. */
function createPartBuilder({ by, direction }: Order, evaluation: number, evaluator: number): PartBuilder {
  if (by === 'result') {
    const valuedParts = sortableResults(evaluation, evaluator).map(({ column, ...part }) => ({
      ...part,
      terms: `${column} ${direction}, row.position`,
    }))
    return (condition) => orderValuedFirst(valuedParts, evaluation, condition)
  }
  const isMeasure = by === 'latency' || by === 'cost'
  const ownTerm = isMeasure ? `row.${by} ${direction} NULLS LAST, ` : ''
  const terms = `${ownTerm}row.position ${by === 'position' ? direction : BY_POSITION.direction}`
  return (condition) => [{ ...selectMeasureRows(evaluation, condition), terms }]
}

/** The results of an evaluator with a column to sort them by: numbers first, then texts. */
export function sortableResults(evaluation: number, evaluator: number): (BoundSql & { column: string })[] {
  return ['row.number', 'row.text'].map((column) => ({
    sql: `FROM result AS row WHERE row.evaluation = ? AND row.evaluator = ? AND row.is_error = 0
      AND ${column} IS NOT NULL`,
    values: [evaluation, evaluator],
    column,
  }))
}

/** Sort values come from another table. Rows that are not in it come last. */
function orderValuedFirst(
  valuedParts: SortedPart[],
  evaluation: number,
  condition: BoundSql | undefined,
): SortedPart[] {
  const allRows = selectMeasureRows(evaluation, condition)
  const matchesCondition = condition && ` AND row.position IN (SELECT row.position ${allRows.sql})`
  const exclusions = valuedParts.map(({ sql }) => ` AND row.position NOT IN (SELECT row.position ${sql})`)
  return [
    ...valuedParts.map(({ sql, values, terms }) => ({
      sql: `${sql}${matchesCondition ?? ''}`,
      values: matchesCondition ? [...values, ...allRows.values] : values,
      terms,
    })),
    {
      sql: `${allRows.sql}${exclusions.join('')}`,
      values: [...allRows.values, ...valuedParts.flatMap(({ values }) => values)],
      terms: `row.position ${BY_POSITION.direction}`,
    },
  ]
}
