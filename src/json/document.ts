// One large JSON document, read as it streams by: what stands in the arrays that are named comes out element by
// element, what is of no use is dropped, and only the rest is held. So a document may be of any size.
import { Held } from './held.ts'
import { plainEnd } from './plain.ts'
import { JsonProblem } from './problem.ts'
import { completed, type JsonRecord, type Place, type RecordLimits } from './records.ts'
import { type Scanned, scan } from './scan.ts'

/** Paths are the names of members joined by dots; arrays on the way do not count. */
export interface DocumentPaths {
  /** Arrays whose elements are records. What stands there and is no array belongs to the rest. */
  records: readonly string[]
  /** Members that are not wanted, of records too. They read as null. */
  dropped: readonly string[]
  /** Whether only the rest is of interest. */
  skipsRecords?: boolean
  /** Whether the reading goes on behind a record that is too large, which then comes out as a problem. */
  passesLarge?: boolean
}

export type DocumentRecord = JsonRecord & { path: string }

/** An object or array that is not closed yet. */
interface Container {
  isObject: boolean
  /** Of the object or array itself. */
  path: string
  /** Whether its elements are records. */
  hasRecords: boolean
  /** The name of the member that is read; undefined while a name is expected. */
  name: string | undefined
  /** Whether a value was begun since the last comma, and whether there was one. */
  hasBegun: boolean
  hasComma: boolean
}

const [QUOTE, BACKSLASH, COMMA, COLON, LF] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const NULL = Buffer.from('null')

/** Throws JsonProblem at what spoils the whole document, behind the records that came before it. */
export class DocumentReader {
  readonly #records: ReadonlySet<string>
  readonly #dropped: ReadonlySet<string>
  readonly #skipsRecords: boolean
  readonly #passesLarge: boolean
  readonly #limits: RecordLimits
  /** Names are of interest in so many containers; of those inside them only the number is known. */
  readonly #mostTracked: number
  /** The same now: in a record of which nothing is dropped they are not. */
  #tracked: number
  readonly #open: Container[] = []
  #depth = 0
  #inString = false
  #inEscape = false
  #isName = false
  readonly #name: Held
  readonly #rest: Held
  readonly #recordBytes: Held
  #record: (Place & { path: string; depth: number; isTooLarge: boolean }) | undefined
  /** While a value is dropped: how many containers are open around it. */
  #dropDepth: number | undefined
  #offset = 0
  #line = 1
  #index = 0
  /** The chunk, from where on it has not been put where it belongs, and the line that this is on. */
  #bytes: Buffer = Buffer.alloc(0)
  #from = 0
  #fromLine = 1
  /** Where the pieces of the rest begin: in it, by bytes and lines, and in the document. */
  readonly #pieces: { at: number; lines: number; offset: number; line: number }[] = []
  #restLines = 0
  /** Whether what comes separates records. */
  #isBetween = false

  constructor(
    { records, dropped, skipsRecords = false, passesLarge = false }: DocumentPaths,
    limits: RecordLimits,
  ) {
    this.#skipsRecords = skipsRecords
    this.#passesLarge = passesLarge
    this.#records = new Set(records)
    this.#dropped = new Set(dropped)
    this.#limits = limits
    this.#mostTracked = Math.max(...[...records, ...dropped].map((path) => 2 * path.split('.').length))
    this.#tracked = this.#mostTracked
    this.#name = new Held(limits.record_bytes)
    this.#rest = new Held(limits.record_bytes)
    this.#recordBytes = new Held(limits.record_bytes)
  }

  /** The records that this chunk completes, each when it is asked for. Overwrites the chunk. */
  *push(chunk: Uint8Array): Generator<DocumentRecord> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    this.#bytes = bytes
    this.#skipTo(0)
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#inString) at = this.#readString(at)
      if (at === bytes.length) break
      const byte = bytes[at] as number
      if (byte === LF) this.#line += 1
      if (byte === QUOTE) this.#turnString(at)
      else if (byte <= 0x20) continue
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#enter(at, byte === OPEN_BRACE)
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        const record = this.#endValue(at)
        if (record) yield record
        this.#leave(at)
      } else if (this.#depth > this.#tracked) {
        // What is so deep inside is of no interest here.
      } else if (byte === COMMA) {
        const record = this.#endValue(at)
        if (record) yield record
      } else if (byte === COLON) this.#endName()
      else this.#beginValue(at)
    }
    this.#put(bytes.length)
    this.#offset += bytes.length
    this.#bytes = Buffer.alloc(0)
  }

  /** What is left of the document: without its records, and with null in place of what was dropped. */
  end(): Scanned {
    if (this.#depth > 0) this.#fail('The text ends before everything in it is closed; it may be cut off.', 0)
    try {
      return scan(this.#rest.bytes, this.#limits)
    } catch (error) {
      throw error instanceof JsonProblem ? this.#placed(error) : error
    }
  }

  /** What is wrong with the rest, by where that stands in the document. */
  #placed({ fault, message, offset, line, pointer }: JsonProblem): JsonProblem {
    const piece = this.#pieces.findLast(({ at }) => at <= offset) ?? { at: 0, lines: 0, offset: 0, line: 1 }
    return new JsonProblem(
      fault,
      message,
      piece.offset + offset - piece.at,
      piece.line + line - piece.lines,
      pointer,
    )
  }

  /** Steps over a string up to its closing quote, or to the end of the chunk. */
  #readString(at: number): number {
    const bytes = this.#bytes
    const start = at
    for (; at < bytes.length; at += 1) {
      if (!this.#inEscape) at = plainEnd(bytes, at)
      const byte = bytes[at]
      if (at === bytes.length || (byte === QUOTE && !this.#inEscape)) break
      if (byte === LF) this.#line += 1
      this.#inEscape = byte === BACKSLASH && !this.#inEscape
    }
    if (this.#isName) this.#hold(this.#name, bytes.subarray(start, at))
    return at
  }

  #turnString(at: number): void {
    this.#inString = !this.#inString
    if (!this.#inString) return
    const container = this.#container
    this.#isName = container?.isObject === true && container.name === undefined
    if (this.#isName) this.#name.clear()
    else if (this.#depth <= this.#tracked) this.#beginValue(at)
  }

  #endName(): void {
    const container = this.#container
    if (container) container.name = unescaped(this.#name.bytes.toString())
    this.#isName = false
  }

  /** The innermost container, unless it is too deep inside to be of interest. */
  get #container(): Container | undefined {
    return this.#depth > this.#tracked ? undefined : this.#open.at(-1)
  }

  #pathHere(): string {
    const container = this.#container
    if (container?.name === undefined) return container?.path ?? ''
    return container.path === '' ? container.name : `${container.path}.${container.name}`
  }

  #enter(at: number, isObject: boolean): void {
    if (this.#depth <= this.#tracked) this.#beginValue(at)
    if (this.#depth < this.#tracked) {
      const path = this.#pathHere()
      const hasRecords = !isObject && !this.#record && this.#records.has(path)
      this.#open.push({ isObject, path, hasRecords, name: undefined, hasBegun: false, hasComma: false })
      if (hasRecords && this.#dropDepth === undefined) {
        this.#put(at + 1)
        this.#isBetween = true
      }
    }
    this.#depth += 1
  }

  #leave(at: number): void {
    if (this.#depth === 0) this.#fail('Something is closed that was not opened.', at)
    if (this.#depth <= this.#tracked) this.#open.pop()
    this.#depth -= 1
  }

  #beginValue(at: number): void {
    const container = this.#container
    if (!container || container.hasBegun) return
    container.hasBegun = true
    if (this.#dropDepth !== undefined) return
    if (container.isObject && this.#dropped.has(this.#pathHere())) {
      this.#put(at)
      this.#hold(this.#record ? this.#recordBytes : this.#rest, NULL)
      this.#dropDepth = this.#depth
    } else if (container.hasRecords && !this.#record) {
      this.#skipTo(at)
      const place = { index: this.#index, line: this.#line, offset: this.#offset + at }
      this.#record = { ...place, path: container.path, depth: this.#depth, isTooLarge: false }
      this.#recordBytes.clear()
      this.#index += 1
      if (!this.#dropsIn(container.path)) this.#tracked = this.#depth
    }
  }

  #dropsIn(path: string): boolean {
    return [...this.#dropped].some((dropped) => dropped.startsWith(`${path}.`))
  }

  /** At what stands behind a value, which is complete with it. */
  #endValue(at: number): DocumentRecord | undefined {
    const container = this.#container
    if (!container) return undefined
    const isMissing = !container.hasBegun && (container.hasComma || this.#bytes[at] === COMMA)
    if (container.hasRecords && isMissing) this.#fail('An element is missing beside a comma.', at)
    if (this.#bytes[at] === COMMA) container.hasComma = true
    container.hasBegun = false
    container.name = undefined
    if (this.#dropDepth === this.#depth) {
      this.#skipTo(at)
      this.#dropDepth = undefined
    }
    if (this.#record?.depth !== this.#depth) {
      if (container.hasRecords) this.#leaveRecords(at)
      return undefined
    }
    const { depth, isTooLarge: _, ...place } = this.#record
    let bytes: Buffer = this.#bytes.subarray(this.#from, at)
    if (this.#recordBytes.length > 0 || bytes.length > this.#limits.record_bytes) {
      this.#put(at)
      bytes = this.#recordBytes.bytes
    }
    const { isTooLarge } = this.#record
    this.#skipTo(at)
    this.#record = undefined
    this.#tracked = this.#mostTracked
    this.#leaveRecords(at)
    if (this.#skipsRecords) return undefined
    if (isTooLarge) return { ...place, problem: this.#tooLarge('A record', place) }
    return completed(bytes, place, this.#limits) as DocumentRecord
  }

  /** At the bracket that closes an array of records; a comma leads to the next. */
  #leaveRecords(at: number): void {
    if (this.#bytes[at] === COMMA || this.#dropDepth !== undefined) return
    this.#skipTo(at)
    this.#isBetween = false
  }

  #skipTo(at: number): void {
    this.#from = at
    this.#fromLine = this.#line
  }

  /** Puts everything up to `at` where it belongs. */
  #put(at: number): void {
    const [piece, from, line] = [this.#bytes.subarray(this.#from, at), this.#from, this.#fromLine]
    this.#skipTo(at)
    if (this.#dropDepth !== undefined || piece.length === 0) return
    if (this.#record) {
      if (!this.#skipsRecords && !this.#record.isTooLarge) this.#hold(this.#recordBytes, piece)
    } else if (!this.#isBetween) {
      this.#pieces.push({ at: this.#rest.length, lines: this.#restLines, offset: this.#offset + from, line })
      for (const byte of piece) if (byte === LF) this.#restLines += 1
      this.#hold(this.#rest, piece)
    }
  }

  #hold(held: Held, piece: Uint8Array): void {
    if (held.add(piece)) return
    const record = held === this.#recordBytes ? this.#record : undefined
    if (!record)
      throw this.#tooLarge('What stands outside of the records', { offset: this.#offset, line: this.#line })
    if (!this.#passesLarge) throw this.#tooLarge('A record', record)
    record.isTooLarge = true
  }

  #tooLarge(what: string, { offset, line }: { offset: number; line: number }): JsonProblem {
    return new JsonProblem('size', `${what} is larger than ${this.#limits.record_bytes} bytes.`, offset, line)
  }

  #fail(message: string, at: number): never {
    throw new JsonProblem('syntax', message, this.#offset + at, this.#line)
  }
}

function unescaped(name: string): string {
  if (!name.includes('\\')) return name
  try {
    return JSON.parse(`"${name}"`) as string
  } catch {
    // It is no JSON, as the scan of it will say.
    return name
  }
}
