// A view of an evaluation: the positions of the rows that match filters, in order.
import { toStorableText } from '../../json/storable-text.ts'
import { listNames, type RowFilter } from '../../schema/filters/filters.ts'
import { BY_POSITION, type Order } from '../../schema/filters/orders.ts'
import type { Connection } from '../dialect/dialect.ts'
import { getDeclaredEvaluators } from '../evaluations/evaluators.ts'
import { type BoundSql, joinConditions } from '../reads/conditions.ts'
import { type ColumnOrdinals, getColumnOrdinals } from '../scenarios/columns.ts'
import { findDeltas, type ReadDeltas, sortByDelta } from './deltas.ts'
import { buildCondition, getOrdinal, isColumnFilter } from './filters.ts'

export interface ViewOptions {
  filters: RowFilter[]
  order: Order
  /** Whether a page of the view was read before. Columns that have been deleted since are not an error then. */
  isContinued?: boolean
}

/** A subset of the rows: SQL from FROM to WHERE, over `row` with its `position`. Position breaks ties of the column. */
interface SortedPart extends BoundSql {
  column?: string
  direction: Order['direction']
}

type PartBuilder = (condition: BoundSql | undefined) => SortedPart[]

/** The place of a row in the order of a view. It remains valid when the row is changed or deleted. */
export interface SortKey {
  /** Rows are sorted by group, then by value, then by position. Those without a value are the last group. */
  group: number
  value: number | string | null
  position: number
}

/** The sort by score difference: the differences by position, and the positions of rows with a difference, in order. */
interface DeltaOrder {
  deltas: Float64Array
  direction: Order['direction']
  positions: Int32Array
}

/** Reads what SQL cannot compute, for filters and orders. */
export interface RowReaders {
  readDeltas: ReadDeltas
  /** The positions of all scenarios of rows that both pass and fail. */
  readFlaky(evaluator: string): Promise<Int32Array>
}

export class View {
  /** A condition over `measure AS row`; undefined for all rows. */
  readonly condition: BoundSql | undefined
  readonly #connection: Connection
  /** Rows with a sort value first, then the others. */
  readonly #buildParts: PartBuilder
  /** If rows are sorted by score difference. Those that have one come first. */
  readonly #deltaOrder: DeltaOrder | undefined

  private constructor(
    connection: Connection,
    condition: BoundSql | undefined,
    buildParts: PartBuilder,
    deltaOrder: DeltaOrder | undefined,
  ) {
    this.condition = condition
    this.#connection = connection
    this.#buildParts = buildParts
    this.#deltaOrder = deltaOrder
  }

  /** Throws invalid-request if a filter or the order names something that the evaluation does not have. */
  static async open(
    connection: Connection,
    evaluation: number,
    { filters, order, isContinued = false }: ViewOptions,
    { readDeltas, readFlaky }: RowReaders,
  ): Promise<View> {
    const ordinals = await getColumnOrdinals(connection, evaluation)
    if (isContinued) addDeletedColumns(ordinals, filters, order)
    const declared = await getDeclaredEvaluators(connection, evaluation)
    const { sql } = connection
    const conditions: BoundSql[] = []
    for (const filter of filters) {
      if (isColumnFilter(filter)) {
        conditions.push(buildCondition(filter, { evaluation, ordinals, declared, sql }))
        continue
      }
      getOrdinal(ordinals.score, filter.name, 'evaluator')
      const isFlaky = filter.field === 'flaky'
      const positions = isFlaky
        ? await readFlaky(filter.name)
        : findDeltas(await readDeltas(filter.name), filter)
      const operator = isFlaky && filter.value === 'false' ? 'NOT IN' : 'IN'
      conditions.push({ sql: `row.position ${operator} (${sql.integers})`, values: [`[${positions}]`] })
    }
    const isNamed = order.by === 'result' || order.by === 'delta'
    const evaluator = isNamed ? getOrdinal(ordinals.score, order.name, 'evaluator') : -1
    return new View(
      connection,
      conditions.length === 0 ? undefined : joinConditions(conditions),
      createPartBuilder(order, evaluation, evaluator),
      order.by === 'delta' ? createDeltaOrder(await readDeltas(order.name), order.direction) : undefined,
    )
  }

  /** All positions, in order. */
  positions(): Promise<Float64Array> {
    return this.#readOrdered(this.condition)
  }

  /** A window of positions. Without filters, reads only what is needed. */
  async window(offset: number, limit: number): Promise<Float64Array> {
    if (this.condition || this.#deltaOrder) return (await this.positions()).slice(offset, offset + limit)
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
   * The positions after a key. Positions above `through` are excluded, so that rows added between two pages do not
   * appear.
   */
  async page(after: SortKey | undefined, through: number): Promise<Float64Array> {
    const positions = after ? await this.#readAfter(after) : await this.positions()
    return positions.filter((position) => position <= through)
  }

  /** The key of a row, which must exist. */
  async sortKeyOf(position: number): Promise<SortKey> {
    if (this.#deltaOrder) return deltaSortKey(this.#deltaOrder, position)
    const parts = this.#buildParts(undefined)
    for (const [group, { sql, values, column }] of parts.entries()) {
      if (column === undefined) continue
      const row = await this.#connection.get<{ value: number | string }>(
        `SELECT ${column} AS value ${sql} AND row.position = ?`,
        ...values,
        position,
      )
      if (row) return { group, value: row.value, position }
    }
    return { group: parts.length - 1, value: null, position }
  }

  /** Whether a key can be one of this view. Keys come from clients. */
  isSortKey({ group, value }: SortKey): boolean {
    const types = this.#deltaOrder ? ['number', 'object'] : this.#buildParts(undefined).map(valueTypeOf)
    return types[group] === typeof value
  }

  async #readAfter(after: SortKey): Promise<Float64Array> {
    if (this.#deltaOrder) {
      const { deltas, direction } = this.#deltaOrder
      const isAfter = compareDeltas(deltas, direction, after)
      return (await this.positions()).filter(isAfter)
    }
    const [firstPart, ...otherParts] = this.#buildParts(this.condition).slice(after.group)
    const parts = firstPart ? [rowsAfter(firstPart, after), ...otherParts] : []
    return this.#readParts(parts)
  }

  /**
   * Counts how many of the ordered positions `among` come before `position`, and whether it is one of them. `sortAll` orders the
   * positions of all scenarios like `among`.
   */
  async locate(
    position: number,
    among: Float64Array,
    sortAll = async (positions: Float64Array) => positions,
  ): Promise<{ before: number; isIncluded: boolean }> {
    const index = among.indexOf(position)
    if (index !== -1) return { before: index, isIncluded: true }
    // The position is filtered out. Its place in the order comes from the unfiltered view.
    const allPositions = await sortAll(await this.#readOrdered(undefined))
    const precedingPositions = new Set(allPositions.subarray(0, Math.max(0, allPositions.indexOf(position))))
    const before = among.findIndex((candidate) => !precedingPositions.has(candidate))
    return { before: before === -1 ? among.length : before, isIncluded: false }
  }

  async #readOrdered(condition: BoundSql | undefined): Promise<Float64Array> {
    const positions = await this.#readParts(this.#buildParts(condition))
    return this.#deltaOrder ? moveToFront(positions, this.#deltaOrder.positions) : positions
  }

  async #readParts(parts: SortedPart[]): Promise<Float64Array> {
    const lists: Float64Array[] = []
    for (const part of parts) lists.push(await this.#read(part))
    return concatenate(lists)
  }

  #read({ sql, values, column, direction }: SortedPart, limit?: number, offset = 0): Promise<Float64Array> {
    const terms = column === undefined ? `row.position ${direction}` : `${column} ${direction}, row.position`
    const select = `SELECT row.position ${sql}`
    if (limit === undefined) return this.#connection.readNumbers(`${select} ORDER BY ${terms}`, ...values)
    // All rows are sorted for a window.
    const isCancelable = column === undefined ? '' : ` AND ${this.#connection.sql.cancelable('row.position')}`
    const statement = `${select}${isCancelable} ORDER BY ${terms} LIMIT ? OFFSET ?`
    return this.#connection.readNumbers(statement, ...values, limit, offset)
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

/** The rows of a part that come after a key of its group. */
function rowsAfter(part: SortedPart, { value, position }: SortKey): SortedPart {
  const { sql, values, column, direction } = part
  const sign = direction === 'asc' ? '>' : '<'
  if (column === undefined)
    return { ...part, sql: `${sql} AND row.position ${sign} ?`, values: [...values, position] }
  return {
    ...part,
    sql: `${sql} AND (${column} ${sign} ? OR ${column} = ? AND row.position > ?)`,
    values: [...values, value, value, position],
  }
}

/** The type of the values of a part, as in SortKey. */
function valueTypeOf({ column }: SortedPart): string {
  if (column === undefined) return 'object'
  return column === TEXT_COLUMN ? 'string' : 'number'
}

function createDeltaOrder(deltas: Float64Array, direction: Order['direction']): DeltaOrder {
  return { deltas, direction, positions: sortByDelta(deltas, direction) }
}

function deltaSortKey({ deltas }: DeltaOrder, position: number): SortKey {
  const delta = deltas[position] ?? Number.NaN
  return Number.isFinite(delta) ? { group: 0, value: delta, position } : { group: 1, value: null, position }
}

/** Returns a function that tells whether the row at a position comes after a key. */
function compareDeltas(
  deltas: Float64Array,
  direction: Order['direction'],
  after: SortKey,
): (position: number) => boolean {
  const sign = direction === 'desc' ? -1 : 1
  return (position) => {
    const delta = deltas[position] ?? Number.NaN
    const group = Number.isFinite(delta) ? 0 : 1
    if (group !== after.group) return group > after.group
    const difference = group === 1 ? 0 : sign * (delta - Number(after.value))
    return difference === 0 ? position > after.position : difference > 0
  }
}

/** The ordinal of columns that no row has any more. */
const NO_ORDINAL = -1

/** While a client reads the pages of a view, the rows that have a column can be deleted. No row has it then. */
function addDeletedColumns(ordinals: ColumnOrdinals, filters: RowFilter[], order: Order): void {
  const names = [...filters.flatMap(listNames), { kind: 'evaluator', name: order.name }]
  for (const { kind: noun, name } of names) {
    const column = toStorableText(name)
    const kind = noun === 'input' ? 'input' : 'score'
    if (!ordinals[kind].has(column)) ordinals[kind].set(column, NO_ORDINAL)
  }
}

/** The rows of `measure` that match a condition. */
function selectMeasureRows(evaluation: number, condition: BoundSql | undefined): BoundSql {
  const andCondition = condition ? ` AND ${condition.sql}` : ''
  return {
    sql: `FROM measure AS row WHERE row.evaluation = ?${andCondition}`,
    values: [evaluation, ...(condition?.values ?? [])],
  }
}

/** Position orders rows without a sort value. */
function createPartBuilder({ by, direction }: Order, evaluation: number, evaluator: number): PartBuilder {
  if (by === 'result') {
    const valuedParts = sortableResults(evaluation, evaluator).map((part) => ({ ...part, direction }))
    return (condition) => orderValuedFirst(valuedParts, evaluation, condition)
  }
  if (by === 'latency' || by === 'cost') {
    const column = `row.${by}`
    return (condition) => {
      const { sql, values } = selectMeasureRows(evaluation, condition)
      return [
        { sql: `${sql} AND ${column} IS NOT NULL`, values, column, direction },
        { sql: `${sql} AND ${column} IS NULL`, values, direction: BY_POSITION.direction },
      ]
    }
  }
  const partDirection = by === 'position' ? direction : BY_POSITION.direction
  return (condition) => [{ ...selectMeasureRows(evaluation, condition), direction: partDirection }]
}

/** Cursors contain the sort value of a row, so it must not be long. */
const TEXT_COLUMN = 'substr(row.text, 1, 200)'

/** The results of an evaluator with a column to sort them by: numbers first, then texts. */
export function sortableResults(evaluation: number, evaluator: number): (BoundSql & { column: string })[] {
  return ['row.number', TEXT_COLUMN].map((column) => ({
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
    ...valuedParts.map(({ sql, values, ...part }) => ({
      ...part,
      sql: `${sql}${matchesCondition ?? ''}`,
      values: matchesCondition ? [...values, ...allRows.values] : values,
    })),
    {
      sql: `${allRows.sql}${exclusions.join('')}`,
      values: [...allRows.values, ...valuedParts.flatMap(({ values }) => values)],
      direction: BY_POSITION.direction,
    },
  ]
}
