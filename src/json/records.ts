// Reads records from a stream of JSON, one per line; document.ts reads the elements of arrays. Only a record that crosses a
// chunk boundary is buffered, so the size of the input is not limited.
import { ByteBuffer } from './byte-buffer.ts'
import { JsonProblem } from './problem.ts'
import { type ScanLimits, type Scanned, scan } from './scan.ts'

/** One JSON array of records, or one record per line (NDJSON). */
export type Shape = 'array' | 'lines'

export interface RecordLimits extends ScanLimits {
  /** The maximum size of a record, without whitespace after it. */
  record_bytes: number
}

/** How deeply a record can be nested; the record itself is level 1. Deeper ones could overflow the stack of a client. */
const MAX_DEPTH = 128
/** The maximum number of members of one object. All of them are compared to find names that repeat. */
const MAX_MEMBERS = 10_000

export function recordLimits(maxBytes: number): RecordLimits {
  return { record_bytes: maxBytes, depth: MAX_DEPTH, members: MAX_MEMBERS }
}

/** Where a record begins: `index` and `offset` (in bytes) count from 0, `line` from 1. */
export interface RecordStart {
  index: number
  line: number
  offset: number
}

/** The offset and line of a problem refer to the whole input. Lines count from 1. */
export type JsonRecord = RecordStart &
  ({ scanned: Scanned; problem?: undefined } | { scanned?: undefined; problem: JsonProblem })

const LF = 0x0a

/** Reads one record per line. Throws JsonProblem if a record is too large. */
export class LineReader {
  readonly #limits: RecordLimits
  /** The offset of the first byte of the chunk. */
  #chunkOffset = 0
  #line = 1
  #recordIndex = 0
  /** The record being read, and its bytes from earlier chunks. */
  #start: RecordStart | undefined
  #bufferedBytes: ByteBuffer | undefined

  constructor(limits: RecordLimits) {
    this.#limits = limits
  }

  /**
   * Yields the records that this chunk completes, one at a time. Overwrites the chunk, and does not refer to it after
   * the last record.
   */
  *push(chunk: Uint8Array): Generator<JsonRecord> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    for (let index = 0; index < bytes.length; ) {
      const start = this.#start
      if (start === undefined) index = this.#skipWhitespace(bytes, index)
      else {
        const end = bytes.indexOf(LF, index)
        const piece = this.#trimToLimit(
          end === -1 ? bytes.subarray(index) : bytes.subarray(index, end),
          start,
        )
        if (end === -1) this.#buffer(piece)
        else yield this.#completeRecord(piece, start)
        index = end === -1 ? bytes.length : end
      }
    }
    this.#chunkOffset += bytes.length
  }

  /** Yields the last record, if no line feed follows it. */
  *end(): Generator<JsonRecord> {
    if (this.#start !== undefined) yield this.#completeRecord(Buffer.alloc(0), this.#start)
  }

  /** Skips whitespace up to the next record, which begins there. */
  #skipWhitespace(bytes: Buffer, index: number): number {
    for (; index < bytes.length && isWhitespace(bytes[index]); index += 1)
      if (bytes[index] === LF) this.#line += 1
    if (index === bytes.length) return index
    this.#start = { index: this.#recordIndex, line: this.#line, offset: this.#chunkOffset + index }
    this.#recordIndex += 1
    return index
  }

  /** Cuts a piece at the size limit. Only whitespace can be cut; anything else is an error. */
  #trimToLimit(piece: Buffer, { offset, line }: RecordStart): Buffer {
    const remaining = this.#limits.record_bytes - (this.#bufferedBytes?.length ?? 0)
    if (piece.length <= remaining) return piece
    if (!piece.subarray(remaining).every(isWhitespace)) {
      const message = `A record is larger than ${this.#limits.record_bytes} bytes.`
      throw new JsonProblem('size', message, offset, line)
    }
    return piece.subarray(0, remaining)
  }

  #completeRecord(piece: Buffer, start: RecordStart): JsonRecord {
    this.#start = undefined
    if (!this.#bufferedBytes?.length) return scanRecord(piece, start, this.#limits)
    const { bytes } = this.#buffer(piece)
    this.#bufferedBytes.clear()
    return scanRecord(bytes, start, this.#limits)
  }

  #buffer(piece: Buffer): ByteBuffer {
    this.#bufferedBytes ??= new ByteBuffer(this.#limits.record_bytes)
    this.#bufferedBytes.add(piece)
    return this.#bufferedBytes
  }
}

/** Scans the bytes of one record. Overwrites them. */
export function scanRecord<Start extends RecordStart>(
  bytes: Buffer,
  start: Start,
  limits: ScanLimits,
): JsonRecord & Start {
  try {
    return { ...start, scanned: scan(bytes, limits) }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    const { fault, message, offset, line, pointer } = error
    const problem = new JsonProblem(fault, message, start.offset + offset, start.line + line, pointer)
    return { ...start, problem }
  }
}

export function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === LF || byte === 0x09 || byte === 0x0d
}
