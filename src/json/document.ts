// Reads one large JSON document as a stream: yields the elements of selected arrays as records, drops selected members
// and stores only the rest. The size of a document is not limited.
import { ByteBuffer } from './byte-buffer.ts'
import { tryUnescapeName } from './detect-shape.ts'
import { plainEnd } from './plain-bytes.ts'
import { JsonProblem } from './problem.ts'
import {
  isWhitespace,
  type JsonRecord,
  LineReader,
  type RecordLimits,
  type RecordStart,
  type Shape,
  scanRecord,
} from './records.ts'
import { type Scanned, scan } from './scan.ts'

/** Paths are member names joined by dots. Arrays add no step. */
export interface DocumentPaths {
  /** Arrays whose elements are records. Other values at these paths belong to the rest. */
  records: readonly string[]
  /** Members to drop, also inside records. They read as null. */
  dropped: readonly string[]
  /** Whether to read only the rest. */
  skipsRecords?: boolean
  /** Whether to continue after a record that is too large. It is yielded as a problem. */
  passesLarge?: boolean
}

export type DocumentRecord = JsonRecord & { path: string }

/** An open object or array. */
interface Container {
  isObject: boolean
  /** The path of the object or array itself. */
  path: string
  /** Whether its elements are records. */
  hasRecords: boolean
  /** The name of the current member. Undefined while a name is expected. */
  name: string | undefined
  /** Whether a value has begun since the last comma, and whether there was a comma. */
  hasBegun: boolean
  hasComma: boolean
}

const [QUOTE, BACKSLASH, COMMA, COLON, LF] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const NULL = Buffer.from('null')
/** 1 for the bytes that end or begin strings, containers and lines. */
const IS_STRUCTURE = new Uint8Array(256)
for (const byte of [QUOTE, LF, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET]) IS_STRUCTURE[byte] = 1

/** Throws JsonProblem if the document as a whole is invalid, after the records before the error. */
export class DocumentReader {
  readonly #records: ReadonlySet<string>
  readonly #dropped: ReadonlySet<string>
  readonly #skipsRecords: boolean
  readonly #passesLarge: boolean
  readonly #limits: RecordLimits
  /** Paths are tracked up to this depth. Deeper containers are only counted. */
  readonly #maxTrackedDepth: number
  /** The current limit. It is lower inside a record from which nothing is dropped. */
  #trackedDepth: number
  readonly #containers: Container[] = []
  #depth = 0
  #inString = false
  #inEscape = false
  #isName = false
  readonly #name: ByteBuffer
  readonly #rest: ByteBuffer
  readonly #recordBytes: ByteBuffer
  #record: (RecordStart & { path: string; depth: number; isTooLarge: boolean }) | undefined
  /** While a value is dropped: the depth of its parent. */
  #dropDepth: number | undefined
  #chunkOffset = 0
  #line = 1
  #recordIndex = 0
  /** The chunk, the start of its unprocessed part, and the line number there. */
  #bytes: Buffer = Buffer.alloc(0)
  #pendingStart = 0
  #pendingLine = 1
  /** The start of each piece of the rest, in the rest and in the document. */
  readonly #pieces: { restOffset: number; restLines: number; offset: number; line: number }[] = []
  #restLines = 0
  /** Whether the position is between records. */
  #isBetweenRecords = false

  constructor(
    { records, dropped, skipsRecords = false, passesLarge = false }: DocumentPaths,
    limits: RecordLimits,
  ) {
    this.#skipsRecords = skipsRecords
    this.#passesLarge = passesLarge
    this.#records = new Set(records)
    this.#dropped = new Set(dropped)
    this.#limits = limits
    this.#maxTrackedDepth = Math.max(...[...records, ...dropped].map((path) => 2 * path.split('.').length))
    this.#trackedDepth = this.#maxTrackedDepth
    this.#name = new ByteBuffer(limits.record_bytes)
    this.#rest = new ByteBuffer(limits.record_bytes)
    this.#recordBytes = new ByteBuffer(limits.record_bytes)
  }

  /** Yields the records that this chunk completes. Overwrites the chunk. */
  *push(chunk: Uint8Array): Generator<DocumentRecord> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    this.#bytes = bytes
    this.#skipTo(0)
    for (let index = 0; index < bytes.length; index += 1) {
      if (this.#inString) index = this.#readString(index)
      else if (this.#depth > this.#trackedDepth) index = this.#skipUntracked(index)
      if (index === bytes.length) break
      const byte = bytes[index] as number
      if (byte === LF) this.#line += 1
      if (byte === QUOTE) this.#toggleString(index)
      else if (byte <= 0x20) continue
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#enter(index, byte === OPEN_BRACE)
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        const record = this.#endValue(index)
        if (record) yield record
        this.#leave(index)
      } else if (byte === COMMA) {
        const record = this.#endValue(index)
        if (record) yield record
      } else if (byte === COLON) this.#endName()
      else this.#beginValue(index)
    }
    this.#flush(bytes.length)
    this.#chunkOffset += bytes.length
    this.#bytes = Buffer.alloc(0)
  }

  /** The document without its records, and with null instead of dropped members. */
  end(): Scanned {
    if (this.#depth > 0) this.#fail('The text ends before all brackets are closed. It may be truncated.', 0)
    try {
      return scan(this.#rest.bytes, this.#limits)
    } catch (error) {
      throw error instanceof JsonProblem ? this.#toDocumentPosition(error) : error
    }
  }

  /** Translates the position of a problem in the rest to its position in the document. */
  #toDocumentPosition({ fault, message, offset, line, pointer }: JsonProblem): JsonProblem {
    const piece = this.#pieces.findLast(({ restOffset }) => restOffset <= offset) ?? {
      restOffset: 0,
      restLines: 0,
      offset: 0,
      line: 1,
    }
    return new JsonProblem(
      fault,
      message,
      piece.offset + offset - piece.restOffset,
      piece.line + line - piece.restLines,
      pointer,
    )
  }

  /** Skips a string up to its closing quote or the end of the chunk. */
  #readString(index: number): number {
    const bytes = this.#bytes
    const start = index
    for (; index < bytes.length; index += 1) {
      if (!this.#inEscape) index = plainEnd(bytes, index)
      const byte = bytes[index]
      if (index === bytes.length || (byte === QUOTE && !this.#inEscape)) break
      if (byte === LF) this.#line += 1
      this.#inEscape = byte === BACKSLASH && !this.#inEscape
    }
    if (this.#isName) this.#append(this.#name, bytes.subarray(start, index))
    return index
  }

  /** Skips what is too deep to be tracked, up to the bracket that ends it or the end of the chunk. */
  #skipUntracked(index: number): number {
    const bytes = this.#bytes
    let depth = this.#depth
    this.#isName = false
    for (; index < bytes.length; index += 1) {
      const byte = bytes[index] as number
      if (IS_STRUCTURE[byte] === 0) continue
      if (byte === LF) this.#line += 1
      else if (byte === QUOTE) {
        index = this.#readString(index + 1)
        this.#inString = index === bytes.length
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1
      else if (depth > this.#trackedDepth + 1) depth -= 1
      else break
    }
    this.#depth = depth
    return Math.min(index, bytes.length)
  }

  #toggleString(index: number): void {
    this.#inString = !this.#inString
    if (!this.#inString) return
    const container = this.#container
    this.#isName = container?.isObject === true && container.name === undefined
    if (this.#isName) this.#name.clear()
    else if (this.#depth <= this.#trackedDepth) this.#beginValue(index)
  }

  #endName(): void {
    const container = this.#container
    if (container) container.name = tryUnescapeName(this.#name.bytes.toString())
    this.#isName = false
  }

  /** The innermost container, unless it is too deep to be tracked. */
  get #container(): Container | undefined {
    return this.#depth > this.#trackedDepth ? undefined : this.#containers.at(-1)
  }

  #currentPath(): string {
    const container = this.#container
    if (container?.name === undefined) return container?.path ?? ''
    return container.path === '' ? container.name : `${container.path}.${container.name}`
  }

  #enter(index: number, isObject: boolean): void {
    if (this.#depth <= this.#trackedDepth) this.#beginValue(index)
    if (this.#depth < this.#trackedDepth) {
      const path = this.#currentPath()
      const hasRecords = !isObject && !this.#record && this.#records.has(path)
      this.#containers.push({ isObject, path, hasRecords, name: undefined, hasBegun: false, hasComma: false })
      if (hasRecords && this.#dropDepth === undefined) {
        this.#flush(index + 1)
        this.#isBetweenRecords = true
      }
    }
    this.#depth += 1
  }

  #leave(index: number): void {
    if (this.#depth === 0) this.#fail('A closing bracket has no opening bracket.', index)
    if (this.#depth <= this.#trackedDepth) this.#containers.pop()
    this.#depth -= 1
  }

  #beginValue(index: number): void {
    const container = this.#container
    if (!container || container.hasBegun) return
    container.hasBegun = true
    if (this.#dropDepth !== undefined) return
    if (container.isObject && this.#dropped.has(this.#currentPath())) {
      this.#flush(index)
      this.#append(this.#record ? this.#recordBytes : this.#rest, NULL)
      this.#dropDepth = this.#depth
    } else if (container.hasRecords && !this.#record) {
      this.#skipTo(index)
      const place = { index: this.#recordIndex, line: this.#line, offset: this.#chunkOffset + index }
      this.#record = { ...place, path: container.path, depth: this.#depth, isTooLarge: false }
      this.#recordBytes.clear()
      this.#recordIndex += 1
      if (!this.#hasDroppedMembers(container.path)) this.#trackedDepth = this.#depth
    }
  }

  #hasDroppedMembers(path: string): boolean {
    return [...this.#dropped].some((dropped) => dropped.startsWith(`${path}.`))
  }

  /** Called at the character after a value, which completes it. */
  #endValue(index: number): DocumentRecord | undefined {
    const container = this.#container
    if (!container) return undefined
    const isMissing = !container.hasBegun && (container.hasComma || this.#bytes[index] === COMMA)
    if (container.hasRecords && isMissing) this.#fail('An element is missing before or after a comma.', index)
    if (this.#bytes[index] === COMMA) container.hasComma = true
    container.hasBegun = false
    container.name = undefined
    if (this.#dropDepth === this.#depth) {
      this.#skipTo(index)
      this.#dropDepth = undefined
    }
    if (this.#record?.depth !== this.#depth) {
      if (container.hasRecords) this.#leaveRecords(index)
      return undefined
    }
    const { depth, isTooLarge: _, ...place } = this.#record
    let bytes: Buffer = this.#bytes.subarray(this.#pendingStart, index)
    if (this.#recordBytes.length > 0 || bytes.length > this.#limits.record_bytes) {
      this.#flush(index)
      bytes = this.#recordBytes.bytes
    }
    const { isTooLarge } = this.#record
    this.#skipTo(index)
    this.#record = undefined
    this.#trackedDepth = this.#maxTrackedDepth
    this.#leaveRecords(index)
    if (this.#skipsRecords) return undefined
    if (isTooLarge) return { ...place, problem: this.#tooLargeError('A record', place) }
    return scanRecord(bytes, place, this.#limits) as DocumentRecord
  }

  /** Called at the end of a record. A closing bracket ends the array of records. */
  #leaveRecords(index: number): void {
    if (this.#bytes[index] === COMMA || this.#dropDepth !== undefined) return
    this.#skipTo(index)
    this.#isBetweenRecords = false
  }

  #skipTo(index: number): void {
    this.#pendingStart = index
    this.#pendingLine = this.#line
  }

  /** Stores everything up to `index` in the record or the rest, or drops it. */
  #flush(index: number): void {
    const [piece, start, line] = [
      this.#bytes.subarray(this.#pendingStart, index),
      this.#pendingStart,
      this.#pendingLine,
    ]
    this.#skipTo(index)
    if (this.#dropDepth !== undefined || piece.length === 0) return
    if (this.#record) {
      if (!this.#skipsRecords && !this.#record.isTooLarge) this.#append(this.#recordBytes, piece)
    } else if (!this.#isBetweenRecords) {
      this.#pieces.push({
        restOffset: this.#rest.length,
        restLines: this.#restLines,
        offset: this.#chunkOffset + start,
        line,
      })
      for (const byte of piece) if (byte === LF) this.#restLines += 1
      this.#append(this.#rest, piece)
    }
  }

  #append(buffer: ByteBuffer, piece: Uint8Array): void {
    if (buffer.add(piece)) return
    const record = buffer === this.#recordBytes ? this.#record : undefined
    const remaining = this.#limits.record_bytes - buffer.length
    // Whitespace after a record does not count.
    if (record && piece.subarray(remaining).every(isWhitespace)) {
      buffer.add(piece.subarray(0, remaining))
      return
    }
    if (!record)
      throw this.#tooLargeError('The part of the file outside of its records', { offset: 0, line: 1 })
    if (!this.#passesLarge) throw this.#tooLargeError('A record', record)
    record.isTooLarge = true
  }

  #tooLargeError(what: string, { offset, line }: { offset: number; line: number }): JsonProblem {
    return new JsonProblem('size', `${what} is larger than ${this.#limits.record_bytes} bytes.`, offset, line)
  }

  #fail(message: string, index: number): never {
    // What comes before the error can be too large. Otherwise the error would depend on the chunks.
    this.#flush(index)
    throw new JsonProblem('syntax', message, this.#chunkOffset + index, this.#line)
  }
}

/** Reads one array of records. Throws JsonProblem if the input as a whole is invalid, after the records before the error. */
class ArrayReader {
  readonly #document: DocumentReader

  constructor(limits: RecordLimits) {
    this.#document = new DocumentReader({ records: [''], dropped: [] }, limits)
  }

  /** Like the push of a document. */
  push(chunk: Uint8Array): Generator<JsonRecord> {
    return this.#document.push(chunk)
  }

  end(): JsonRecord[] {
    const { text } = this.#document.end()
    if (!text.startsWith('[')) throw new JsonProblem('array', 'This must be an array of records.', 0, 1)
    return []
  }
}

export type RecordReader = ArrayReader | LineReader

export function createRecordReader(shape: Shape, limits: RecordLimits): RecordReader {
  return shape === 'array' ? new ArrayReader(limits) : new LineReader(limits)
}
