// Reads records from a stream of JSON: the elements of one array, or one record per line. Only a record that crosses a
// chunk boundary is buffered, so the size of the input is not limited.
import { ByteBuffer } from './byte-buffer.ts'
import { plainEnd } from './plain-bytes.ts'
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

/** The state of reading an array. `whole`: the input is not an array, and is read as one record. */
type State = 'start' | 'open' | 'comma' | 'element' | 'closed' | 'whole'

const [QUOTE, BACKSLASH, COMMA, LF] = [0x22, 0x5c, 0x2c, 0x0a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
/** Bytes that end a number or literal. */
const ENDS_SCALAR = new Uint8Array(256)
for (const byte of Buffer.from(' \t\n\r,]["{')) ENDS_SCALAR[byte] = 1

/** Throws JsonProblem if the input as a whole is invalid, after the records before the error. */
export class RecordReader {
  readonly #shape: Shape
  readonly #limits: RecordLimits
  #state: State = 'start'
  /** The offset of the first byte of the chunk. */
  #chunkOffset = 0
  #line = 1
  #recordIndex = 0
  /** The record being read, and its bytes from earlier chunks. */
  #start: RecordStart | undefined
  #bufferedBytes: ByteBuffer | undefined
  /** Inside an element: the number of open brackets, and whether in a string, an escape or a scalar. */
  #depth = 0
  #inString = false
  #inEscape = false
  #inScalar = false

  constructor(shape: Shape, limits: RecordLimits) {
    this.#shape = shape
    this.#limits = limits
  }

  /** For the shape array: whether the input begins with an array. Undefined while unknown. */
  get isArray(): boolean | undefined {
    return this.#state === 'start' ? undefined : this.#state !== 'whole'
  }

  /**
   * Yields the records that this chunk completes, one at a time. Overwrites the chunk, and does not refer to it after
   * the last record.
   */
  *push(chunk: Uint8Array): Generator<JsonRecord> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    for (let index = 0; index < bytes.length; ) {
      if (this.#start === undefined) index = this.#skipSeparators(bytes, index)
      else {
        const end = this.#shape === 'lines' ? bytes.indexOf(LF, index) : this.#findElementEnd(bytes, index)
        const piece = this.#trimToLimit(end === -1 ? bytes.subarray(index) : bytes.subarray(index, end))
        if (end === -1) this.#buffer(piece)
        else yield this.#completeRecord(piece, this.#start)
        index = end === -1 ? bytes.length : end
      }
    }
    this.#chunkOffset += bytes.length
  }

  /** Yields the last record, if the end of the input completes it. */
  *end(): Generator<JsonRecord> {
    if (this.#shape === 'array' && this.#state !== 'whole') {
      if (this.#state === 'start') this.#fail('There is no value.', 0)
      if (this.#state !== 'closed')
        this.#fail('The text ends before its array is closed. It may be truncated.', 0)
    }
    if (this.#start !== undefined) yield this.#completeRecord(Buffer.alloc(0), this.#start)
  }

  /** Skips whitespace and separators up to the next record. */
  #skipSeparators(bytes: Buffer, index: number): number {
    for (; index < bytes.length && isWhitespace(bytes[index]); index += 1)
      if (bytes[index] === LF) this.#line += 1
    if (index === bytes.length) return index
    if (this.#shape === 'array' && this.#readSeparator(bytes, index)) return index + 1
    this.#start = { index: this.#recordIndex, line: this.#line, offset: this.#chunkOffset + index }
    this.#recordIndex += 1
    return index
  }

  /** Updates the state for a bracket or comma of the array itself. Returns false if a record begins here. */
  #readSeparator(bytes: Buffer, index: number): boolean {
    const byte = bytes[index] as number
    const state = this.#state
    if (state === 'closed') this.#fail('The text continues after the end of the array.', index)
    if (state === 'element') {
      if (byte !== COMMA && byte !== CLOSE_BRACKET)
        this.#fail('A comma is missing between two elements.', index)
      this.#state = byte === COMMA ? 'comma' : 'closed'
      return true
    }
    if (state === 'start') {
      this.#state = byte === OPEN_BRACKET ? 'open' : 'whole'
      return byte === OPEN_BRACKET
    }
    if (byte === COMMA || (byte === CLOSE_BRACKET && state === 'comma')) {
      this.#fail('An element is missing before or after a comma.', index)
    }
    this.#state = byte === CLOSE_BRACKET ? 'closed' : 'element'
    this.#inScalar = byte !== QUOTE && byte !== OPEN_BRACE && byte !== OPEN_BRACKET
    return byte === CLOSE_BRACKET
  }

  /** The end of the element, or -1 if it is not in this chunk. Checks only brackets and strings. */
  #findElementEnd(bytes: Buffer, index: number): number {
    if (this.#state === 'whole') return -1
    for (; index < bytes.length; index += 1) {
      if (this.#inString) index = this.#findStringEnd(bytes, index)
      const byte = bytes[index]
      if (this.#inScalar) {
        if (ENDS_SCALAR[byte as number] === 1) return index
      } else if (byte === LF) this.#line += 1
      else if (byte === QUOTE) {
        this.#inString = !this.#inString
        if (!this.#inString && this.#depth === 0) return index + 1
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth += 1
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#depth -= 1
        if (this.#depth === 0) return index + 1
      }
    }
    return -1
  }

  /** The position of the closing quote, or the end of the chunk. */
  #findStringEnd(bytes: Buffer, index: number): number {
    for (; index < bytes.length; index += 1) {
      if (!this.#inEscape) index = plainEnd(bytes, index)
      if (bytes[index] === QUOTE && !this.#inEscape) return index
      if (bytes[index] === LF) this.#line += 1
      this.#inEscape = bytes[index] === BACKSLASH && !this.#inEscape
    }
    return bytes.length
  }

  /** Cuts a piece at the size limit. Only whitespace can be cut; anything else is an error. */
  #trimToLimit(piece: Buffer): Buffer {
    const remaining = this.#limits.record_bytes - (this.#bufferedBytes?.length ?? 0)
    if (piece.length <= remaining) return piece
    const start = this.#start as RecordStart
    if (!piece.subarray(remaining).every(isWhitespace)) {
      const message = `A record is larger than ${this.#limits.record_bytes} bytes.`
      throw new JsonProblem('size', message, start.offset, start.line)
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

  #fail(message: string, index: number): never {
    throw new JsonProblem('syntax', message, this.#chunkOffset + index, this.#line)
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

function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === LF || byte === 0x09 || byte === 0x0d
}
