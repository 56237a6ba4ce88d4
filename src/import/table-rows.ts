// The rows of a CSV file as they stream by, each with the line it begins on, and why the file cannot be read on.
import { isUtf8 } from 'node:buffer'
import { type CsvError, type Options, parse } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import type { RecordLimits } from '../json/records.ts'
import type { Remark } from '../schema/findings.ts'
import type { Source } from './source.ts'

export interface TableRow {
  /** Counted from 0, the header being the first. */
  index: number
  line: number
  cells: string[]
}

interface How {
  limits: RecordLimits
  onRead(bytes: number): void
}

const DELIMITERS = [',', '\t', ';']
const BOM = Buffer.from('\ufeff')
const LF = 0x0a

/** Rows of other lengths than the header's come out too: what is wrong with them is told by who knows the columns. */
const options = (delimiter: string): Options => ({
  delimiter,
  // Found out by itself it would be the first kind of line end in the file, and the only one.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
})

/** What the first line of a table says; undefined where the file does not begin like one. */
export function headerOf({ head }: Source): { delimiter: string; names: string[] } | undefined {
  const text = withoutBom(head).toString()
  if (/^\s*([[{]|$)|^[^\r\n]*?(?![\t\r\n])\p{Cc}/u.test(text)) return undefined
  const headers = DELIMITERS.map((delimiter) => ({ delimiter, names: firstRow(text, delimiter) }))
  return headers.reduce((best, header) => (header.names.length > best.names.length ? header : best))
}

function firstRow(text: string, delimiter: string): string[] {
  try {
    const [row = []] = parseAtOnce(text, { ...options(delimiter), to: 1 }) as string[][]
    return row
  } catch {
    // It is none of this delimiter.
    return []
  }
}

/** The header, then row by row. Ends with a refusal where the file cannot be read any further. */
export async function* readRows(
  source: Source,
  delimiter: string,
  { limits, onRead }: How,
): AsyncGenerator<TableRow | ({ kind: 'refusal' } & Remark)> {
  const parser = new RowParser(delimiter, limits.record_bytes)
  let held: Buffer = Buffer.alloc(0)
  let [read, sinceRow] = [0, 0]
  for await (const chunk of source.chunks()) {
    // The parser keeps what it was given, and the chunk is good only until the next one.
    const all = Buffer.concat([held, read === 0 ? withoutBom(chunk) : chunk])
    read += chunk.length
    onRead(read)
    const end = completeEnd(all)
    held = all.subarray(end)
    const bytes = all.subarray(0, end)
    const good = isUtf8(bytes) ? bytes : bytes.subarray(0, badLine(bytes))
    const problem = await parser.push(good)
    // The parser looks ahead: at an end it lets go of the last row.
    if (!problem && good !== bytes) await parser.end()
    const rows = parser.taken()
    yield* rows
    sinceRow = rows.length > 0 ? 0 : sinceRow + bytes.length
    if (problem ?? good !== bytes) return yield parser.refusal(problem ?? NOT_UTF8)
    // Empty cells have no size that the parser would count.
    if (sinceRow > 2 * limits.record_bytes) return yield parser.refusal(parser.tooLarge)
  }
  const problem = held.length > 0 ? NOT_UTF8 : await parser.end()
  yield* parser.taken()
  if (problem) yield parser.refusal(problem)
}

const NOT_UTF8 =
  'The row that begins here, or one of the lines behind it, is not UTF-8. Save the file as UTF-8.'

class RowParser {
  readonly #parser
  readonly #limit: number
  #rows: TableRow[] = []
  #names: string[] | undefined
  #index = 0
  /** Where the next row begins, blank lines before it aside. */
  #line = 1
  #blank = 0

  constructor(delimiter: string, limit: number) {
    this.#limit = limit
    this.#parser = parse({
      ...options(delimiter),
      max_record_size: limit,
      // Nothing is handed to the stream: what it holds would be lost where a later row cannot be read.
      on_record: (cells: string[], { empty_lines }) => this.#take(cells, empty_lines),
    })
    // It is told to whoever waits for the write.
    this.#parser.on('error', () => undefined)
  }

  get tooLarge(): string {
    return `The row that begins here is larger than ${this.#limit} bytes; a quote in it may not be closed.`
  }

  /** What is wrong, if anything is. */
  push(bytes: Uint8Array): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#parser.write(bytes, (error) => resolve(this.#problem(error)))
    })
  }

  end(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#parser.end((error?: Error | null) => resolve(this.#problem(error)))
    })
  }

  /** The rows that are complete since it was asked last. */
  taken(): TableRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  refusal(detail: string): { kind: 'refusal' } & Remark {
    return { kind: 'refusal', record: null, line: this.#line, pointer: '', detail }
  }

  #take(cells: string[], blank: number): undefined {
    this.#skipBlank(blank)
    this.#names ??= cells
    this.#rows.push({ index: this.#index, line: this.#line, cells })
    this.#index += 1
    this.#line += 1
    for (const cell of cells) this.#line += lineBreaks(cell)
  }

  #skipBlank(blank: number): void {
    this.#line += blank - this.#blank
    this.#blank = blank
  }

  #problem(error: Error | null | undefined): string | undefined {
    if (!error) return undefined
    const { code, column, empty_lines } = error as CsvError & { code: string }
    this.#skipBlank(Number(empty_lines ?? this.#blank))
    const where = `in column '${this.#names?.[Number(column)] ?? Number(column) + 1}'`
    if (code === 'CSV_MAX_RECORD_SIZE') return this.tooLarge
    if (code === 'CSV_QUOTE_NOT_CLOSED')
      return `The row that begins here opens a quote ${where} that is never closed.`
    if (code === 'CSV_INVALID_CLOSING_QUOTE')
      return `In the row that begins here something follows a closing quote ${where}. A quote inside of a quoted cell is written twice; or a quote before it was not closed.`
    if (code === 'INVALID_OPENING_QUOTE')
      return `In the row that begins here a quote stands inside of a cell ${where} that is not quoted. Such a cell stands in quotes, with each quote in it written twice.`
    return error.message
  }
}

function lineBreaks(cell: string): number {
  return cell.includes('\n') || cell.includes('\r') ? (cell.match(/\r\n|\n|\r/g)?.length ?? 0) : 0
}

function withoutBom(bytes: Buffer): Buffer {
  return bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes
}

/** Where the last character begins if it is cut off, otherwise the end. */
function completeEnd(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 0
    if (length > 0) return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

/** Where the first line begins that is not UTF-8. */
function badLine(bytes: Buffer): number {
  for (let start = 0; ; ) {
    const end = bytes.indexOf(LF, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return start
    start = end + 1
  }
}
