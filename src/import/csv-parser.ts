// Splits CSV text into rows of cells, chunk by chunk. It is strict about quotes, because a wrong quote would merge rows.
// Rows can end with any of \r\n, \n and \r, also within one file, and blank lines are skipped.

export interface CsvRow {
  /** Where the row begins, counted from 1. */
  line: number
  cells: string[]
}

/** `openQuote`: a quoted cell does not end. `innerQuote`: a quote inside an unquoted cell. */
export type CsvFault = 'size' | 'openQuote' | 'innerQuote' | 'textAfterQuote'

/** A row that cannot be read. The rest of the text cannot be read either. */
export class CsvProblem extends Error {
  readonly fault: CsvFault
  /** The line where the row begins, and the index of the cell. */
  readonly line: number
  readonly cell: number

  constructor(fault: CsvFault, line: number, cell: number) {
    super(`${fault} in line ${line}`)
    this.fault = fault
    this.line = line
    this.cell = cell
  }
}

const [QUOTE, LF, CR] = [0x22, 0x0a, 0x0d]

export class CsvParser {
  readonly #delimiter: string
  readonly #delimiterCode: number
  readonly #maxRowBytes: number
  #isEnd = false
  /** The text that has not been parsed, from `index`. */
  #text = ''
  #index = 0
  /** Where each character occurs next. Most cells contain none of them, so that the text is searched once for each. */
  #delimiterIndex = -1
  #quoteIndex = -1
  #lfIndex = -1
  #crIndex = -1
  /** The line where the current row begins, and the line after what was read. */
  #line = 1
  #nextLine = 1
  /** The current row: its start in the text, and its bytes before that. */
  #rowStart = 0
  #rowBytes = 0
  #cells: string[] = []
  /** The current cell: whether it has begun, and its part from earlier texts. */
  #state: 'betweenRows' | 'betweenCells' | 'unquoted' | 'quoted' = 'betweenRows'
  #cellStart = ''
  #hasEscapes = false

  constructor(delimiter: string, maxRowBytes: number) {
    this.#delimiter = delimiter
    this.#delimiterCode = delimiter.charCodeAt(0)
    this.#maxRowBytes = maxRowBytes
  }

  /** Adds text. Call `next` until it returns undefined before. */
  push(text: string): void {
    this.#text = this.#text.slice(this.#index) + text
    this.#index = 0
    this.#rowStart = 0
    this.#delimiterIndex = this.#quoteIndex = this.#lfIndex = this.#crIndex = -1
  }

  /** Marks the end of the text. */
  end(): void {
    this.#isEnd = true
  }

  /** The next row. Undefined if its end is not in the text yet. Throws CsvProblem. */
  next(): CsvRow | undefined {
    if (this.#state === 'betweenRows' && !this.#beginRow()) return undefined
    while (this.#readCell()) {
      this.#state = 'betweenCells'
      if (this.#text.charCodeAt(this.#index) !== this.#delimiterCode) return this.#endRow()
      this.#index += 1
    }
    this.#checkSize()
    this.#rowBytes += this.#countBytes()
    this.#rowStart = this.#index
    return undefined
  }

  /** Skips blank lines. Returns false at the end of the text. */
  #beginRow(): boolean {
    for (;;) {
      const length = this.#lineBreakLength(this.#index)
      if (length === undefined) return false
      if (length === 0) break
      this.#index += length
      this.#nextLine += 1
    }
    if (this.#index === this.#text.length) return false
    this.#line = this.#nextLine
    this.#rowStart = this.#index
    this.#rowBytes = 0
    this.#cells = []
    this.#state = 'betweenCells'
    return true
  }

  #endRow(): CsvRow {
    this.#checkSize()
    this.#index += this.#lineBreakLength(this.#index) ?? 0
    this.#nextLine += 1
    this.#state = 'betweenRows'
    return { line: this.#line, cells: this.#cells }
  }

  /** Adds the next cell to the row. Returns false if what follows the cell is not in the text yet. */
  #readCell(): boolean {
    if (this.#state === 'betweenCells') {
      if (this.#index === this.#text.length && !this.#isEnd) return false
      const isQuoted = this.#text.charCodeAt(this.#index) === QUOTE
      if (isQuoted) this.#index += 1
      this.#state = isQuoted ? 'quoted' : 'unquoted'
    }
    return this.#state === 'quoted' ? this.#readQuoted() : this.#readUnquoted()
  }

  #readUnquoted(): boolean {
    const start = this.#index
    const text = this.#text
    if (this.#delimiterIndex < start) this.#delimiterIndex = indexOf(text, this.#delimiter, start)
    if (this.#lfIndex < start) this.#lfIndex = indexOf(text, '\n', start)
    if (this.#crIndex < start) this.#crIndex = indexOf(text, '\r', start)
    const end = Math.min(this.#delimiterIndex, this.#lfIndex, this.#crIndex)
    if (this.#findQuote(start) < end) this.#fail('innerQuote')
    this.#index = end
    if (!this.#isVisible(end)) {
      this.#cellStart += text.slice(start, end)
      return false
    }
    this.#addCell(text.slice(start, end))
    return true
  }

  #readQuoted(): boolean {
    const text = this.#text
    const start = this.#index
    for (let from = start; ; from += 2) {
      from = this.#findQuote(from)
      const isOpen = from === text.length
      if (isOpen && this.#isEnd) this.#fail('openQuote')
      if (isOpen || !this.#isVisible(from + 1)) {
        this.#cellStart += text.slice(start, from)
        this.#index = from
        return false
      }
      const next = text.charCodeAt(from + 1)
      if (next === QUOTE) this.#hasEscapes = true
      else {
        this.#index = from + 1
        const isClosed =
          next === this.#delimiterCode || next === LF || next === CR || this.#index === text.length
        if (!isClosed) this.#fail('textAfterQuote')
        this.#addCell(text.slice(start, from))
        return true
      }
    }
  }

  #addCell(end: string): void {
    let cell = this.#cellStart === '' ? end : this.#cellStart + end
    if (this.#hasEscapes) cell = cell.replaceAll('""', '"')
    if (this.#state === 'quoted') this.#nextLine += countLineBreaks(cell)
    this.#cells.push(cell)
    this.#cellStart = ''
    this.#hasEscapes = false
  }

  #findQuote(from: number): number {
    if (this.#quoteIndex < from) this.#quoteIndex = indexOf(this.#text, '"', from)
    return this.#quoteIndex
  }

  /** Whether the text contains what is at `index`. A \r at its end can be the first half of a line break. */
  #isVisible(index: number): boolean {
    const { length } = this.#text
    return index < length - 1 || this.#isEnd || (index < length && this.#text.charCodeAt(index) !== CR)
  }

  /** 0 if there is no line break. Undefined if the text ends inside of one. */
  #lineBreakLength(index: number): number | undefined {
    const code = this.#text.charCodeAt(index)
    if (code === LF) return 1
    if (code !== CR) return 0
    if (!this.#isVisible(index)) return undefined
    return this.#text.charCodeAt(index + 1) === LF ? 2 : 1
  }

  #checkSize(): void {
    // A character has up to 3 bytes.
    if (this.#rowBytes + 3 * (this.#index - this.#rowStart) <= this.#maxRowBytes) return
    if (this.#rowBytes + this.#countBytes() > this.#maxRowBytes) this.#fail('size')
  }

  /** The bytes of the row in this text. */
  #countBytes(): number {
    return Buffer.byteLength(this.#text.slice(this.#rowStart, this.#index))
  }

  #fail(fault: CsvFault): never {
    throw new CsvProblem(fault, this.#line, this.#cells.length)
  }
}

/** The length of the text if it does not contain the character. */
function indexOf(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from)
  return index === -1 ? text.length : index
}

function countLineBreaks(cell: string): number {
  return cell.includes('\n') || cell.includes('\r') ? (cell.match(/\r\n|\n|\r/g)?.length ?? 0) : 0
}
