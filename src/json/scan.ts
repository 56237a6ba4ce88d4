// Validates one JSON value strictly (RFC 8259) and removes the white space between tokens, in one pass over its bytes.
// Every token keeps its original text: nothing is parsed and serialized again.
import { isAscii, isUtf8 } from 'node:buffer'
import { memberTexts } from './member-texts.ts'
import { IS_PLAIN, plainEnd } from './plain-bytes.ts'
import { type JsonFault, JsonProblem, pointerStep } from './problem.ts'

/** `depth`: the maximum nesting, counting the value itself. `members`: the maximum per object. */
export interface ScanLimits {
  depth: number
  members: number
  /** The maximum per array. Unlimited if absent. */
  elements?: number
  /** Accepts NaN, Infinity and -Infinity, which Python writes, as null. */
  acceptsNaN?: boolean
}

/** For stored values, which were checked when they were written. */
export const NO_LIMITS: ScanLimits = { depth: 1000, members: Number.MAX_SAFE_INTEGER }

export interface Scanned {
  /** The value without white space outside strings. */
  text: string
  /** The members of the outermost object: unescaped name to value text. Undefined if it is not an object. */
  members: Map<string, string> | undefined
  /** Whether a name, at any depth, contains an escape. */
  hasEscapedNames: boolean
  /** How many NaN and Infinity values were read as null. */
  repairs: number
}

const [QUOTE, BACKSLASH, COMMA, COLON, LF, END] = [0x22, 0x5c, 0x2c, 0x3a, 0x0a, -1]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const [MINUS, PLUS, POINT, ZERO, NINE] = [0x2d, 0x2b, 0x2e, 0x30, 0x39]
const [TRUE, FALSE, NULL] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')]
const [NAN, INFINITY] = [Buffer.from('NaN'), Buffer.from('Infinity')]
const ESCAPABLE: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))
/** Up to this many plain names of an object are compared one by one. Above, a Set is used. */
const FEW_NAMES = 16

/** An open container. Positions refer to the compacted bytes, inside the quotes. */
class OpenContainer {
  closer = 0
  /** The number of members begun, or the index of the current element. */
  count = 0
  nameStart = 0
  nameEnd = 0
  names: Set<string> | undefined
  readonly hashes = new Int32Array(FEW_NAMES)
  readonly starts = new Int32Array(FEW_NAMES)
  readonly ends = new Int32Array(FEW_NAMES)
}

/** Reused by all scans, by depth. This is safe because a scan is never interrupted. */
const OPEN_CONTAINERS: OpenContainer[] = []

/** Removes white space in place, so `bytes` is overwritten. Throws JsonProblem. */
export function scan(bytes: Uint8Array, limits: ScanLimits): Scanned {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return new Scanner(buffer, limits).run()
}

class Scanner {
  readonly #bytes: Buffer
  readonly #limits: ScanLimits
  readonly #isAscii: boolean
  #at = 0
  #depth = 0
  #lines = 0
  #hasEscapedNames = false
  #repairs = 0
  /** Bytes of white space removed so far, and the start of the run that has not been moved yet. */
  #removed = 0
  #run = 0
  /** Four positions per member of the outermost object: start and end of its name and of its value. */
  readonly #spans: number[] = []

  constructor(bytes: Buffer, limits: ScanLimits) {
    this.#bytes = bytes
    this.#limits = limits
    this.#isAscii = isAscii(bytes)
  }

  run(): Scanned {
    if (!this.#isAscii && !isUtf8(this.#bytes)) this.#failEncoding()
    if (this.#next() === END) this.#fail('There is no value.')
    do while (!this.#value()) {}
    while (this.#proceed())
    const text = this.#text(0, this.#at - this.#removed)
    const known = { hasEscapedNames: this.#hasEscapedNames, repairs: this.#repairs }
    if (this.#repairs > 0) return { ...repaired(text), ...known }
    return { text, members: text[0] === '{' ? this.#members(text) : undefined, ...known }
  }

  /** Reads a scalar or an empty container. Returns false at the start of a non-empty container. */
  #value(): boolean {
    const byte = this.#next()
    if (byte === QUOTE) this.#string()
    else if (byte === OPEN_BRACE) return this.#open(CLOSE_BRACE)
    else if (byte === OPEN_BRACKET) return this.#open(CLOSE_BRACKET)
    else if (this.#limits.acceptsNaN && this.#skipsNaN(byte)) this.#repairs += 1
    else if (byte === MINUS || isDigit(byte)) this.#number()
    else this.#literal(byte === TRUE[0] ? TRUE : byte === FALSE[0] ? FALSE : NULL)
    return true
  }

  /** After a complete value: moves to the next value. Returns false if the outermost value is complete. */
  #proceed(): boolean {
    for (; this.#depth > 0; this.#close()) {
      const open = OPEN_CONTAINERS[this.#depth - 1] as OpenContainer
      if (this.#depth === 1 && open.closer === CLOSE_BRACE) this.#spans.push(this.#at - this.#removed)
      const byte = this.#next()
      if (byte === COMMA) {
        this.#at += 1
        if (open.closer === CLOSE_BRACE) this.#name(open)
        else this.#nextElement(open)
        return true
      }
      if (byte === END) this.#fail('The text ends before all brackets are closed.')
      if (byte !== open.closer) this.#fail(`A comma or ${String.fromCharCode(open.closer)} is missing.`)
    }
    if (this.#next() !== END) this.#fail('The text continues after the end of the value.')
    return false
  }

  #nextElement(open: OpenContainer): void {
    open.count += 1
    const { elements } = this.#limits
    if (elements !== undefined && open.count >= elements)
      this.#fail(`An array has more than ${elements} elements.`, this.#at, 'members', this.#depth)
  }

  /** Returns true if the container is empty and therefore complete. */
  #open(closer: number): boolean {
    if (this.#depth === this.#limits.depth) {
      this.#fail(`Values are nested deeper than ${this.#depth}.`, this.#at, 'depth', this.#depth)
    }
    if (OPEN_CONTAINERS.length === this.#depth) OPEN_CONTAINERS.push(new OpenContainer())
    const open = OPEN_CONTAINERS[this.#depth] as OpenContainer
    open.closer = closer
    open.count = 0
    open.names = undefined
    this.#depth += 1
    this.#at += 1
    const isEmpty = this.#next() === closer
    if (isEmpty) this.#close()
    else if (closer === CLOSE_BRACE) this.#name(open)
    return isEmpty
  }

  #close(): void {
    this.#depth -= 1
    this.#at += 1
  }

  /** Reads a member up to its value. */
  #name(open: OpenContainer): void {
    const byte = this.#next()
    if (byte === CLOSE_BRACE) this.#fail('A member is missing after a comma.')
    if (byte !== QUOTE) this.#fail('A name in double quotes is expected.')
    const from = this.#at + 1
    const hash = this.#plainName(from)
    if (hash === undefined) {
      this.#string()
      this.#hasEscapedNames = true
    }
    open.nameStart = from - this.#removed
    open.nameEnd = this.#at - 1 - this.#removed
    this.#addName(open, hash, from)
    if (this.#next() !== COLON) this.#fail('A colon is missing after a name.')
    this.#at += 1
    if (this.#depth > 1) return
    this.#next()
    this.#spans.push(open.nameStart, open.nameEnd, this.#at - this.#removed)
  }

  /** Skips a name without escapes and returns its hash. */
  #plainName(at: number): number | undefined {
    const bytes = this.#bytes
    let hash = 0
    for (; at < bytes.length && IS_PLAIN[bytes[at] as number] === 1; at += 1) {
      hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0
    }
    if (at === bytes.length || bytes[at] !== QUOTE) return undefined
    this.#at = at + 1
    return hash
  }

  /** Adds the name just read to its object. Fails if it is a duplicate or exceeds the limit. */
  #addName(open: OpenContainer, hash: number | undefined, from: number): void {
    if (open.count === this.#limits.members) {
      this.#fail(`An object has more than ${open.count} members.`, from - 1, 'members', this.#depth - 1)
    }
    const isFew = hash !== undefined && open.names === undefined && open.count < FEW_NAMES
    const isNew = isFew ? this.#addToFew(open, hash) : this.#addToSet(open)
    if (!isNew) this.#fail('An object has two members with this name.', from - 1, 'duplicate', this.#depth)
    open.count += 1
  }

  #addToFew({ hashes, starts, ends, count, nameStart, nameEnd }: OpenContainer, hash: number): boolean {
    const length = nameEnd - nameStart
    const current = this.#source(nameStart)
    for (let index = 0; index < count; index += 1) {
      if (hashes[index] !== hash || (ends[index] as number) - (starts[index] as number) !== length) continue
      const from = this.#source(starts[index] as number)
      if (this.#bytes.compare(this.#bytes, from, from + length, current, current + length) === 0) return false
    }
    hashes[count] = hash
    starts[count] = nameStart
    ends[count] = nameEnd
    return true
  }

  /** Names with colliding hashes cost at most FEW_NAMES comparisons each. Above, the seeded hash of the engine is used. */
  #addToSet(open: OpenContainer): boolean {
    if (open.names === undefined) {
      open.names = new Set()
      for (let index = 0; index < open.count; index += 1) {
        open.names.add(this.#decoded(open.starts[index] as number, open.ends[index] as number))
      }
    }
    const { size } = open.names
    return open.names.add(this.#decoded(open.nameStart, open.nameEnd)).size > size
  }

  #string(): void {
    let at = plainEnd(this.#bytes, this.#at + 1)
    for (; this.#bytes[at] !== QUOTE; at = plainEnd(this.#bytes, at)) {
      if (at === this.#bytes.length) this.#fail('A string is not closed.')
      if (this.#bytes[at] !== BACKSLASH) {
        const hex = this.#peek(at).toString(16).padStart(4, '0')
        this.#fail(`A string has a raw control character; write it as \\u${hex}.`, at)
      }
      at = this.#escapeEnd(at)
    }
    this.#at = at + 1
  }

  #escapeEnd(at: number): number {
    const kind = this.#peek(at + 1)
    if (ESCAPABLE.has(kind)) return at + 2
    if (kind !== 0x75) this.#fail('A string has an invalid escape sequence.', at)
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      if (!isHexDigit(this.#peek(digit))) this.#fail('An escape with \\u needs four hexadecimal digits.', at)
    }
    return at + 6
  }

  #number(): void {
    if (this.#peek(this.#at) === MINUS) this.#at += 1
    const isZero = this.#peek(this.#at) === ZERO
    const from = this.#at
    this.#digits()
    if (isZero && this.#at > from + 1) this.#fail('A number has a leading zero.', from)
    if (this.#peek(this.#at) === POINT) this.#digits(1)
    if ((this.#peek(this.#at) | 0x20) !== 0x65) return
    const sign = this.#peek(this.#at + 1)
    this.#digits(sign === PLUS || sign === MINUS ? 2 : 1)
  }

  /** Skips `prefix` bytes and at least one digit. */
  #digits(prefix = 0): void {
    this.#at += prefix
    const from = this.#at
    while (isDigit(this.#peek(this.#at))) this.#at += 1
    if (this.#at === from) this.#fail('A digit is missing in a number.')
  }

  #literal(word: Buffer): void {
    for (let index = 0; index < word.length; index += 1) {
      if (this.#peek(this.#at + index) !== word[index]) this.#failValue()
    }
    this.#at += word.length
  }

  /** Skips NaN, Infinity or -Infinity. */
  #skipsNaN(byte: number): boolean {
    const isNegative = byte === MINUS && this.#peek(this.#at + 1) === INFINITY[0]
    if (byte !== NAN[0] && byte !== INFINITY[0] && !isNegative) return false
    if (isNegative) this.#at += 1
    this.#literal(byte === NAN[0] ? NAN : INFINITY)
    return true
  }

  /** The next byte that is not white space, or END. */
  #next(): number {
    const byte = this.#peek(this.#at)
    return byte > 0x20 ? byte : this.#skip()
  }

  #peek(at: number): number {
    return at < this.#bytes.length ? (this.#bytes[at] as number) : END
  }

  /** Moves the run that ends here to its compacted position, and skips the white space after it. */
  #skip(): number {
    const from = this.#at
    if (this.#removed > 0) this.#move(from)
    let byte = this.#peek(from)
    while (byte === 0x20 || byte === LF || byte === 0x09 || byte === 0x0d) {
      if (byte === LF) this.#lines += 1
      this.#at += 1
      byte = this.#peek(this.#at)
    }
    this.#removed += this.#at - from
    this.#run = this.#at
    return byte
  }

  #move(end: number): void {
    const bytes = this.#bytes
    const removed = this.#removed
    // For a few bytes a loop is faster than a call.
    if (end - this.#run > 32) bytes.copyWithin(this.#run - removed, this.#run, end)
    else for (let at = this.#run; at < end; at += 1) bytes[at - removed] = bytes[at] as number
  }

  /** The current position of a byte of the compacted text. Its run may not have been moved yet. */
  #source(position: number): number {
    return position < this.#run - this.#removed ? position : position + this.#removed
  }

  #decoded(start: number, end: number): string {
    return unescaped(this.#text(this.#source(start), this.#source(start) + end - start))
  }

  #text(start?: number, end?: number): string {
    return this.#bytes.toString(this.#isAscii ? 'latin1' : 'utf8', start, end)
  }

  #members(text: string): Map<string, string> {
    const members = new Map<string, string>()
    const spans = this.#spans
    for (let at = 0; at < spans.length; at += 4) {
      // In ASCII, byte and character positions are equal, and slicing the text is almost free.
      const name = this.#isAscii ? text.slice(spans[at], spans[at + 1]) : this.#text(spans[at], spans[at + 1])
      const [start, end] = [spans[at + 2], spans[at + 3]]
      members.set(unescaped(name), this.#isAscii ? text.slice(start, end) : this.#text(start, end))
    }
    return members
  }

  #failValue(): never {
    const byte = this.#peek(this.#at)
    const rest = this.#text(this.#at, this.#at + 20)
    const [word = ''] = rest.match(/^[\w.+-]*/) ?? []
    if (byte === END) this.#fail('The text ends where a value is expected.')
    if (rest.startsWith('\ufeff')) this.#fail('A byte order mark is not valid JSON. Remove it.')
    if (word !== '') this.#fail(`${word} is not valid JSON.`)
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === COMMA || byte === COLON) {
      this.#fail(`A value is missing before ${String.fromCharCode(byte)} here.`)
    }
    this.#fail('A value cannot begin with this character.')
  }

  /** Finds the first byte that is not valid UTF-8. Nothing has been moved yet. */
  #failEncoding(): never {
    const decoded = Buffer.from(this.#bytes.toString())
    let at = 0
    for (; decoded[at] === this.#bytes[at]; at += 1) if (decoded[at] === LF) this.#lines += 1
    this.#fail('The text is not valid UTF-8.', at)
  }

  /** The pointer includes `containers` of the open containers. Line feeds up to here have been counted. */
  #fail(message: string, at = this.#at, fault: JsonFault = 'syntax', containers = 0): never {
    const steps = OPEN_CONTAINERS.slice(0, containers).map((open) =>
      open.closer === CLOSE_BRACKET ? String(open.count) : this.#decoded(open.nameStart, open.nameEnd),
    )
    const pointer = steps.map(pointerStep).join('')
    throw new JsonProblem(fault, message, at, this.#lines, pointer)
  }
}

/** Replaces NaN and Infinity outside of strings with null. */
function repaired(text: string): { text: string; members: Map<string, string> | undefined } {
  const words = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g
  const repaired = text.replace(words, (word) => (word[0] === '"' ? word : 'null'))
  return { text: repaired, members: repaired[0] === '{' ? memberTexts(repaired) : undefined }
}

function unescaped(name: string): string {
  return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
}
