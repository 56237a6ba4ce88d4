// INSERT statements with one array parameter per column. They take the server less than half the time of a list of VALUES,
// which it parses and plans value by value. The arrays are in binary format, in which nothing is escaped.
import type { Value } from '../dialect.ts'

/** The types of columns, by OID. The schema uses no others. */
const COLUMN_TYPES: Record<number, string> = {
  17: 'bytea',
  20: 'bigint',
  25: 'text',
  701: 'double precision',
}
const [BIGINT, DOUBLE] = [20, 701]

/** Types of the columns of a table, as OIDs, by name. */
export type TableTypes = ReadonlyMap<string, number>

/** Statement: the columns of a table. Value: its name. */
export const TABLE_TYPES =
  'SELECT attname AS name, CAST(atttypid AS int) AS type FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0'

/** An INSERT of one row, as callers write it. */
export interface InsertTemplate {
  table: string
  columns: string[]
  /** Everything before and after `VALUES (…)`. */
  head: string
  tail: string
}

const TEMPLATE = /^(\s*INSERT INTO (\w+) \(([\w\s,]+)\)\s*)VALUES\s*\([?\s,]+\)(.*)$/s

/** Undefined if the statement has other values than placeholders. */
export function parseInsert(statement: string): InsertTemplate | undefined {
  const [, head = '', table, columns = '', tail = ''] = TEMPLATE.exec(statement) ?? []
  return table === undefined
    ? undefined
    : { table, columns: columns.split(',').map((name) => name.trim()), head, tail }
}

/** Bounds the memory of a statement in this process and in the server. Larger statements are not faster. */
const STATEMENT_BYTES = 1024 * 1024

/** Undefined if a column has an unknown type. */
export function arrayInserts(
  { columns, head, tail }: InsertTemplate,
  types: TableTypes,
  rows: Value[][],
): Iterable<{ text: string; values: Buffer[] }> | undefined {
  const oids = columns.map((name) => types.get(name) ?? 0)
  if (oids.some((oid) => !(oid in COLUMN_TYPES))) return undefined
  // Functions in the list of SELECT are faster than one in FROM, whose rows would be buffered first.
  const values = oids.map((oid, index) => `unnest($${index + 1}::${COLUMN_TYPES[oid]}[])`)
  const text = `${head}SELECT ${values.join(', ')}${tail}`
  return encodeStatements(text, oids, rows)
}

function* encodeStatements(
  text: string,
  oids: number[],
  rows: Value[][],
): Generator<{ text: string; values: Buffer[] }> {
  for (let start = 0; start < rows.length; ) {
    let end = start
    for (let bytes = 0; end < rows.length && bytes < STATEMENT_BYTES; end += 1)
      bytes += approximateBytes(rows[end] as Value[])
    yield { text, values: oids.map((oid, column) => encodeArray(oid, rows, column, start, end)) }
    start = end
  }
}

function approximateBytes(row: Value[]): number {
  let bytes = 0
  for (const value of row)
    bytes += LENGTH_BYTES + (value === null || typeof value === 'number' ? NUMBER_BYTES : value.length)
  return bytes
}

/** Number of dimensions, whether it contains null, type of the elements, length, and first index. */
const HEADER_BYTES = 20
const LENGTH_BYTES = 4
/** Both types of numbers. */
const NUMBER_BYTES = 8
const NULL_LENGTH = -1

function encodeArray(oid: number, rows: Value[][], column: number, start: number, end: number): Buffer {
  let size = HEADER_BYTES
  let hasNull = false
  for (let index = start; index < end; index += 1) {
    const value = rows[index]?.[column] ?? null
    hasNull ||= value === null
    size += LENGTH_BYTES + elementBytes(value)
  }
  const array = Buffer.allocUnsafe(size)
  array.writeInt32BE(1, 0)
  array.writeInt32BE(Number(hasNull), 4)
  array.writeInt32BE(oid, 8)
  array.writeInt32BE(end - start, 12)
  array.writeInt32BE(1, 16)
  let offset = HEADER_BYTES
  for (let index = start; index < end; index += 1)
    offset = writeElement(array, offset, oid, rows[index]?.[column] ?? null)
  return array
}

function elementBytes(value: Value): number {
  if (value === null) return 0
  if (typeof value === 'number') return NUMBER_BYTES
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length
}

/** Returns the offset after the element. */
function writeElement(array: Buffer, offset: number, oid: number, value: Value): number {
  if (value === null) return array.writeInt32BE(NULL_LENGTH, offset)
  const isNumber = typeof value === 'number'
  if (isNumber !== (oid === BIGINT || oid === DOUBLE))
    throw new TypeError(`A column of type ${COLUMN_TYPES[oid]} cannot store a ${typeof value}`)
  const start = offset + LENGTH_BYTES
  let end: number
  if (isNumber) end = oid === BIGINT ? writeBigint(array, start, value) : writeDouble(array, start, value)
  else if (typeof value === 'string') end = start + array.write(value, start)
  else {
    array.set(value, start)
    end = start + value.length
  }
  array.writeInt32BE(end - start, offset)
  return end
}

function writeBigint(array: Buffer, offset: number, value: number): number {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not an integer`)
  array.writeInt32BE(Math.floor(value / 2 ** 32), offset)
  return array.writeUInt32BE(value >>> 0, offset + 4)
}

function writeDouble(array: Buffer, offset: number, value: number): number {
  // Negative zero becomes zero, as in SQLite.
  return array.writeDoubleBE(value + 0, offset)
}
