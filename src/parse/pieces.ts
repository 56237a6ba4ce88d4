// Cuts a body into pieces for parse threads. A piece of lines ends at the end of a line if it can, so that another thread
// can parse the next one.
import type { RecordStart, Shape } from '../json/records.ts'

/** About 500 kB of encoded rows: one frame of a row buffer. */
export const PIECE_BYTES = 256 * 1024

const LF = 0x0a

export interface Piece {
  /** Fills its whole buffer up to `length`, so that the buffer can be transferred. */
  buffer: ArrayBuffer
  length: number
  /** Set if a block begins here: records that one thread parses. */
  start?: RecordStart
  /** Whether the block ends here. */
  isEnd: boolean
}

export class PieceCutter {
  readonly #shape: Shape
  #buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
  #length = 0
  /** Where the next piece begins. */
  #position: RecordStart = { index: 0, line: 1, offset: 0 }
  #isBlockOpen = false
  /** Whether the line that the last piece ended in has a record. */
  #isLineEmpty = true

  constructor(shape: Shape) {
    this.#shape = shape
  }

  /** Yields the pieces that the chunk completes. Copies it. */
  *add(chunk: Uint8Array): Generator<Piece> {
    for (let offset = 0; offset < chunk.length; ) {
      const part = chunk.subarray(offset, offset + PIECE_BYTES - this.#length)
      this.#buffer.set(part, this.#length)
      this.#length += part.length
      offset += part.length
      if (this.#length === PIECE_BYTES) yield this.#cut()
    }
  }

  /** The last piece. */
  end(): Piece {
    return this.#take(this.#length, true)
  }

  #cut(): Piece {
    // An array is one block: where its elements end is known only to its parser.
    const linesEnd = this.#shape === 'lines' ? this.#buffer.lastIndexOf(LF) + 1 : 0
    return linesEnd === 0 ? this.#take(this.#length, false) : this.#take(linesEnd, true)
  }

  #take(length: number, isEnd: boolean): Piece {
    const { buffer } = this.#buffer
    const rest = this.#buffer.subarray(length, this.#length)
    const start = this.#isBlockOpen ? {} : { start: { ...this.#position } }
    this.#advance(this.#buffer.subarray(0, length))
    this.#isBlockOpen = !isEnd
    this.#buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
    this.#buffer.set(rest)
    this.#length = rest.length
    return { buffer, length, ...start, isEnd }
  }

  /** Counts lines and records like RecordReader, for the start of the next block. */
  #advance(bytes: Buffer): void {
    this.#position.offset += bytes.length
    if (this.#shape === 'array') return
    for (let start = 0; start < bytes.length; ) {
      const lineEnd = bytes.indexOf(LF, start)
      const end = lineEnd === -1 ? bytes.length : lineEnd
      this.#isLineEmpty &&= isBlank(bytes, start, end)
      start = end + 1
      if (lineEnd === -1) return
      this.#position.line += 1
      this.#position.index += Number(!this.#isLineEmpty)
      this.#isLineEmpty = true
    }
  }
}

/** Whether there are only spaces, tabs and carriage returns. */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}
