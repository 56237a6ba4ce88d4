// Serializes a list of elements as JSON, NDJSON or CSV.

import { splitElements, splitMembers } from '../json/member-texts.ts'
import { escapeFormula, formatCsvLine, jsonToCell } from './csv.ts'
import { releaseChunk } from './encoding.ts'

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

/** Converts elements to rows of a CSV table. */
export interface CsvTable {
  header: string[]
  cells(element: string): string[]
}

/** A document as a table. */
export interface DocumentTable {
  table: CsvTable
  elements: string[]
}

/** A table of values by their paths: member names and indexes, joined by dots. */
export function pathTable(columns: Readonly<Record<string, string>>): CsvTable {
  const paths = Object.values(columns)
  return {
    header: Object.keys(columns),
    cells: (element) => paths.map((path) => jsonToCell(textAt(element, path))),
  }
}

/** The JSON text at a path. Undefined if there is none. */
export function textAt(json: string, path: string): string | undefined {
  let text: string | undefined = json
  for (const step of path.split('.')) {
    if (text?.startsWith('[')) text = splitElements(text)[Number(step)]
    else text = text?.startsWith('{') ? splitMembers(text).get(step) : undefined
  }
  return text
}

/** The same table without cells that a spreadsheet could read as a formula. */
export function excelSafeTable(table: CsvTable): CsvTable {
  return {
    header: table.header.map(escapeFormula),
    cells: (element) => table.cells(element).map(escapeFormula),
  }
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
export function serialize(
  format: Format,
  chunks: ElementChunks,
  table: CsvTable | undefined,
): AsyncGenerator<Uint8Array> {
  if (format === 'json') return toJsonArray(chunks(','))
  if (format === 'ndjson') return toLines(chunks('\n'))
  if (table) return toCsv(chunks('\n'), table)
  throw new Error('This list has no CSV format')
}

async function* toJsonArray(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let prefix = '['
  for await (const chunk of chunks) {
    yield Buffer.from(prefix)
    yield chunk
    prefix = ','
  }
  yield Buffer.from(prefix === '[' ? '[]' : ']')
}

async function* toLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk
    yield Buffer.from('\n')
  }
}

async function* toCsv(chunks: AsyncIterable<Uint8Array>, table: CsvTable): AsyncGenerator<Uint8Array> {
  const lines = new LineBuffer()
  lines.add(formatCsvLine(table.header))
  for await (const chunk of chunks) {
    for (const element of splitLines(chunk)) {
      const full = lines.add(formatCsvLine(table.cells(element)))
      if (full?.length) yield full
    }
    releaseChunk(chunk)
  }
  yield lines.take()
}

const LINE_BUFFER_BYTES = 64 * 1024
/** The most bytes of UTF-8 that one character of a string needs. */
const MAX_CHARACTER_BYTES = 3

/** Joins lines outside of the heap: as strings they survive garbage collections, and V8 enlarges the heap by tens of MB. */
class LineBuffer {
  #bytes = Buffer.allocUnsafeSlow(LINE_BUFFER_BYTES)
  #length = 0

  /** Returns the lines before this one if they have filled the buffer. */
  add(line: string): Uint8Array | undefined {
    const maxBytes = MAX_CHARACTER_BYTES * line.length
    const full = this.#length + maxBytes > this.#bytes.length ? this.take(maxBytes) : undefined
    this.#length += this.#bytes.write(line, this.#length)
    return full
  }

  /** Returns all lines, and continues with an empty buffer. */
  take(minBytes = 0): Uint8Array {
    const lines = this.#bytes.subarray(0, this.#length)
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(LINE_BUFFER_BYTES, minBytes))
    this.#length = 0
    return lines
  }
}

function* splitLines(chunk: Uint8Array): Generator<string> {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start)
    const end = newline === -1 ? bytes.length : newline
    yield bytes.toString('utf8', start, end)
    start = end + 1
  }
}
