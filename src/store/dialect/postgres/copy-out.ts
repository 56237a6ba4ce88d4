// Reads one text column as bytes with a binary COPY. A regular query would decode each text to a string, which would
// then be encoded again.
import pg from 'pg'

/** Before the first row: signature, flags, and the length of an empty header extension. */
const HEADER_BYTES = 19
/** Before each value: the number of fields in the row and the length of the value. */
const ROW_HEADER_BYTES = 6
/** Slightly more than a typical result. */
const INITIAL_CAPACITY = 320 * 1024

/** Joins the texts of a one-column query by a one-character separator. */
export class CopyOutQuery extends pg.Query {
  readonly bytes: Promise<Uint8Array>
  /** Called by the driver at the end. */
  readonly callback: (error: Error | undefined) => void
  readonly #separator: number
  #bytes = Buffer.from(new ArrayBuffer(INITIAL_CAPACITY))
  #length = 0
  #isFirstRow = true

  constructor(query: string, separator: string) {
    super(`COPY (${query}) TO STDOUT (FORMAT binary)`)
    this.#separator = separator.charCodeAt(0)
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    this.bytes = promise
    this.callback = (error) =>
      error ? reject(error) : resolve(new Uint8Array(this.#bytes.buffer.transfer(this.#length)))
  }

  /** Called by the driver with one row, or with the end marker, which is shorter than any row. The chunk is copied. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const start = (this.#isFirstRow ? HEADER_BYTES : 0) + ROW_HEADER_BYTES
    if (chunk.length < start) return
    const neededBytes = chunk.length - start + 1
    if (this.#length + neededBytes > this.#bytes.length) this.#grow(neededBytes)
    if (!this.#isFirstRow) this.#length = this.#bytes.writeUInt8(this.#separator, this.#length)
    this.#length += chunk.copy(this.#bytes, this.#length, start)
    this.#isFirstRow = false
  }

  #grow(neededBytes: number): void {
    const size = 2 * this.#bytes.length + neededBytes
    this.#bytes = Buffer.from(this.#bytes.buffer.transfer(size))
  }
}
