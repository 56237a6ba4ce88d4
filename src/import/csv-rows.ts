// Streams the rows of a CSV file with their line numbers, and reports why a file cannot be read further.
import { isUtf8 } from 'node:buffer'
import type { RecordLimits } from '../json/records.ts'
import { Json } from '../json/value.ts'
import type { ImportNote } from '../schema/import-events.ts'
import { type CsvFault, CsvParser, CsvProblem, type CsvRow } from './csv-parser.ts'
import type { Source } from './source.ts'

export interface TableRow extends CsvRow {
  /** Counted from 0. The header is row 0. */
  index: number
}

type Rejection = { kind: 'rejection' } & ImportNote

/** V8 keeps texts of more than 128 kB until a full garbage collection, and the heap would grow by tens of megabytes. */
const TEXT_BYTES = 64 * 1024
const DELIMITERS = [',', '\t', ';', '|']
const BOM = Buffer.from('\ufeff')
const [LF, CR] = [0x0a, 0x0d]

/** Spreadsheets write the delimiter into a line before the header. */
function isDelimiterRow(cells: readonly string[], delimiter: string): boolean {
  return cells.join(delimiter).toLowerCase() === `sep=${delimiter}`
}

/** The delimiter and column names. Undefined if the file does not begin like a table. */
export function detectHeader({ head }: Source): { delimiter: string; names: string[] } | undefined {
  const text = removeBom(head).toString()
  if (/^\s*([[{]|$)|^[^\r\n]*?(?![\t\r\n])\p{Cc}/u.test(text)) return undefined
  const [line = '', declared = ''] = /^"?sep=([^\r\n"])"?\r?\n/i.exec(text) ?? []
  if (DELIMITERS.includes(declared))
    return { delimiter: declared, names: parseFirstRow(text.slice(line.length), declared) }
  const headers = DELIMITERS.map((delimiter) => ({ delimiter, names: parseFirstRow(text, delimiter) }))
  return headers.reduce((best, header) => (header.names.length > best.names.length ? header : best))
}

function parseFirstRow(text: string, delimiter: string): string[] {
  const parser = new CsvParser(delimiter, Infinity)
  parser.push(text)
  parser.end()
  try {
    return parser.next()?.cells ?? []
  } catch {
    // Not a table with this delimiter.
    return []
  }
}

/**
 * The header, then all rows, also those with another number of cells. Ends with a rejection if the rest of the file cannot
 * be read.
 */
export async function* readRows(
  source: Source,
  delimiter: string,
  limits: RecordLimits,
): AsyncGenerator<TableRow | Rejection> {
  const parser = new CsvParser(delimiter, limits.record_bytes)
  let names: string[] | undefined
  let index = 0
  const parsedRows = function* (): Generator<TableRow> {
    for (let row = parser.next(); row; row = parser.next()) {
      if (!names && isDelimiterRow(row.cells, delimiter)) continue
      names ??= row.cells
      yield { index, line: row.line, cells: row.cells }
      index += 1
    }
  }
  try {
    let incompleteBytes: Buffer = Buffer.alloc(0)
    let isFirst = true
    for await (const chunk of textChunks(source)) {
      const newBytes = isFirst ? removeBom(chunk) : chunk
      const allBytes = incompleteBytes.length === 0 ? newBytes : Buffer.concat([incompleteBytes, newBytes])
      isFirst = false
      const end = findCompleteEnd(allBytes)
      // A chunk is only valid until the next one.
      incompleteBytes = Buffer.from(allBytes.subarray(end))
      const bytes = allBytes.subarray(0, end)
      const isValid = isUtf8(bytes)
      parser.push(bytes.toString('utf8', 0, isValid ? end : findInvalidLine(bytes)))
      yield* parsedRows()
      if (!isValid) return yield await rejectInvalidUtf8(source)
    }
    if (incompleteBytes.length > 0) return yield await rejectInvalidUtf8(source)
    parser.end()
    yield* parsedRows()
  } catch (error) {
    if (!(error instanceof CsvProblem)) throw error
    const { fault, line, cell } = error
    const detail = describeFault(fault, `in column '${names?.[cell] ?? cell + 1}'`, limits.record_bytes)
    yield { kind: 'rejection', record: null, line, pointer: '', detail }
  }
}

/** A chunk is valid until the next one is requested. */
async function* textChunks(source: Source): AsyncGenerator<Buffer> {
  for await (const chunk of source.chunks())
    for (let start = 0; start < chunk.length; start += TEXT_BYTES)
      yield chunk.subarray(start, start + TEXT_BYTES)
}

function describeFault(fault: CsvFault, location: string, limit: number): string {
  if (fault === 'size')
    return `The row that begins here is larger than ${limit} bytes. It may contain an unclosed quote.`
  if (fault === 'openQuote') return `The row that begins here has an unclosed quote ${location}.`
  if (fault === 'textAfterQuote')
    return `The row that begins here has text after a closing quote ${location}. Double every quote inside a quoted cell, or close an earlier quote.`
  return `The row that begins here has a quote inside an unquoted cell ${location}. Enclose the cell in quotes and double every quote in it.`
}

/** The rows after the header. Skips empty rows, and rejects rows with another number of cells than the header. */
export async function* readDataRows(
  source: Source,
  delimiter: string,
  columnCount: number,
  limits: RecordLimits,
): AsyncGenerator<TableRow | Rejection> {
  for await (const row of readRows(source, delimiter, limits)) {
    if ('kind' in row) yield row
    // Spreadsheets often end with empty rows.
    else if (row.index > 0 && row.cells.some((cell) => cell !== ''))
      yield row.cells.length === columnCount ? row : rejectCellCount(row, columnCount)
  }
}

function rejectCellCount({ index: record, line, cells }: TableRow, columnCount: number): Rejection {
  const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`
  const detail = `The row has ${count}, but the header has ${columnCount}.`
  return { kind: 'rejection', record, line, pointer: '', detail }
}

/** Keeps the original text if it is a valid JSON number. */
export function parseNumber(text: string): Json | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || !Number.isFinite(Number(text))) return undefined
  return /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? new Json(text) : Json.of(Number(text))
}

/** Whether a cell contains NaN or an infinity, which JSON cannot represent. */
export function isNotFinite(text: string): boolean {
  return /^[+-]?(nan|inf|infinity)$/i.test(text)
}

function removeBom(bytes: Buffer): Buffer {
  return bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes
}

/** The start of the first line that is not valid UTF-8. */
function findInvalidLine(bytes: Buffer): number {
  for (let start = 0; ; ) {
    const end = bytes.indexOf(LF, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return start
    start = end + 1
  }
}

/** The end of the last complete UTF-8 character. */
function findCompleteEnd(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0
    if (length > 0) return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** For a file that is known to be invalid. It is read again, so that valid files are read without counting lines. */
async function rejectInvalidUtf8(source: Source): Promise<{ kind: 'rejection' } & ImportNote> {
  let line = 1
  let rest: Buffer = Buffer.alloc(0)
  let previousByte = 0
  for await (const chunk of source.chunks()) {
    const bytes = Buffer.concat([rest, chunk])
    const end = findCompleteEnd(bytes)
    const complete = bytes.subarray(0, end)
    const validEnd = isUtf8(complete) ? end : findInvalidByte(complete)
    for (const byte of complete.subarray(0, validEnd)) {
      if (byte === CR || (byte === LF && previousByte !== CR)) line += 1
      previousByte = byte
    }
    rest = bytes.subarray(validEnd)
    if (validEnd < end) break
  }
  const byte = `0x${rest.toString('hex', 0, 1).toUpperCase()}`
  const detail = `This line is not valid UTF-8 (byte ${byte}). The file may be in Windows-1252 or Latin-1. Save it as UTF-8: in Excel choose CSV UTF-8, in an editor save with the encoding UTF-8, or run iconv -f WINDOWS-1252 -t UTF-8.`
  return { kind: 'rejection', record: null, line, pointer: '', detail }
}

function findInvalidByte(bytes: Buffer): number {
  const decoded = Buffer.from(bytes.toString())
  return bytes.findIndex((byte, index) => byte !== decoded[index])
}
