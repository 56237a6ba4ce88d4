// Lists of a project's evaluations or variants, newest first.
import type { ListFilters } from '../schema/list-filters.ts'
import type { Connection } from './dialect/dialect.ts'
import type { ListFilter } from './list-filters.ts'

export interface NewestFirst<Row> {
  table: 'evaluation' | 'variant'
  /** SQL of what an element is made from. */
  columns: string
  filters: ListFilters
  /** The JSON text of one element. */
  element(row: Row): string
}

/** A place in such a list: behind the element with this time and key. */
export interface ListPlace {
  created_at: string
  key: number
}

/** Before the first element: a colon sorts behind every time, which begins with a digit. */
export const LIST_START: ListPlace = { created_at: ':', key: 0 }

export interface ListPage {
  /** JSON texts. */
  elements: string[]
  /** The place to go on from, while there is more. */
  next: ListPlace | undefined
}

const ROWS_AT_ONCE = 500

/** What is read of a list: of one project, those that fit the filter. */
export interface ListQuestion<Row> {
  list: NewestFirst<Row>
  project: number
  filter: ListFilter
  /** Texts of further members, by key. */
  more?: ((connection: Connection, rows: ListRow[]) => Promise<Map<number, string>>) | undefined
}

/** What is known of every row. */
export interface ListRow extends ListPlace {
  version: string
}

export function newestFirst<Row>({ table, columns }: NewestFirst<Row>, conditions = ''): string {
  return `SELECT key, version, ${columns} FROM ${table}
    WHERE project = ? AND (created_at, key) < (?, ?)${conditions}
    ORDER BY created_at DESC, key DESC LIMIT ?`
}

/** Up to `limit` elements behind a place. */
export async function readList<Row>(
  connection: Connection,
  { list, project, filter, more }: ListQuestion<Row>,
  after: ListPlace,
  limit: number,
): Promise<ListPage> {
  const rows = await connection.all<Row & ListRow>(
    newestFirst(list, filter.conditions(connection.sql)),
    project,
    after.created_at,
    after.key,
    ...filter.values,
    limit + 1,
  )
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const page = rows.slice(0, limit)
  const members = await more?.(connection, page)
  return {
    elements: page.map((row) => withMember(list.element(row), members?.get(row.key))),
    next: last && { created_at: last.created_at, key: last.key },
  }
}

/** Everything behind a place, as pieces of some elements joined by the separator. */
export async function* readWholeList<Row>(
  connection: Connection,
  question: ListQuestion<Row>,
  after: ListPlace,
  separator: string,
): AsyncGenerator<Uint8Array> {
  for (let place: ListPlace | undefined = after; place; ) {
    const page: ListPage = await readList(connection, question, place, ROWS_AT_ONCE)
    if (page.elements.length > 0) yield Buffer.from(page.elements.join(separator))
    place = page.next
  }
}

function withMember(element: string, member: string | undefined): string {
  return member === undefined ? element : `${element.slice(0, -1)},${member}}`
}
