// Pagination: opaque cursors and the Link header with the next page.
import { createHash } from 'node:crypto'
import { Problem } from '../../errors.ts'

export interface PageQuery {
  limit?: number
  cursor?: string
}

type Scalar = string | number | null

/** The parts of a position. `number`: an integer. `scalar`: a text, any number or null. */
interface PartTypes {
  string: string
  number: number
  scalar: Scalar
}

/** A cursor is opaque to clients and valid only for the list that returned it. */
export function writeCursor(list: string, position: Scalar[]): string {
  return Buffer.from(JSON.stringify([listHash(list), ...position])).toString('base64url')
}

/** Decodes the position in a cursor, if there is one, and checks the types of its parts. Throws invalid-request. */
export function readCursor<const Parts extends readonly (keyof PartTypes)[]>(
  list: string,
  { cursor }: PageQuery,
  parts: Parts,
): { [Index in keyof Parts]: PartTypes[Parts[Index]] } | undefined {
  if (cursor === undefined) return undefined
  const [hash, ...position] = decode(cursor)
  const isOfList = hash === listHash(list) && position.length === parts.length
  if (isOfList && parts.every((part, index) => isPart(part, position[index]))) return position as never
  throw otherCursorProblem()
}

export function otherCursorProblem(): Problem {
  return new Problem(
    'invalid-request',
    'The cursor does not belong to this list. Use the cursor in the Link header of the previous page.',
  )
}

function isPart(part: keyof PartTypes, value: unknown): boolean {
  if (part === 'number') return Number.isSafeInteger(value)
  if (part === 'scalar' && typeof value !== 'string') return value === null || Number.isFinite(value)
  // No position contains NUL, and PostgreSQL rejects NUL in text.
  return typeof value === 'string' && !value.includes('\0')
}

function decode(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** Binds a cursor to its list without including the name of the list. */
function listHash(list: string): string {
  return createHash('sha256').update(list).digest('base64url').slice(0, 12)
}

/** A Link header (RFC 8288). Its URL comes from the route and the settings, never from the client's Host header. */
export function nextLink(
  publicUrl: string | undefined,
  path: string,
  query: object,
  cursor: string,
  cursorName = 'cursor',
): string {
  const values: Record<string, string | number | string[]> = { ...query, [cursorName]: cursor }
  const parameters = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(item)}`),
  )
  return `<${publicUrl ?? ''}${path}?${parameters.join('&')}>; rel="next"`
}

/** The offset of the page that contains the row at `index`; the last page if `index` is after the last row. */
export function pageStart(index: number, total: number, limit: number): number {
  const row = Math.max(0, Math.min(index, total - 1))
  return row - (row % limit)
}
