// Pages: the cursor that names a place in a list, and the Link field that leads to the next page.
import { createHash } from 'node:crypto'
import { Problem } from '../errors.ts'

/** Opaque to clients, and of use only for the list it came from. */
export function writeCursor(list: string, place: (string | number)[]): string {
  return Buffer.from(JSON.stringify([listMark(list), ...place])).toString('base64url')
}

/** The place a cursor names, checked against what its parts must be. Throws invalid-request. */
export function readCursor<const Parts extends readonly ('string' | 'number')[]>(
  list: string,
  cursor: string,
  parts: Parts,
): { [Index in keyof Parts]: Parts[Index] extends 'string' ? string : number } {
  const [mark, ...place] = decode(cursor)
  const fits = mark === listMark(list) && place.length === parts.length
  if (fits && parts.every((part, index) => isPart(part, place[index]))) return place as never
  throw new Problem(
    'invalid-request',
    'The cursor is not one of this list. Take it from the Link field of the page before.',
  )
}

function isPart(part: 'string' | 'number', value: unknown): boolean {
  if (part === 'number') return Number.isSafeInteger(value)
  // No place has the character NUL in it, and not every store can be asked for it.
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

/** Binds a cursor to its list without repeating the list's name in it. */
function listMark(list: string): string {
  return createHash('sha256').update(list).digest('base64url').slice(0, 12)
}

/** RFC 8288. The path comes from the route and the settings, never from what the client sent as Host. */
export function nextLink(
  publicUrl: string | undefined,
  path: string,
  query: Record<string, string | number>,
  cursor: string,
): string {
  const parameters = Object.entries({ ...query, cursor }).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  return `<${publicUrl ?? ''}${path}?${parameters.join('&')}>; rel="next"`
}
