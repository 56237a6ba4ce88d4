// Lists of a project's evaluations or variants, newest first.
import type { ListFilters } from '../../schema/filters/fields.ts'
import type { Filter } from '../../schema/filters/filters.ts'
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

/** A position in a list: after the element with this time and key. */
export interface ListPosition {
  created_at: string
  key: number
}

/** Before the first element: a colon sorts after the digits that times begin with. */
export const LIST_START: ListPosition = { created_at: ':', key: 0 }

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
  extraMember?: ExtraMember | undefined
}

/** An additional member of each element. */
export interface ExtraMember {
  name: string
  /** Returns JSON texts by row key. */
  read(connection: Connection, rows: ListRow[]): Promise<Map<number, string>>
}

/** Columns of every list. */
export interface ListRow extends ListPosition {
  version: string
}

export function newestFirstStatement<Row>({ table, columns }: ListTable<Row>, condition = '1 = 1'): string {
  return `SELECT key, version, ${columns} FROM ${table}
    WHERE project = ? AND (created_at, key) < (?, ?) AND ${condition}
    ORDER BY created_at DESC, key DESC LIMIT ?`
}

/** Up to `limit` elements after a position. */
export async function readList<Row>(
  connection: Connection,
  { list, project, filters, extraMember }: ListSelection<Row>,
  after: ListPosition,
  limit: number,
): Promise<ListPage> {
  const condition = listCondition(filters, connection.sql)
  const rows = await connection.all<Row & ListRow>(
    newestFirstStatement(list, condition.sql),
    project,
    after.created_at,
    after.key,
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
    next: lastRow && { created_at: lastRow.created_at, key: lastRow.key },
  }
}

/** All elements after a position, in chunks of several elements joined by the separator. */
export async function* readFullList<Row>(
  connection: Connection,
  selection: ListSelection<Row>,
  after: ListPosition,
  separator: string,
): AsyncGenerator<Uint8Array> {
  for (let position: ListPosition | undefined = after; position; ) {
    const page: ListPage = await readList(connection, selection, position, BATCH_SIZE)
    if (page.elements.length > 0) yield Buffer.from(page.elements.join(separator))
    position = page.next
  }
}
