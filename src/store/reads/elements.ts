// Reads response elements (scenarios of an evaluation, revisions of a variant) as a few large chunks of text instead
// of one object per row.
import type { Connection } from '../dialect/dialect.ts'
import { inList, inLists } from './in-list.ts'

/** The table and columns that elements are read from. */
export interface ElementTable {
  table: string
  /** Column with the key of the evaluation or variant. */
  parent: string
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

/** Target size of a chunk whose end is searched by size. A single element can be larger. */
const CHUNK_BYTES = 256 * 1024
/** Number of elements of the first chunk, and limit of a chunk whose end is searched by size. */
const CHUNK_ELEMENTS = 128
/** Limits the number of elements in a chunk: smaller elements count as this large. */
const MIN_ELEMENT_BYTES = 256

/** The range of a page of `limit` elements, and whether more follow. Reads only positions. */
export async function getPageRange(
  connection: Connection,
  { table, parent, position }: ElementTable,
  key: number,
  after: number,
  limit: number,
): Promise<Range & { hasMore: boolean }> {
  const rows = await connection.all<{ position: number }>(
    pageStatement({ table, parent, position }),
    key,
    after,
    limit + 1,
  )
  const through = rows[Math.min(limit, rows.length) - 1]?.position ?? after
  return { after, through, hasMore: rows.length > limit }
}

/** The elements of a range in order. Each chunk has one or more complete elements, joined by the separator. */
export function readElementChunks(
  connection: Connection,
  elements: ElementTable,
  key: number,
  range: Range,
  separator: string,
): AsyncGenerator<Uint8Array> {
  const readChunks = connection.sql.canLimitElements ? readLimitedChunks : readMeasuredChunks
  return readChunks(connection, elements, key, range, separator)
}

/** Reads each element once. A chunk is measured only if it is larger than expected. */
async function* readLimitedChunks(
  connection: Connection,
  elements: ElementTable,
  key: number,
  { after, through }: Range,
  separator: string,
): AsyncGenerator<Uint8Array> {
  const statement = chunkStatement(elements)
  const { chunkBytes } = connection.sql
  let positionCount = CHUNK_ELEMENTS
  while (after < through) {
    let end: number | null = Math.min(after + positionCount, through)
    let bytes = await connection.joinElementsUpTo(chunkBytes, statement, separator, key, after, end)
    if (!bytes) {
      end = (await findChunkEnd(connection, elements, key, { after, through })) ?? through
      bytes = await connection.joinElements(statement, separator, key, after, end)
    } else if (bytes.length === 0) {
      const next = await getPageRange(connection, elements, key, end, 1)
      if (next.through === end) return
      after = next.through - 1
      continue
    }
    positionCount = countExpected(chunkBytes, bytes.length / (end - after))
    after = end
    yield bytes
  }
}

/** Measures each chunk before it is read. */
async function* readMeasuredChunks(
  connection: Connection,
  elements: ElementTable,
  key: number,
  { after, through }: Range,
  separator: string,
): AsyncGenerator<Uint8Array> {
  const statement = chunkStatement(elements)
  const findNextEnd = createChunkEndEstimator(connection, elements, key, through)
  // Both statements are sent together, so that PostgreSQL needs one round trip for both.
  const read = (start: number, end: number) =>
    Promise.all([findNextEnd(end), connection.joinElements(statement, separator, key, start, end)])
  let end = await findNextEnd(after)
  let pending = end === null ? undefined : read(after, end)
  while (pending && end !== null) {
    const [followingEnd, bytes]: [number | null, Uint8Array] = await pending
    // Reads the next chunk while this one is being sent. The consumer can stop before it awaits that read.
    pending = followingEnd === null ? undefined : read(end, followingEnd)
    pending?.catch(() => undefined)
    end = followingEnd
    yield bytes
  }
}

const POSITIONS_PER_STATEMENT = 200

/** The elements at these positions, in this order. Each chunk has one or more complete elements. */
export async function* readElementsAt(
  connection: Connection,
  elements: ElementTable,
  key: number,
  positions: Float64Array,
  separator: string,
): AsyncGenerator<Uint8Array> {
  let pending: Promise<Uint8Array> | undefined
  for await (const group of groupPositions(connection, elements, key, positions)) {
    const { values, placeholders } = inList(group)
    const statement = elementsAtStatement(elements, values.length, placeholders)
    const nextChunk = connection.joinElements(statement, separator, ...values, key, ...values)
    // Reads the next chunk while this one is being sent. The consumer can stop before it awaits that read.
    nextChunk.catch(() => undefined)
    if (pending) yield pending
    pending = nextChunk
  }
  if (pending) yield pending
}

async function* groupPositions(
  connection: Connection,
  elements: ElementTable,
  key: number,
  positions: Float64Array,
): AsyncGenerator<number[]> {
  for (const { items, placeholders, values } of inLists<number>(positions, POSITIONS_PER_STATEMENT)) {
    const statement = sizesStatement(elements, placeholders)
    const sizes = await connection.all<{ position: number; size: number }>(statement, key, ...values)
    const sizeAt = new Map(sizes.map(({ position, size }) => [position, size]))
    yield* splitBySize(items, (position) => sizeAt.get(position) ?? 0)
  }
}

/** Groups items so that each group has at most `maxBytes`, but at least one item. */
export function* splitBySize<Item>(
  items: Item[],
  sizeOf: (item: Item) => number,
  maxBytes = CHUNK_BYTES,
): Generator<Item[]> {
  let group: Item[] = []
  let bytes = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (group.length > 0 && bytes + size > maxBytes) {
      yield group
      group = []
      bytes = 0
    }
    group.push(item)
    bytes += size
  }
  if (group.length > 0) yield group
}

function sizesStatement({ table, parent, position }: ElementTable, placeholders: string): string {
  return `SELECT ${position} AS position, octet_length(body) AS size FROM ${table}
    WHERE ${parent} = ? AND ${position} IN (${placeholders})`
}

/** Finds the elements by index and returns them in the order of the placeholders. */
function elementsAtStatement(
  { table, parent, position, element }: ElementTable,
  count: number,
  placeholders: string,
): string {
  const ordinals = Array.from({ length: count }, (_, ordinal) => `WHEN ? THEN ${ordinal}`)
  return `SELECT CASE ${position} ${ordinals.join(' ')} END AS ordinal, ${element} AS element FROM ${table}
    WHERE ${parent} = ? AND ${position} IN (${placeholders}) ORDER BY ordinal`
}

/**
 * Finds the ends of consecutive chunks. Estimates the number of elements from the size of the previous ones, which is
 * cheaper than findChunkEnd. Falls back to it if the estimate is too large.
 */
function createChunkEndEstimator(
  connection: Connection,
  elements: ElementTable,
  key: number,
  through: number,
): (after: number) => Promise<number | null> {
  const statement = spanStatement(elements)
  const { chunkBytes } = connection.sql
  let estimate = CHUNK_ELEMENTS
  return async (after) => {
    const span = await connection.get<Span>(statement, key, after, through, estimate)
    if (!span || span.end === null) return null
    estimate = countExpected(chunkBytes, span.size / span.count)
    if (span.size <= chunkBytes || span.count === 1) return span.end
    return findChunkEnd(connection, elements, key, { after, through })
  }
}

/** How many elements of this size are expected to fill a chunk. */
function countExpected(chunkBytes: number, elementBytes: number): number {
  return Math.max(1, Math.floor((chunkBytes * 0.9) / Math.max(MIN_ELEMENT_BYTES, elementBytes)))
}

interface Span {
  end: number | null
  size: number
  count: number
}

/** The last position of the next chunk of a range; null if nothing is left. */
export async function findChunkEnd(
  connection: Connection,
  elements: ElementTable,
  key: number,
  { after, through }: Range,
): Promise<number | null> {
  const row = await connection.get<{ end: number | null }>(chunkEndStatement(elements), key, after, through)
  return row?.end ?? null
}

export function pageStatement({ table, parent, position }: Omit<ElementTable, 'element'>): string {
  return `SELECT ${position} AS position FROM ${table}
    WHERE ${parent} = ? AND ${position} > ? ORDER BY ${position} LIMIT ?`
}

/** Selects the last position of the next chunk. `octet_length` of a column does not read its text. */
export function chunkEndStatement({ table, parent, position }: ElementTable): string {
  return `SELECT coalesce(max(position) FILTER (WHERE size <= ${CHUNK_BYTES}), min(position)) AS "end"
    FROM (SELECT ${position} AS position, sum(octet_length(body)) OVER (ORDER BY ${position}) AS size
      FROM ${table} WHERE ${parent} = ? AND ${position} > ? AND ${position} <= ?
      ORDER BY ${position} LIMIT ${CHUNK_ELEMENTS}) AS ahead`
}

/**
 * Selects the last position and the total size of the next elements. SQLite recompiles a statement when a plain LIMIT
 * parameter changes; `? + 0` avoids that.
 */
export function spanStatement({ table, parent, position }: ElementTable): string {
  return `SELECT max(position) AS "end", sum(size) AS size, count(*) AS count
    FROM (SELECT ${position} AS position, octet_length(body) AS size FROM ${table}
      WHERE ${parent} = ? AND ${position} > ? AND ${position} <= ? ORDER BY ${position} LIMIT ? + 0) AS ahead`
}

/** Without ORDER BY, because SQLite then copies each element once more. It reads the rows in the order of their index. */
export function chunkStatement({ table, parent, position, element }: ElementTable): string {
  return `SELECT ${position} AS ordinal, ${element} AS element FROM ${table}
    WHERE ${parent} = ? AND ${position} > ? AND ${position} <= ?`
}
