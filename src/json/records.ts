// Takes records out of JSON that comes in chunks: the elements of one array, or one record a line. Only the
// record that crosses a chunk border is held, so an input may be of any size.
import { Held } from './held.ts'
import { plainEnd } from './plain.ts'
import { JsonProblem } from './problem.ts'
import { type ScanLimits, type Scanned, scan } from './scan.ts'

/** One JSON array of records, or one record a line (NDJSON). */
export type Shape = 'array' | 'lines'

export interface RecordLimits extends ScanLimits {
  /** The largest record, white space behind it aside. */
  record_bytes: number
}

/** Where a record begins: `index` counts records from 0, `line` lines from 1, `offset` bytes from 0. */
export interface Place {
  index: number
  line: number
  offset: number
}

/** A problem's offset and line are those in the whole input, its line counted from 1. */
export type JsonRecord = Place &
  ({ scanned: Scanned; problem?: undefined } | { scanned?: undefined; problem: JsonProblem })

/** What has been read of an array; `whole`: the input is no array, and so one single record. */
type State = 'start' | 'open' | 'comma' | 'element' | 'closed' | 'whole'

const [QUOTE, BACKSLASH, COMMA, LF] = [0x22, 0x5c, 0x2c, 0x0a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
/** What cannot be part of a number or a literal that is an element. */
const BEHIND_SCALAR = new Uint8Array(256)
for (const byte of Buffer.from(' \t\n\r,]["{')) BEHIND_SCALAR[byte] = 1

/** Throws JsonProblem at what spoils the whole input, behind the records that came before it. */
export class RecordReader {
  readonly #shape: Shape
  readonly #limits: RecordLimits
  #state: State = 'start'
  /** Of the chunk's first byte. */
  #offset = 0
  #line = 1
  #index = 0
  /** The record being read, and what earlier chunks had of it. */
  #place: Place | undefined
  readonly #held: Held
  /** Inside an element: brackets open, and whether a string, an escape, or neither container nor string. */
  #depth = 0
  #inString = false
  #inEscape = false
  #inScalar = false

  constructor(shape: Shape, limits: RecordLimits) {
    this.#shape = shape
    this.#limits = limits
    this.#held = new Held(limits.record_bytes)
  }

  /** For the shape array: whether the input begins as one; undefined as long as that is not known. */
  get isArray(): boolean | undefined {
    return this.#state === 'start' ? undefined : this.#state !== 'whole'
  }

  /**
   * The records that this chunk completes, each when it is asked for: one at a time is alive. Overwrites the chunk,
   * and keeps nothing of it once the last was taken.
   */
  *push(chunk: Uint8Array): Generator<JsonRecord> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    for (let at = 0; at < bytes.length; ) {
      if (this.#place === undefined) at = this.#between(bytes, at)
      else {
        const end = this.#shape === 'lines' ? bytes.indexOf(LF, at) : this.#elementEnd(bytes, at)
        const piece = this.#fitting(end === -1 ? bytes.subarray(at) : bytes.subarray(at, end))
        if (end === -1) this.#held.add(piece)
        else yield this.#complete(piece, this.#place)
        at = end === -1 ? bytes.length : end
      }
    }
    this.#offset += bytes.length
  }

  /** The record that only the end of the input completes, if there is one. */
  *end(): Generator<JsonRecord> {
    if (this.#shape === 'array' && this.#state !== 'whole') {
      if (this.#state === 'start') this.#fail('There is no value.', 0)
      if (this.#state !== 'closed')
        this.#fail('The text ends before its array is closed; it may be cut off.', 0)
    }
    if (this.#place !== undefined) yield this.#complete(Buffer.alloc(0), this.#place)
  }

  /** Goes over white space and what separates records, at most up to where a record begins. */
  #between(bytes: Buffer, at: number): number {
    for (; at < bytes.length && isWhite(bytes[at]); at += 1) if (bytes[at] === LF) this.#line += 1
    if (at === bytes.length) return at
    if (this.#shape === 'array' && this.#isSeparator(bytes, at)) return at + 1
    this.#place = { index: this.#index, line: this.#line, offset: this.#offset + at }
    this.#index += 1
    return at
  }

  /** Takes a bracket or comma of the array itself; false when an element, or the whole, begins here. */
  #isSeparator(bytes: Buffer, at: number): boolean {
    const byte = bytes[at] as number
    const state = this.#state
    if (state === 'closed') this.#fail('Something follows the array.', at)
    if (state === 'element') {
      if (byte !== COMMA && byte !== CLOSE_BRACKET) this.#fail('A comma is missing between two elements.', at)
      this.#state = byte === COMMA ? 'comma' : 'closed'
      return true
    }
    if (state === 'start') {
      this.#state = byte === OPEN_BRACKET ? 'open' : 'whole'
      return byte === OPEN_BRACKET
    }
    if (byte === COMMA || (byte === CLOSE_BRACKET && state === 'comma')) {
      this.#fail('An element is missing beside a comma.', at)
    }
    this.#state = byte === CLOSE_BRACKET ? 'closed' : 'element'
    this.#inScalar = byte !== QUOTE && byte !== OPEN_BRACE && byte !== OPEN_BRACKET
    return byte === CLOSE_BRACKET
  }

  /** Where the element ends, or -1: not in this chunk. Only brackets and strings are looked at. */
  #elementEnd(bytes: Buffer, at: number): number {
    if (this.#state === 'whole') return -1
    for (; at < bytes.length; at += 1) {
      if (this.#inString) at = this.#stringEnd(bytes, at)
      const byte = bytes[at]
      if (this.#inScalar) {
        if (BEHIND_SCALAR[byte as number] === 1) return at
      } else if (byte === LF) this.#line += 1
      else if (byte === QUOTE) {
        this.#inString = !this.#inString
        if (!this.#inString && this.#depth === 0) return at + 1
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth += 1
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#depth -= 1
        if (this.#depth === 0) return at + 1
      }
    }
    return -1
  }

  /** Where the closing quote is, or the end of the chunk. */
  #stringEnd(bytes: Buffer, at: number): number {
    for (; at < bytes.length; at += 1) {
      if (!this.#inEscape) at = plainEnd(bytes, at)
      if (bytes[at] === QUOTE && !this.#inEscape) return at
      if (bytes[at] === LF) this.#line += 1
      this.#inEscape = bytes[at] === BACKSLASH && !this.#inEscape
    }
    return bytes.length
  }

  /** What is to be kept of a piece of the record: beyond the limit, white space may follow but nothing else. */
  #fitting(piece: Buffer): Buffer {
    const room = this.#limits.record_bytes - this.#held.length
    if (piece.length <= room) return piece
    const place = this.#place as Place
    if (!piece.subarray(room).every(isWhite)) {
      const message = `A record is larger than ${this.#limits.record_bytes} bytes.`
      throw new JsonProblem('size', message, place.offset, place.line)
    }
    return piece.subarray(0, room)
  }

  #complete(piece: Buffer, place: Place): JsonRecord {
    if (this.#held.length > 0) this.#held.add(piece)
    const bytes = this.#held.length > 0 ? this.#held.bytes : piece
    this.#held.clear()
    this.#place = undefined
    return completed(bytes, place, this.#limits)
  }

  #fail(message: string, at: number): never {
    throw new JsonProblem('syntax', message, this.#offset + at, this.#line)
  }
}

/** Overwrites the bytes. */
export function completed<Where extends Place>(
  bytes: Buffer,
  place: Where,
  limits: ScanLimits,
): JsonRecord & Where {
  try {
    return { ...place, scanned: scan(bytes, limits) }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    const { fault, message, offset, line, pointer } = error
    const problem = new JsonProblem(fault, message, place.offset + offset, place.line + line, pointer)
    return { ...place, problem }
  }
}

function isWhite(byte: number | undefined): boolean {
  return byte === 0x20 || byte === LF || byte === 0x09 || byte === 0x0d
}
