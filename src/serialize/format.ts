// Serializes a list of elements as JSON, NDJSON or CSV.

import { csvLine } from './csv.ts'
import { releaseChunk } from './release-chunk.ts'

/** In order of preference, if a client accepts several equally. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
} as const

export type Format = keyof typeof MEDIA_TYPES
export const FORMATS = Object.keys(MEDIA_TYPES) as Format[]

/** Yields the elements as JSON text, in chunks of whole elements joined by the separator. */
export type ElementChunks = (separator: ',' | '\n') => AsyncIterable<Uint8Array>

/** Converts elements to lines of a CSV table. */
export interface CsvTable {
  header: string[]
  cells(element: string): string[]
}

/** The length of the uncompressed response, or undefined if it is not known in advance. */
export function contentLength(
  format: Format,
  { count, bytes }: { count: number; bytes: number },
): number | undefined {
  if (format === 'json') return 2 + bytes + Math.max(0, count - 1)
  return format === 'ndjson' ? bytes + count : undefined
}

/** The bytes of a whole response. Yields nothing before the first chunk has been read. */
export async function* serialize(
  format: Format,
  chunks: ElementChunks,
  table: CsvTable | undefined,
): AsyncGenerator<Uint8Array> {
  if (format === 'json') yield* jsonArray(chunks(','))
  else if (format === 'ndjson') yield* lines(chunks('\n'))
  else if (table) yield* csv(chunks('\n'), table)
  else throw new Error('This list has no CSV format')
}

async function* jsonArray(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let before = '['
  for await (const chunk of chunks) {
    yield Buffer.from(before)
    yield chunk
    before = ','
  }
  yield Buffer.from(before === '[' ? '[]' : ']')
}

async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk
    yield Buffer.from('\n')
  }
}

/** Lines are joined in small buffers, because large strings survive garbage collections. */
const CSV_BUFFER_CHARACTERS = 32 * 1024

async function* csv(chunks: AsyncIterable<Uint8Array>, table: CsvTable): AsyncGenerator<Uint8Array> {
  let buffer = csvLine(table.header)
  for await (const chunk of chunks) {
    for (const element of linesOf(chunk)) {
      buffer += csvLine(table.cells(element))
      if (buffer.length < CSV_BUFFER_CHARACTERS) continue
      yield Buffer.from(buffer)
      buffer = ''
    }
    releaseChunk(chunk)
  }
  if (buffer !== '') yield Buffer.from(buffer)
}

function* linesOf(chunk: Uint8Array): Generator<string> {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start)
    const end = newline === -1 ? bytes.length : newline
    yield bytes.toString('utf8', start, end)
    start = end + 1
  }
}
