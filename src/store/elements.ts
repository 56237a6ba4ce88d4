// The elements of a whole answer, read as few large pieces of text instead of one object a row. Serves
// both reads: the scenarios of an evaluation and the revisions of a variant.
import type { Connection } from './dialect/dialect.ts'

/** Where the elements of an answer are kept: their table, whose they are, and what orders them. */
export interface ElementTable {
  table: string
  owner: string
  position: string
  /** SQL for the text of one element. */
  element: string
}

/** The part of the elements that is wanted: positions above `after`, up to and with `through`. */
export interface Range {
  after: number
  through: number
}

/** How much there is to answer with: the elements, and the bytes of their texts. */
export interface Size {
  count: number
  bytes: number
}

/** Before the first position and beyond the last: every element. */
export const EVERYTHING: Range = { after: -1, through: Number.MAX_SAFE_INTEGER }

/** A piece is about this large, or one element if that is larger. */
const PIECE_BYTES = 256 * 1024
const PIECE_ELEMENTS = 128
/** However small they are. */
const MOST_ELEMENTS = 1024

/** The range of a page of `limit` elements, and whether more follow. Reads positions, no element. */
export async function pageRange(
  connection: Connection,
  { table, owner, position }: ElementTable,
  key: number,
  after: number,
  limit: number,
): Promise<Range & { more: boolean }> {
  const rows = await connection.all<{ position: number }>(
    pageStatement({ table, owner, position }),
    key,
    after,
    limit + 1,
  )
  const through = rows[Math.min(limit, rows.length) - 1]?.position ?? after
  return { after, through, more: rows.length > limit }
}

/** The elements of a range in order, each piece some whole elements joined by the separator. */
export async function* readPieces(
  connection: Connection,
  elements: ElementTable,
  key: number,
  { after, through }: Range,
  separator: string,
): AsyncGenerator<Uint8Array> {
  const piece = pieceStatement(elements)
  const reach = reachAsBefore(connection, elements, key, through)
  // Asked together: an engine across a network answers both in one go.
  const ask = (done: number, end: number) =>
    Promise.all([reach(end), connection.join(piece, separator, key, done, end)])
  let end = await reach(after)
  let asked = end === null ? undefined : ask(after, end)
  while (asked && end !== null) {
    const [next, bytes]: [number | null, Uint8Array] = await asked
    // The store is at the next piece while this one is on its way; nobody may come back for it.
    asked = next === null ? undefined : ask(end, next)
    asked?.catch(() => undefined)
    end = next
    yield bytes
  }
}

const CHOSEN_AT_ONCE = 128

/** The elements at these positions, in their order, each piece some whole elements joined by the separator. */
export async function* readChosen(
  connection: Connection,
  elements: ElementTable,
  key: number,
  positions: Float64Array,
  separator: string,
): AsyncGenerator<Uint8Array> {
  const piece = chosenStatement(elements)
  let asked: Promise<Uint8Array> | undefined
  for await (const some of chosenPortions(connection, elements, key, positions)) {
    const next = connection.join(piece, separator, ...padded(some), key, ...padded(some))
    // The store is at the next piece while this one is on its way; nobody may come back for it.
    next.catch(() => undefined)
    if (asked) yield asked
    asked = next
  }
  if (asked) yield asked
}

async function* chosenPortions(
  connection: Connection,
  elements: ElementTable,
  key: number,
  positions: Float64Array,
): AsyncGenerator<number[]> {
  const statement = sizesStatement(elements)
  for (let at = 0; at < positions.length; at += CHOSEN_AT_ONCE) {
    const chosen = [...positions.subarray(at, at + CHOSEN_AT_ONCE)]
    const sizes = await connection.all<{ position: number; size: number }>(statement, key, ...padded(chosen))
    const sizeAt = new Map(sizes.map(({ position, size }) => [position, size]))
    yield* portions(chosen, (position) => sizeAt.get(position) ?? 0)
  }
}

/** No element is at this position: it stands in where there are fewer than a statement has room for. */
const NOWHERE = -1

function padded(positions: number[]): number[] {
  return positions.concat(Array<number>(CHOSEN_AT_ONCE - positions.length).fill(NOWHERE))
}

/** As many as make up a piece, at least one. */
export function* portions(
  positions: number[],
  sizeOf: (position: number) => number,
  pieceBytes = PIECE_BYTES,
): Generator<number[]> {
  let some: number[] = []
  let bytes = 0
  for (const position of positions) {
    const size = sizeOf(position)
    if (some.length > 0 && bytes + size > pieceBytes) {
      yield some
      some = []
      bytes = 0
    }
    some.push(position)
    bytes += size
  }
  if (some.length > 0) yield some
}

const CHOSEN = Array<string>(CHOSEN_AT_ONCE).fill('?').join(', ')

function sizesStatement({ table, owner, position }: ElementTable): string {
  return `SELECT ${position} AS position, octet_length(body) AS size FROM ${table}
    WHERE ${owner} = ? AND ${position} IN (${CHOSEN})`
}

/** Every engine finds the positions in its index; which comes first, only the caller knows. */
function chosenStatement({ table, owner, position, element }: ElementTable): string {
  const places = Array.from({ length: CHOSEN_AT_ONCE }, (_, place) => `WHEN ? THEN ${place}`)
  return `SELECT CASE ${position} ${places.join(' ')} END AS place, ${element} AS element FROM ${table}
    WHERE ${owner} = ? AND ${position} IN (${CHOSEN}) ORDER BY place`
}

/**
 * The same as `reachFrom`, for one piece after the other. Elements are mostly about as large as those before them: as
 * many as should fit are only added up, and where that is too much after all the piece is measured.
 */
function reachAsBefore(
  connection: Connection,
  elements: ElementTable,
  key: number,
  through: number,
): (after: number) => Promise<number | null> {
  const statement = spanStatement(elements)
  let guess = PIECE_ELEMENTS
  return async (after) => {
    const span = await connection.get<Span>(statement, key, after, through, guess)
    if (!span || span.reach === null) return null
    const fitting = Math.floor((span.count * PIECE_BYTES * 0.9) / span.size)
    guess = Math.min(MOST_ELEMENTS, Math.max(1, fitting))
    if (span.size <= PIECE_BYTES || span.count === 1) return span.reach
    return reachFrom(connection, elements, key, { after, through })
  }
}

interface Span {
  reach: number | null
  size: number
  count: number
}

/** The position that the next piece of a range reaches to; null where nothing is left. */
export async function reachFrom(
  connection: Connection,
  elements: ElementTable,
  key: number,
  { after, through }: Range,
): Promise<number | null> {
  const row = await connection.get<{ reach: number | null }>(reachStatement(elements), key, after, through)
  return row?.reach ?? null
}

export function pageStatement({ table, owner, position }: Omit<ElementTable, 'element'>): string {
  return `SELECT ${position} AS position FROM ${table}
    WHERE ${owner} = ? AND ${position} > ? ORDER BY ${position} LIMIT ?`
}

/** How far the next piece reaches. `octet_length` of a column is known without reading its text. */
export function reachStatement({ table, owner, position }: ElementTable): string {
  return `SELECT coalesce(max(position) FILTER (WHERE size <= ${PIECE_BYTES}), min(position)) AS reach
    FROM (SELECT ${position} AS position, sum(octet_length(body)) OVER (ORDER BY ${position}) AS size
      FROM ${table} WHERE ${owner} = ? AND ${position} > ? AND ${position} <= ?
      ORDER BY ${position} LIMIT ${PIECE_ELEMENTS}) AS ahead`
}

/**
 * How far so many elements reach, and how large they are together. SQLite plans a statement anew whenever its bare LIMIT
 * is given another number; of a sum it does not look at the number.
 */
export function spanStatement({ table, owner, position }: ElementTable): string {
  return `SELECT max(position) AS reach, sum(size) AS size, count(*) AS count
    FROM (SELECT ${position} AS position, octet_length(body) AS size FROM ${table}
      WHERE ${owner} = ? AND ${position} > ? AND ${position} <= ? ORDER BY ${position} LIMIT ? + 0) AS ahead`
}

export function pieceStatement({ table, owner, position, element }: ElementTable): string {
  return `SELECT ${position} AS place, ${element} AS element FROM ${table}
    WHERE ${owner} = ? AND ${position} > ? AND ${position} <= ? ORDER BY ${position}`
}
