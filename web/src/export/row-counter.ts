// Counts the rows of an export from its bytes: CSV records after the header, or the outermost objects of JSON and NDJSON.

const [LINE_FEED, QUOTE, BACKSLASH, OPENING_BRACE, CLOSING_BRACE] = [10, 34, 92, 123, 125]

export class RowCounter {
  rows: number
  #isCsv: boolean
  #depth = 0
  #isQuoted = false
  #isEscaped = false

  constructor(isCsv: boolean) {
    this.#isCsv = isCsv
    // The header is not a row.
    this.rows = isCsv ? -1 : 0
  }

  /** Counts the next piece. Rows can span pieces. */
  count(piece: Uint8Array): void {
    for (const byte of piece) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === QUOTE) this.#isQuoted = !this.#isQuoted
      else if (this.#isQuoted) this.#isEscaped = byte === BACKSLASH && !this.#isCsv
      else if (this.#isCsv) this.rows += Number(byte === LINE_FEED)
      else if (byte === OPENING_BRACE) this.rows += Number(this.#depth++ === 0)
      else if (byte === CLOSING_BRACE) this.#depth--
    }
  }
}
