// Lists of a project's evaluations or variants, sorted by time or name.
import type { ListFilters } from '../../schema/filters/fields.ts'
import type { Filter } from '../../schema/filters/filters.ts'
import type { ListOrder } from '../../schema/filters/orders.ts'
import type { Connection } from '../dialect/dialect.ts'
import { listCondition } from './conditions.ts'

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
  name: 'substr(coalesce(name, id), 1, 200)',
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
  isSlow(connection: Connection): Promise<boolean>
}

/** `hasStart`: whether the list starts after a position. */
export function listStatement<Row>(
  { table, columns }: ListTable<Row>,
  { by, direction }: ListOrder,
  hasStart: boolean,
  condition = '1 = 1',
): string {
  const sortValue = SORT_EXPRESSIONS[by]
  const start = hasStart ? `AND (${sortValue}, key) ${direction === 'asc' ? '>' : '<'} (?, ?) ` : ''
  return `SELECT key, ${sortValue} AS sort_value, ${columns} FROM ${table}
    WHERE project = ? ${start}AND ${condition}
    ORDER BY ${sortValue} ${direction}, key ${direction} LIMIT ?`
}

/** Up to `limit` elements after a position. */
export async function readList<Row>(
  connection: Connection,
  { list, project, filters, order, extraMember }: ListSelection<Row>,
  after: ListPosition | undefined,
  limit: number,
): Promise<ListPage> {
  const condition = listCondition(list.filters, filters, connection.sql)
  const rows = await connection.all<Row & ListPosition>(
    listStatement(list, order, after !== undefined, condition.sql),
    project,
    ...(after ? [after.sort_value, after.key] : []),
    ...condition.values,
    limit + 1,
  )
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
