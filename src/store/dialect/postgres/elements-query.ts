// Reads one text column as bytes, with a binary COPY if the server supports it. A regular query decodes each text to a
// string, which is then encoded again.
import pg from 'pg'

/** Before the first row: signature, flags, and the length of an empty header extension. */
const HEADER_BYTES = 19
/** Before each value: the number of fields in the row and the length of the value. */
const ROW_HEADER_BYTES = 6
/** Slightly more than a typical result. */
const INITIAL_CAPACITY = 320 * 1024
/** The most bytes that one UTF-16 code unit of a string needs in UTF-8. */
const MAX_BYTES_PER_CODE_UNIT = 3

/** Not implemented, or a syntax error: servers that are compatible with PostgreSQL do not all support a binary COPY. */
const UNSUPPORTED_CODES = ['0A000', '42601']

/** Whether an error of a binary COPY means that the server does not support it. */
export function isCopyUnsupported(error: unknown): boolean {
  return error instanceof pg.DatabaseError && UNSUPPORTED_CODES.includes(error.code ?? '')
}

/** Joins the texts of a one-column query by a one-character separator. */
export class ElementsQuery extends pg.Query {
  readonly bytes: Promise<Uint8Array>
  /** Called by the driver at the end. */
  readonly callback: (error: Error | undefined) => void
  readonly #separator: number
  #bytes: Buffer<ArrayBuffer>
  #length = 0
  #isFirstRow = true

  /** `expectedBytes` is the size of a similar result. */
  constructor(query: string, separator: string, usesCopy: boolean, expectedBytes: number) {
    super(usesCopy ? `COPY (${query}) TO STDOUT (FORMAT binary)` : query)
    this.#separator = separator.charCodeAt(0)
    this.#bytes = Buffer.from(new ArrayBuffer(Math.max(INITIAL_CAPACITY, expectedBytes)))
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    this.bytes = promise
    this.callback = (error) =>
      error ? reject(error) : resolve(new Uint8Array(this.#bytes.buffer.transfer(this.#length)))
  }

  /** Called by the driver with one row, or with the end marker, which is shorter than any row. The chunk is copied. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const start = (this.#isFirstRow ? HEADER_BYTES : 0) + ROW_HEADER_BYTES
    if (chunk.length < start) return
    this.#beginRow(chunk.length - start)
    this.#length += chunk.copy(this.#bytes, this.#length, start)
  }

  /** Called by the driver with one row of a regular query. */
  handleDataRow({ fields: [text = ''] }: { fields: string[] }): void {
    this.#beginRow(text.length * MAX_BYTES_PER_CODE_UNIT)
    this.#length += this.#bytes.write(text, this.#length)
  }

  #beginRow(maxBytes: number): void {
    const neededBytes = maxBytes + 1
    if (this.#length + neededBytes > this.#bytes.length) this.#grow(neededBytes)
    if (!this.#isFirstRow) this.#length = this.#bytes.writeUInt8(this.#separator, this.#length)
    this.#isFirstRow = false
  }

  #grow(neededBytes: number): void {
    const size = 2 * this.#bytes.length + neededBytes
    this.#bytes = Buffer.from(this.#bytes.buffer.transfer(size))
  }
}
