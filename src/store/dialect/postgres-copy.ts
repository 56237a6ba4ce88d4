// The rows of one column as bytes, by COPY in its binary form: through a usual query each piece of an answer
// would become a string, and bytes again.
import pg from 'pg'
import { notePassed } from './postgres-garbage.ts'

/** Before the first row: a signature, flags, and the length of a part that is not there. */
const HEAD_BYTES = 19
/** Before each value: how many there are in the row, and how long this one is. */
const ROW_BYTES = 6
/** About as much as is asked for at once. */
const USUAL_BYTES = 320 * 1024

type Done = (error: Error | undefined, bytes: Uint8Array) => void

/** Texts of a query with one column, joined by a one-character separator. */
export class CopiedTexts extends pg.Query {
  /** Read by the driver. */
  readonly query_timeout: number
  readonly callback: (error: Error | undefined) => void
  readonly #separator: number
  #bytes = Buffer.from(new ArrayBuffer(USUAL_BYTES))
  #length = 0
  #isFirst = true

  constructor(query: string, separator: string, timeoutMs: number, done: Done) {
    super(`COPY (${query}) TO STDOUT (FORMAT binary)`)
    this.query_timeout = timeoutMs
    this.#separator = separator.charCodeAt(0)
    this.callback = (error) => {
      notePassed(this.#length)
      done(error, new Uint8Array(this.#bytes.buffer.transfer(this.#length)))
    }
  }

  /** One row, or the end of them, which is shorter than any. Called by the driver, whose memory it is. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const start = (this.#isFirst ? HEAD_BYTES : 0) + ROW_BYTES
    if (chunk.length < start) return
    const more = chunk.length - start + 1
    if (this.#length + more > this.#bytes.length) this.#grow(more)
    if (!this.#isFirst) this.#length = this.#bytes.writeUInt8(this.#separator, this.#length)
    this.#length += chunk.copy(this.#bytes, this.#length, start)
    this.#isFirst = false
  }

  #grow(more: number): void {
    const size = 2 * this.#bytes.length + more
    this.#bytes = Buffer.from(this.#bytes.buffer.transfer(size))
  }
}
