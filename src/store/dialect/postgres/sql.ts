// SQL fragments and statements that only PostgreSQL uses, and the translation of `?` placeholders to `$1`.
import { randomInt } from 'node:crypto'
import pg from 'pg'
import type { SqlFragments, Statement, Value } from '../dialect.ts'

export const SQL_FRAGMENTS: SqlFragments = {
  // The server waits for the next statement at the end of each chunk.
  chunkBytes: 2 * 1024 * 1024,
  canLimitElements: false,
  // PostgreSQL reads bytes that are bound as text as UTF-8.
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  storesSearchText: true,
  searchPositions: 'SELECT position FROM search WHERE evaluation = ? AND strpos(text, ?) > 0',
  hasElement: (array, text) => `jsonb_exists(CAST(${array} AS jsonb), ${text})`,
  integers: 'SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST(? AS json))',
  // A migration creates the function. It takes half the time of two statements, which are planned every time.
  appendChange: 'SELECT append_change(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)',
  newKey: generateKey,
  indexHint: () => '',
  cancelable: () => 'TRUE',
  joinLines: (statement) =>
    `SELECT 1 AS ordinal, coalesce(string_agg(element, E'\\n' ORDER BY ordinal), '') AS element FROM (${statement}) AS line`,
  hex: (bytes) => `encode(${bytes}, 'hex')`,
  sha256: (text) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`,
  tables: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
}

/** Keys start at this time, in milliseconds, so that they are exact as JavaScript numbers until 2095. */
const FIRST_KEY_TIME = Date.UTC(2026)
/** Keys per millisecond. Processes choose one at random. */
const KEYS_PER_MS = 4096

/**
 * A key of the current time, without a counter that all processes share. Later keys are larger, so that new rows are at the
 * end of indexes. Two processes can generate the same key, so the INSERT must expect a conflict.
 */
function generateKey(): number {
  return (Date.now() - FIRST_KEY_TIME) * KEYS_PER_MS + randomInt(KEYS_PER_MS)
}

const numberedStatements = new Map<string, string>()
const MAX_NUMBERED_STATEMENTS = 500

/** Replaces each `?` by `$1`, `$2`, …. No statement contains a question mark that is not a placeholder. */
export function numberedStatement(statement: string): string {
  let text = numberedStatements.get(statement)
  if (text === undefined) {
    text = numberPlaceholders(statement)
    // Filters produce many different statements; the frequent ones are soon cached again.
    if (numberedStatements.size >= MAX_NUMBERED_STATEMENTS) numberedStatements.clear()
    numberedStatements.set(statement, text)
  }
  return text
}

/**
 * Returns the values of a statement's only column in the binary format of arrays, as column `numbers`. Writing and parsing
 * doubles as decimal texts would take longer than most statements.
 */
export function numbersStatement(statement: string): string {
  return `SELECT array_send(CAST(ARRAY(${statement}) AS float8[])) AS numbers`
}

/** The offsets of the length and of the first element, and the size of an element: its own size and a double. */
const [ARRAY_LENGTH, FIRST_ELEMENT, ELEMENT_BYTES] = [12, 20, 12]

export function parseNumbers(array: Uint8Array): Float64Array {
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength)
  // An empty array has no dimension and no length.
  const isEmpty = array.byteLength < FIRST_ELEMENT
  const numbers = new Float64Array(isEmpty ? 0 : view.getInt32(ARRAY_LENGTH))
  for (let index = 0; index < numbers.length; index += 1)
    numbers[index] = view.getFloat64(FIRST_ELEMENT + index * ELEMENT_BYTES + 4)
  return numbers
}

function numberPlaceholders(statement: string): string {
  let count = 0
  return statement.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}

/** Replaces each `?1`, `?2`, … by its value, for statements that are sent without parameters. */
export function inlineValues([statement, ...values]: Statement): string {
  return statement.replace(/\?(\d+)/g, (_, number) => toLiteral(values[number - 1] ?? null))
}

function toLiteral(value: Value): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? pg.escapeLiteral(value) : BigInt(value as number).toString()
}

/** The column `element` of a statement's rows in order. COPY has no parameters, so integers are inlined. */
export function elementsQuery(statement: string, values: number[]): string {
  let valueCount = 0
  const inlined = statement.replaceAll('?', () => {
    valueCount += 1
    return BigInt(values[valueCount - 1] ?? 0).toString()
  })
  return `SELECT element FROM (${inlined}) AS piece ORDER BY ordinal`
}

/** The protocol limits a statement to 65,535 parameters. */
const MAX_VALUES = 60_000

/** Turns an INSERT of one row into multi-row INSERTs: one statement per row would need one round trip per row. */
export function* insertStatements(
  statement: string,
  rows: Value[][],
): Generator<{ text: string; values: Value[] }> {
  const [, head = '', row = '', tail = ''] = /^(.*\bVALUES\s*)(\([^()]*\))(.*)$/s.exec(statement) ?? []
  const rowsPerStatement = Math.floor(MAX_VALUES / (rows[0]?.length || 1))
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const batch = rows.slice(start, start + rowsPerStatement)
    const text = numberPlaceholders(`${head}${batch.map(() => row).join(', ')}${tail}`)
    yield { text, values: batch.flat() }
  }
}
