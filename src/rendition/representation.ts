// The three shapes a list of elements is answered in, made from a source of bytes.
import { release } from './chunk.ts'
import { csvLine } from './csv.ts'

/** In order of preference where a client likes several equally. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
} as const

export type Format = keyof typeof MEDIA_TYPES
export const FORMATS = Object.keys(MEDIA_TYPES) as Format[]

/** Gives the texts of the elements in order, in pieces of whole elements joined by the separator. */
export type Pieces = (separator: ',' | '\n') => AsyncIterable<Uint8Array>

/** How elements become lines of a table. */
export interface Table {
  header: string[]
  cells(element: string): string[]
}

/** How long an answer will be that is not compressed, where that is known beforehand. */
export function lengthOf(
  format: Format,
  { count, bytes }: { count: number; bytes: number },
): number | undefined {
  if (format === 'json') return 2 + bytes + Math.max(0, count - 1)
  return format === 'ndjson' ? bytes + count : undefined
}

/** The bytes of a whole answer. Nothing comes before the first piece has been read. */
export async function* represent(
  format: Format,
  pieces: Pieces,
  table: Table | undefined,
): AsyncGenerator<Uint8Array> {
  if (format === 'json') yield* jsonArray(pieces(','))
  else if (format === 'ndjson') yield* lines(pieces('\n'))
  else if (table) yield* csv(pieces('\n'), table)
  else throw new Error('This answer has no table')
}

async function* jsonArray(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let before = '['
  for await (const piece of pieces) {
    yield Buffer.from(before)
    yield piece
    before = ','
  }
  yield Buffer.from(before === '[' ? '[]' : ']')
}

async function* lines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    yield Buffer.from('\n')
  }
}

/** Lines are put together in small portions: large texts would outlive their use by a collection or two. */
const CSV_PORTION = 32 * 1024

async function* csv(pieces: AsyncIterable<Uint8Array>, table: Table): AsyncGenerator<Uint8Array> {
  let portion = csvLine(table.header)
  for await (const piece of pieces) {
    for (const element of linesOf(piece)) {
      portion += csvLine(table.cells(element))
      if (portion.length < CSV_PORTION) continue
      yield Buffer.from(portion)
      portion = ''
    }
    release(piece)
  }
  if (portion !== '') yield Buffer.from(portion)
}

function* linesOf(piece: Uint8Array): Generator<string> {
  const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start)
    const end = newline === -1 ? bytes.length : newline
    yield bytes.toString('utf8', start, end)
    start = end + 1
  }
}
