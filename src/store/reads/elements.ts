// Reads response elements (scenarios of an evaluation, revisions of a variant) as a few large pieces of text instead of
// one object per row.
import type { Connection } from '../dialect/dialect.ts'

/** The table and columns that elements are read from. */
export interface ElementTable {
  table: string
  /** Column with the key of the evaluation or variant. */
  owner: string
  /** Column that elements are ordered by. */
  position: string
  /** SQL expression for the text of one element. */
  element: string
}

/** A range of positions: greater than `after`, up to and including `through`. */
export interface Range {
  after: number
  through: number
}

/** The number of elements and the total size of their texts. */
export interface Size {
  count: number
  bytes: number
}

/** All elements. */
export const FULL_RANGE: Range = { after: -1, through: Number.MAX_SAFE_INTEGER }

/** Target size of a piece. A single element can be larger. */
const PIECE_BYTES = 256 * 1024
const PIECE_ELEMENTS = 128
/** Limit for pieces of small elements. */
const MAX_PIECE_ELEMENTS = 1024

/** The range of a page of `limit` elements, and whether more follow. Reads only positions. */
export async function pageRange(
  connection: Connection,
  { table, owner, position }: ElementTable,
  key: number,
  after: number,
  limit: number,
): Promise<Range & { hasMore: boolean }> {
  const rows = await connection.all<{ position: number }>(
    pageStatement({ table, owner, position }),
    key,
    after,
    limit + 1,
  )
  const through = rows[Math.min(limit, rows.length) - 1]?.position ?? after
  return { after, through, hasMore: rows.length > limit }
}

/** The elements of a range in order. Each piece has one or more complete elements, joined by the separator. */
export async function* readPieces(
  connection: Connection,
  elements: ElementTable,
  key: number,
  { after, through }: Range,
  separator: string,
): AsyncGenerator<Uint8Array> {
  const piece = pieceStatement(elements)
  const nextEnd = pieceEndEstimator(connection, elements, key, through)
  // Sent together, so that PostgreSQL needs one round trip for both.
  const read = (start: number, end: number) =>
    Promise.all([nextEnd(end), connection.joinElements(piece, separator, key, start, end)])
  let end = await nextEnd(after)
  let pending = end === null ? undefined : read(after, end)
  while (pending && end !== null) {
    const [next, bytes]: [number | null, Uint8Array] = await pending
    // Reads the next piece while this one is being sent. The consumer can stop before it awaits that read.
    pending = next === null ? undefined : read(end, next)
    pending?.catch(() => undefined)
    end = next
    yield bytes
  }
}

const POSITIONS_PER_STATEMENT = 128

/** The elements at these positions, in this order. Each piece has one or more complete elements. */
export async function* readElementsAt(
  connection: Connection,
  elements: ElementTable,
  key: number,
  positions: Float64Array,
  separator: string,
): AsyncGenerator<Uint8Array> {
  const statement = elementsAtStatement(elements)
  let pending: Promise<Uint8Array> | undefined
  for await (const group of groupPositions(connection, elements, key, positions)) {
    const next = connection.joinElements(statement, separator, ...padded(group), key, ...padded(group))
    // Reads the next piece while this one is being sent. The consumer can stop before it awaits that read.
    next.catch(() => undefined)
    if (pending) yield pending
    pending = next
  }
  if (pending) yield pending
}

async function* groupPositions(
  connection: Connection,
  elements: ElementTable,
  key: number,
  positions: Float64Array,
): AsyncGenerator<number[]> {
  const statement = sizesStatement(elements)
  for (let at = 0; at < positions.length; at += POSITIONS_PER_STATEMENT) {
    const batch = [...positions.subarray(at, at + POSITIONS_PER_STATEMENT)]
    const sizes = await connection.all<{ position: number; size: number }>(statement, key, ...padded(batch))
    const sizeAt = new Map(sizes.map(({ position, size }) => [position, size]))
    yield* splitBySize(batch, (position) => sizeAt.get(position) ?? 0)
  }
}

/** Pads a list of positions to the size of the statement: no element has this position. */
const NO_POSITION = -1

function padded(positions: number[]): number[] {
  return positions.concat(Array<number>(POSITIONS_PER_STATEMENT - positions.length).fill(NO_POSITION))
}

/** Groups positions so that each group has at most `pieceBytes`, but at least one element. */
export function* splitBySize(
  positions: number[],
  sizeOf: (position: number) => number,
  pieceBytes = PIECE_BYTES,
): Generator<number[]> {
  let group: number[] = []
  let bytes = 0
  for (const position of positions) {
    const size = sizeOf(position)
    if (group.length > 0 && bytes + size > pieceBytes) {
      yield group
      group = []
      bytes = 0
    }
    group.push(position)
    bytes += size
  }
  if (group.length > 0) yield group
}

const PLACEHOLDERS = Array<string>(POSITIONS_PER_STATEMENT).fill('?').join(', ')

function sizesStatement({ table, owner, position }: ElementTable): string {
  return `SELECT ${position} AS position, octet_length(body) AS size FROM ${table}
    WHERE ${owner} = ? AND ${position} IN (${PLACEHOLDERS})`
}

/** Finds the elements by index and returns them in the order of the placeholders. */
function elementsAtStatement({ table, owner, position, element }: ElementTable): string {
  const ordinals = Array.from({ length: POSITIONS_PER_STATEMENT }, (_, ordinal) => `WHEN ? THEN ${ordinal}`)
  return `SELECT CASE ${position} ${ordinals.join(' ')} END AS ordinal, ${element} AS element FROM ${table}
    WHERE ${owner} = ? AND ${position} IN (${PLACEHOLDERS}) ORDER BY ordinal`
}

/**
 * Finds the ends of consecutive pieces. Estimates the number of elements from the size of the previous ones, which is
 * cheaper than findPieceEnd. Falls back to it if the estimate is too large.
 */
function pieceEndEstimator(
  connection: Connection,
  elements: ElementTable,
  key: number,
  through: number,
): (after: number) => Promise<number | null> {
  const statement = spanStatement(elements)
  let estimate = PIECE_ELEMENTS
  return async (after) => {
    const span = await connection.get<Span>(statement, key, after, through, estimate)
    if (!span || span.end === null) return null
    const fittingElements = Math.floor((span.count * PIECE_BYTES * 0.9) / span.size)
    estimate = Math.min(MAX_PIECE_ELEMENTS, Math.max(1, fittingElements))
    if (span.size <= PIECE_BYTES || span.count === 1) return span.end
    return findPieceEnd(connection, elements, key, { after, through })
  }
}

interface Span {
  end: number | null
  size: number
  count: number
}

/** The last position of the next piece of a range; null if nothing is left. */
export async function findPieceEnd(
  connection: Connection,
  elements: ElementTable,
  key: number,
  { after, through }: Range,
): Promise<number | null> {
  const row = await connection.get<{ end: number | null }>(pieceEndStatement(elements), key, after, through)
  return row?.end ?? null
}

export function pageStatement({ table, owner, position }: Omit<ElementTable, 'element'>): string {
  return `SELECT ${position} AS position FROM ${table}
    WHERE ${owner} = ? AND ${position} > ? ORDER BY ${position} LIMIT ?`
}

/** Selects the last position of the next piece. `octet_length` of a column does not read its text. */
export function pieceEndStatement({ table, owner, position }: ElementTable): string {
  return `SELECT coalesce(max(position) FILTER (WHERE size <= ${PIECE_BYTES}), min(position)) AS "end"
    FROM (SELECT ${position} AS position, sum(octet_length(body)) OVER (ORDER BY ${position}) AS size
      FROM ${table} WHERE ${owner} = ? AND ${position} > ? AND ${position} <= ?
      ORDER BY ${position} LIMIT ${PIECE_ELEMENTS}) AS ahead`
}

/**
 * Selects the last position and the total size of the next elements. SQLite recompiles a statement when a plain LIMIT
 * parameter changes; `? + 0` avoids that.
 */
export function spanStatement({ table, owner, position }: ElementTable): string {
  return `SELECT max(position) AS "end", sum(size) AS size, count(*) AS count
    FROM (SELECT ${position} AS position, octet_length(body) AS size FROM ${table}
      WHERE ${owner} = ? AND ${position} > ? AND ${position} <= ? ORDER BY ${position} LIMIT ? + 0) AS ahead`
}

export function pieceStatement({ table, owner, position, element }: ElementTable): string {
  return `SELECT ${position} AS ordinal, ${element} AS element FROM ${table}
    WHERE ${owner} = ? AND ${position} > ? AND ${position} <= ? ORDER BY ${position}`
}
