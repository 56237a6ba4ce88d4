// Lists of a project's evaluations or variants, sorted by time or name.
import type { ListFilters } from '../../schema/filters/fields.ts'
import type { Filter } from '../../schema/filters/filters.ts'
import type { ListOrder } from '../../schema/filters/orders.ts'
import type { Connection, Value } from '../dialect/dialect.ts'
import { listCondition } from './conditions.ts'
import { findFilterIndex, SORTED_NAME } from './list-indexes.ts'

/** The table of a list, and how a row is serialized. */
export interface ListTable<Row> {
  table: 'evaluation' | 'variant'
  /** The columns that `element` needs. */
  columns: string
  filters: ListFilters
  /** The JSON text of one element. */
  element(row: Row): string
}

/** A position in a list: after the element with this sort value and key. */
export interface ListPosition {
  sort_value: string
  key: number
}

/** Each has an index on project, this expression and key. A name can exceed the size limit of an index entry. */
const SORT_EXPRESSIONS: Record<ListOrder['by'], string> = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  name: SORTED_NAME,
}

export interface ListPage {
  /** The JSON text of each element. */
  elements: string[]
  /** The position of the next page; undefined on the last page. */
  next: ListPosition | undefined
}

const BATCH_SIZE = 500

/** Which elements to read: those of one project that match all filters. */
export interface ListSelection<Row> {
  list: ListTable<Row>
  project: number
  filters: Filter[]
  order: ListOrder
  extraMember?: ExtraMember | undefined
}

/** An additional member of each element. */
export interface ExtraMember {
  name: string
  /** Returns JSON texts by row key. */
  read(connection: Connection, rows: ListPosition[]): Promise<Map<number, string>>
  /** Whether `read` can read many rows. */
  isSlow: boolean
}

/** The part of a list to read: all of it, or the elements with a sort value after a key, or all with a later sort value. */
export type ListPart = 'all' | 'rest of sort value' | 'later sort values'

export function listStatement<Row>(
  { table, columns }: ListTable<Row>,
  { by, direction }: ListOrder,
  part: ListPart,
  condition = '1 = 1',
  indexHint = '',
): string {
  const sortValue = SORT_EXPRESSIONS[by]
  const sign = direction === 'asc' ? '>' : '<'
  const starts: Record<ListPart, string> = {
    all: '',
    // Not one comparison of both as a row: SQLite does not use the index for a row with an expression.
    'rest of sort value': `AND ${sortValue} = ? AND key ${sign} ? `,
    'later sort values': `AND ${sortValue} ${sign} ? `,
  }
  return `SELECT key, ${sortValue} AS sort_value, ${columns} FROM ${table}${indexHint}
    WHERE project = ? ${starts[part]}AND ${condition}
    ORDER BY ${part === 'rest of sort value' ? '' : `${sortValue} ${direction}, `}key ${direction} LIMIT ?`
}

/** Up to `limit` elements after a position. */
export async function readList<Row>(
  connection: Connection,
  selection: ListSelection<Row>,
  after: ListPosition | undefined,
  limit: number,
): Promise<ListPage> {
  const { list, extraMember } = selection
  const rows = await readRows(connection, selection, after, limit + 1)
  const lastRow = rows.length > limit ? rows[limit - 1] : undefined
  const page = rows.slice(0, limit)
  const members = await extraMember?.read(connection, page)
  return {
    elements: page.map((row) => {
      const element = list.element(row)
      return members ? `${element.slice(0, -1)},"${extraMember?.name}":${members.get(row.key)}}` : element
    }),
    next: lastRow && { sort_value: lastRow.sort_value, key: lastRow.key },
  }
}

async function readRows<Row>(
  connection: Connection,
  { list, project, filters, order }: ListSelection<Row>,
  after: ListPosition | undefined,
  limit: number,
): Promise<(Row & ListPosition)[]> {
  const effectiveFilters = after
    ? filters.filter((filter) => !isImplied(filter, order, after.sort_value))
    : filters
  const condition = listCondition(list.filters, effectiveFilters, connection.sql)
  const index = findFilterIndex(list.table, filters, order)
  const indexHint = index === undefined ? '' : connection.sql.indexHint(index)
  const readPart = (part: ListPart, start: Value[], limit: number) =>
    connection.all<Row & ListPosition>(
      listStatement(list, order, part, condition.sql, indexHint),
      project,
      ...start,
      ...condition.values,
      limit,
    )
  if (!after) return readPart('all', [], limit)
  const { sort_value, key } = after
  const rows = await readPart('rest of sort value', [sort_value, key], limit)
  if (rows.length === limit) return rows
  return [...rows, ...(await readPart('later sort values', [sort_value], limit - rows.length))]
}

/** Of two bounds on the same side, SQLite can use the weaker one, and would read all previous pages again. */
function isImplied({ field, operator, value }: Filter, { by, direction }: ListOrder, start: string): boolean {
  if (field !== by || by === 'name') return false
  return direction === 'asc'
    ? (operator === 'gt' && start > String(value)) || (operator === 'gte' && start >= String(value))
    : (operator === 'lt' && start < String(value)) || (operator === 'lte' && start <= String(value))
}

/** All elements after a position, in chunks of several elements joined by the separator. */
export async function* readFullList<Row>(
  connection: Connection,
  selection: ListSelection<Row>,
  after: ListPosition | undefined,
  separator: string,
): AsyncGenerator<Uint8Array> {
  let position = after
  do {
    const page: ListPage = await readList(connection, selection, position, BATCH_SIZE)
    if (page.elements.length > 0) yield Buffer.from(page.elements.join(separator))
    position = page.next
  } while (position)
}
