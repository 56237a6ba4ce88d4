// Streams the rows of a CSV file with their line numbers, and reports why a file cannot be read further.
import { isUtf8 } from 'node:buffer'
import { type CsvError, type Options, parse } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import type { RecordLimits } from '../json/records.ts'
import { Json } from '../json/value.ts'
import type { ImportNote } from '../schema/import-events.ts'
import { findCompleteEnd, rejectInvalidUtf8 } from './invalid-utf8.ts'
import type { Source } from './source.ts'

export interface TableRow {
  /** Counted from 0. The header is row 0. */
  index: number
  line: number
  cells: string[]
}

type Rejection = { kind: 'rejection' } & ImportNote

interface ReadOptions {
  limits: RecordLimits
  onRead(bytes: number): void
}

const DELIMITERS = [',', '\t', ';', '|']
const BOM = Buffer.from('\ufeff')
const LF = 0x0a

/** Rows with a wrong number of cells are accepted here. The caller, which knows the columns, reports them. */
const csvOptions = (delimiter: string): Options => ({
  delimiter,
  // Auto-detection would accept only the first kind of line ending in the file.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
})

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
  try {
    const [row = []] = parseSync(text, { ...csvOptions(delimiter), to: 1 }) as string[][]
    return row
  } catch {
    // Not a table with this delimiter.
    return []
  }
}

/** The header, then all rows. Ends with a rejection if the rest of the file cannot be read. */
export async function* readRows(
  source: Source,
  delimiter: string,
  { limits, onRead }: ReadOptions,
): AsyncGenerator<TableRow | Rejection> {
  const parser = new RowParser(delimiter, limits.record_bytes)
  let incompleteBytes: Buffer = Buffer.alloc(0)
  let [bytesRead, bytesSinceRow] = [0, 0]
  for await (const chunk of source.chunks()) {
    // The parser stores its input, but a chunk is only valid until the next one, so it is copied.
    const allBytes = Buffer.concat([incompleteBytes, bytesRead === 0 ? removeBom(chunk) : chunk])
    bytesRead += chunk.length
    onRead(bytesRead)
    const end = findCompleteEnd(allBytes)
    incompleteBytes = allBytes.subarray(end)
    const bytes = allBytes.subarray(0, end)
    const validBytes = isUtf8(bytes) ? bytes : bytes.subarray(0, findInvalidLine(bytes))
    const problem = await parser.push(validBytes)
    // The parser looks ahead. Ending it releases the last row.
    if (!problem && validBytes !== bytes) await parser.end()
    const rows = parser.takeRows()
    yield* rows
    bytesSinceRow = rows.length > 0 ? 0 : bytesSinceRow + bytes.length
    if (problem !== undefined) return yield parser.createRejection(problem)
    if (validBytes !== bytes) return yield await rejectInvalidUtf8(source)
    // The parser does not count empty cells toward the size of a row.
    if (bytesSinceRow > 2 * limits.record_bytes) return yield parser.createRejection(parser.tooLarge)
  }
  const isIncomplete = incompleteBytes.length > 0
  const problem = isIncomplete ? undefined : await parser.end()
  yield* parser.takeRows()
  if (isIncomplete) yield await rejectInvalidUtf8(source)
  if (problem) yield parser.createRejection(problem)
}

/** The rows after the header. Skips empty rows, and rejects rows with another number of cells than the header. */
export async function* readDataRows(
  source: Source,
  delimiter: string,
  columnCount: number,
  options: ReadOptions,
): AsyncGenerator<TableRow | Rejection> {
  for await (const row of readRows(source, delimiter, options)) {
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

class RowParser {
  readonly #parser
  readonly #maxBytes: number
  readonly #delimiter: string
  #rows: TableRow[] = []
  #names: string[] | undefined
  #index = 0
  /** Where the next row begins, without blank lines before it. */
  #line = 1
  #blankLineCount = 0

  constructor(delimiter: string, limit: number) {
    this.#maxBytes = limit
    this.#delimiter = delimiter
    this.#parser = parse({
      ...csvOptions(delimiter),
      max_record_size: limit,
      // Rows are not passed on to the stream, which would lose buffered rows on an error.
      on_record: (cells: string[], { empty_lines }) => this.#addRow(cells, empty_lines),
    })
    // The error is reported by the callback of write().
    this.#parser.on('error', () => undefined)
  }

  get tooLarge(): string {
    return `The row that begins here is larger than ${this.#maxBytes} bytes. It may contain an unclosed quote.`
  }

  /** Returns the problem, if any. */
  push(bytes: Uint8Array): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#parser.write(bytes, (error) => resolve(this.#describeError(error)))
    })
  }

  end(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#parser.end((error?: Error | null) => resolve(this.#describeError(error)))
    })
  }

  /** Returns and removes the rows completed since the last call. */
  takeRows(): TableRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  createRejection(detail: string): Rejection {
    return { kind: 'rejection', record: null, line: this.#line, pointer: '', detail }
  }

  #addRow(cells: string[], blank: number): undefined {
    this.#skipBlank(blank)
    if (!this.#names && isDelimiterRow(cells, this.#delimiter)) {
      this.#line += 1
      return
    }
    this.#names ??= cells
    this.#rows.push({ index: this.#index, line: this.#line, cells })
    this.#index += 1
    this.#line += 1
    for (const cell of cells) this.#line += countLineBreaks(cell)
  }

  #skipBlank(blank: number): void {
    this.#line += blank - this.#blankLineCount
    this.#blankLineCount = blank
  }

  #describeError(error: Error | null | undefined): string | undefined {
    if (!error) return undefined
    const { code, column, empty_lines } = error as CsvError & { code: string }
    this.#skipBlank(Number(empty_lines ?? this.#blankLineCount))
    const location = `in column '${this.#names?.[Number(column)] ?? Number(column) + 1}'`
    if (code === 'CSV_MAX_RECORD_SIZE') return this.tooLarge
    if (code === 'CSV_QUOTE_NOT_CLOSED') return `The row that begins here has an unclosed quote ${location}.`
    if (code === 'CSV_INVALID_CLOSING_QUOTE')
      return `The row that begins here has text after a closing quote ${location}. Double every quote inside a quoted cell, or close an earlier quote.`
    if (code === 'INVALID_OPENING_QUOTE')
      return `The row that begins here has a quote inside an unquoted cell ${location}. Enclose the cell in quotes and double every quote in it.`
    return error.message
  }
}

function countLineBreaks(cell: string): number {
  return cell.includes('\n') || cell.includes('\r') ? (cell.match(/\r\n|\n|\r/g)?.length ?? 0) : 0
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
