// Validates one JSON value strictly (RFC 8259) and removes the whitespace between tokens. Tokens keep their text.
import { isAscii, isUtf8 } from 'node:buffer'
import { splitMembers } from './member-texts.ts'
import { IS_PLAIN, isDigit, isHexDigit, plainEnd } from './plain-bytes.ts'
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
  /** The value without whitespace outside strings. */
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
const [MINUS, PLUS, POINT, ZERO] = [0x2d, 0x2b, 0x2e, 0x30]
const [TRUE, FALSE, NULL] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')]
const [NAN, INFINITY] = [Buffer.from('NaN'), Buffer.from('Infinity')]
const ESCAPABLE: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))
/** Up to this many plain names of an object are compared one by one. Above, a Set is used. */
const MAX_COMPARED_NAMES = 16

/** An open container. Positions refer to the compacted bytes, inside the quotes. */
class OpenContainer {
  closer = 0
  /** The number of members begun, or the index of the current element. */
  count = 0
  nameStart = 0
  nameEnd = 0
  names: Set<string> | undefined
  readonly hashes = new Int32Array(MAX_COMPARED_NAMES)
  readonly starts = new Int32Array(MAX_COMPARED_NAMES)
  readonly ends = new Int32Array(MAX_COMPARED_NAMES)
}

/** The first names of the previous object. Most records of a file have the same names in the same order. */
const LAST_NAMES: string[] = []
const [MAX_LAST_NAMES, MAX_LAST_NAME_LENGTH] = [32, 64]

/** Reused by all scans, by depth. This is safe because a scan is never interrupted. */
const OPEN_CONTAINERS: OpenContainer[] = []

/** Removes whitespace in place, so `bytes` is overwritten. Throws JsonProblem. */
export function scan(bytes: Uint8Array, limits: ScanLimits): Scanned {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return new Scanner(buffer, limits).run()
}

class Scanner {
  readonly #bytes: Buffer
  readonly #limits: ScanLimits
  readonly #isAscii: boolean
  #offset = 0
  #depth = 0
  #lineFeeds = 0
  #hasEscapedNames = false
  #repairs = 0
  /** Bytes of whitespace removed so far, and the start of the run that has not been moved yet. */
  #removedBytes = 0
  #runStart = 0
  /** Four positions per member of the outermost object: start and end of its name and of its value. */
  readonly #spans: number[] = []

  constructor(bytes: Buffer, limits: ScanLimits) {
    this.#bytes = bytes
    this.#limits = limits
    this.#isAscii = isAscii(bytes)
  }

  run(): Scanned {
    if (!this.#isAscii && !isUtf8(this.#bytes)) this.#failEncoding()
    if (this.#nextByte() === END) this.#fail('There is no value.')
    do while (!this.#scanValue()) {}
    while (this.#moveToNextValue())
    const text = this.#decodeText(0, this.#offset - this.#removedBytes)
    const flags = { hasEscapedNames: this.#hasEscapedNames, repairs: this.#repairs }
    if (this.#repairs > 0) return { ...replaceNaN(text), ...flags }
    return { text, members: text[0] === '{' ? this.#readMembers(text) : undefined, ...flags }
  }

  /** Reads a scalar or an empty container. Returns false at the start of a non-empty container. */
  #scanValue(): boolean {
    const byte = this.#nextByte()
    if (byte === QUOTE) this.#scanString()
    else if (byte === OPEN_BRACE) return this.#openContainer(CLOSE_BRACE)
    else if (byte === OPEN_BRACKET) return this.#openContainer(CLOSE_BRACKET)
    else if (this.#limits.acceptsNaN && this.#skipNaN(byte)) this.#repairs += 1
    else if (byte === MINUS || isDigit(byte)) this.#scanNumber()
    else this.#scanLiteral(byte === TRUE[0] ? TRUE : byte === FALSE[0] ? FALSE : NULL)
    return true
  }

  /** After a complete value: moves to the next value. Returns false if the outermost value is complete. */
  #moveToNextValue(): boolean {
    for (; this.#depth > 0; this.#closeContainer()) {
      const open = OPEN_CONTAINERS[this.#depth - 1] as OpenContainer
      if (this.#depth === 1 && open.closer === CLOSE_BRACE)
        this.#spans.push(this.#offset - this.#removedBytes)
      const byte = this.#nextByte()
      if (byte === COMMA) {
        this.#offset += 1
        if (open.closer === CLOSE_BRACE) this.#scanName(open)
        else this.#nextElement(open)
        return true
      }
      if (byte === END) this.#fail('The text ends before all brackets are closed.')
      if (byte !== open.closer) this.#fail(`A comma or ${String.fromCharCode(open.closer)} is missing.`)
    }
    if (this.#nextByte() !== END) this.#fail('The text continues after the end of the value.')
    return false
  }

  #nextElement(open: OpenContainer): void {
    open.count += 1
    const { elements } = this.#limits
    if (elements !== undefined && open.count >= elements)
      this.#fail(`An array has more than ${elements} elements.`, this.#offset, 'members', this.#depth)
  }

  /** Returns true if the container is empty and therefore complete. */
  #openContainer(closer: number): boolean {
    if (this.#depth === this.#limits.depth) {
      this.#fail(`Values are nested deeper than ${this.#depth}.`, this.#offset, 'depth', this.#depth)
    }
    if (OPEN_CONTAINERS.length === this.#depth) OPEN_CONTAINERS.push(new OpenContainer())
    const open = OPEN_CONTAINERS[this.#depth] as OpenContainer
    open.closer = closer
    open.count = 0
    open.names = undefined
    this.#depth += 1
    this.#offset += 1
    const isEmpty = this.#nextByte() === closer
    if (isEmpty) this.#closeContainer()
    else if (closer === CLOSE_BRACE) this.#scanName(open)
    return isEmpty
  }

  #closeContainer(): void {
    this.#depth -= 1
    this.#offset += 1
  }

  /** Reads a member up to its value. */
  #scanName(open: OpenContainer): void {
    const byte = this.#nextByte()
    if (byte === CLOSE_BRACE) this.#fail('A member is missing after a comma.')
    if (byte !== QUOTE) this.#fail('A name in double quotes is expected.')
    const from = this.#offset + 1
    const hash = this.#scanPlainName(from)
    if (hash === undefined) {
      this.#scanString()
      this.#hasEscapedNames = true
    }
    open.nameStart = from - this.#removedBytes
    open.nameEnd = this.#offset - 1 - this.#removedBytes
    this.#addName(open, hash, from)
    if (this.#nextByte() !== COLON) this.#fail('A colon is missing after a name.')
    this.#offset += 1
    if (this.#depth > 1) return
    this.#nextByte()
    this.#spans.push(open.nameStart, open.nameEnd, this.#offset - this.#removedBytes)
  }

  /** Skips a name without escapes and returns its hash. */
  #scanPlainName(offset: number): number | undefined {
    const bytes = this.#bytes
    let hash = 0
    for (; offset < bytes.length && IS_PLAIN[bytes[offset] as number] === 1; offset += 1) {
      hash = (Math.imul(hash, 31) + (bytes[offset] as number)) | 0
    }
    if (offset === bytes.length || bytes[offset] !== QUOTE) return undefined
    this.#offset = offset + 1
    return hash
  }

  /** Adds the name just read to its object. Fails if it is a duplicate or exceeds the limit. */
  #addName(open: OpenContainer, hash: number | undefined, from: number): void {
    if (open.count === this.#limits.members) {
      this.#fail(`An object has more than ${open.count} members.`, from - 1, 'members', this.#depth - 1)
    }
    const isCompared = hash !== undefined && open.names === undefined && open.count < MAX_COMPARED_NAMES
    const isNew = isCompared ? this.#addComparedName(open, hash) : this.#addNameToSet(open)
    if (!isNew) this.#fail('An object has two members with this name.', from - 1, 'duplicate', this.#depth)
    open.count += 1
  }

  #addComparedName(
    { hashes, starts, ends, count, nameStart, nameEnd }: OpenContainer,
    hash: number,
  ): boolean {
    const length = nameEnd - nameStart
    const current = this.#sourceOffset(nameStart)
    for (let index = 0; index < count; index += 1) {
      if (hashes[index] !== hash || (ends[index] as number) - (starts[index] as number) !== length) continue
      const from = this.#sourceOffset(starts[index] as number)
      if (this.#bytes.compare(this.#bytes, from, from + length, current, current + length) === 0) return false
    }
    hashes[count] = hash
    starts[count] = nameStart
    ends[count] = nameEnd
    return true
  }

  /** Limits the comparisons of names with colliding hashes: a Set uses the seeded hash of the engine. */
  #addNameToSet(open: OpenContainer): boolean {
    if (open.names === undefined) {
      open.names = new Set()
      for (let index = 0; index < open.count; index += 1) {
        open.names.add(this.#decodeName(open.starts[index] as number, open.ends[index] as number))
      }
    }
    const { size } = open.names
    return open.names.add(this.#decodeName(open.nameStart, open.nameEnd)).size > size
  }

  #scanString(): void {
    let offset = plainEnd(this.#bytes, this.#offset + 1)
    for (; this.#bytes[offset] !== QUOTE; offset = plainEnd(this.#bytes, offset)) {
      if (offset === this.#bytes.length) this.#fail('A string is not closed.')
      if (this.#bytes[offset] !== BACKSLASH) {
        const hex = this.#peek(offset).toString(16).padStart(4, '0')
        this.#fail(`A string has a raw control character; write it as \\u${hex}.`, offset)
      }
      offset = this.#findEscapeEnd(offset)
    }
    this.#offset = offset + 1
  }

  #findEscapeEnd(offset: number): number {
    const kind = this.#peek(offset + 1)
    if (ESCAPABLE.has(kind)) return offset + 2
    if (kind !== 0x75) this.#fail('A string has an invalid escape sequence.', offset)
    for (let digit = offset + 2; digit < offset + 6; digit += 1) {
      if (!isHexDigit(this.#peek(digit)))
        this.#fail('An escape with \\u needs four hexadecimal digits.', offset)
    }
    return offset + 6
  }

  #scanNumber(): void {
    if (this.#peek(this.#offset) === MINUS) this.#offset += 1
    const isZero = this.#peek(this.#offset) === ZERO
    const from = this.#offset
    this.#scanDigits()
    if (isZero && this.#offset > from + 1) this.#fail('A number has a leading zero.', from)
    if (this.#peek(this.#offset) === POINT) this.#scanDigits(1)
    if ((this.#peek(this.#offset) | 0x20) !== 0x65) return
    const sign = this.#peek(this.#offset + 1)
    this.#scanDigits(sign === PLUS || sign === MINUS ? 2 : 1)
  }

  /** Skips `prefix` bytes and at least one digit. */
  #scanDigits(prefix = 0): void {
    this.#offset += prefix
    const from = this.#offset
    while (isDigit(this.#peek(this.#offset))) this.#offset += 1
    if (this.#offset === from) this.#fail('A digit is missing in a number.')
  }

  #scanLiteral(word: Buffer): void {
    for (let index = 0; index < word.length; index += 1) {
      if (this.#peek(this.#offset + index) !== word[index]) this.#failValue()
    }
    this.#offset += word.length
  }

  /** Skips NaN, Infinity or -Infinity. */
  #skipNaN(byte: number): boolean {
    const isNegative = byte === MINUS && this.#peek(this.#offset + 1) === INFINITY[0]
    if (byte !== NAN[0] && byte !== INFINITY[0] && !isNegative) return false
    if (isNegative) this.#offset += 1
    this.#scanLiteral(byte === NAN[0] ? NAN : INFINITY)
    return true
  }

  /** The next byte that is not whitespace, or END. */
  #nextByte(): number {
    const byte = this.#peek(this.#offset)
    return byte > 0x20 ? byte : this.#skipWhitespace()
  }

  #peek(offset: number): number {
    return offset < this.#bytes.length ? (this.#bytes[offset] as number) : END
  }

  /** Moves the run that ends here to its compacted position, and skips the whitespace after it. */
  #skipWhitespace(): number {
    const from = this.#offset
    if (this.#removedBytes > 0) this.#move(from)
    let byte = this.#peek(from)
    while (byte === 0x20 || byte === LF || byte === 0x09 || byte === 0x0d) {
      if (byte === LF) this.#lineFeeds += 1
      this.#offset += 1
      byte = this.#peek(this.#offset)
    }
    this.#removedBytes += this.#offset - from
    this.#runStart = this.#offset
    return byte
  }

  #move(end: number): void {
    const bytes = this.#bytes
    const removed = this.#removedBytes
    // For a few bytes a loop is faster than a call.
    if (end - this.#runStart > 32) bytes.copyWithin(this.#runStart - removed, this.#runStart, end)
    else
      for (let offset = this.#runStart; offset < end; offset += 1)
        bytes[offset - removed] = bytes[offset] as number
  }

  /** The current position of a byte of the compacted text. Its run may not have been moved yet. */
  #sourceOffset(position: number): number {
    return position < this.#runStart - this.#removedBytes ? position : position + this.#removedBytes
  }

  #decodeName(start: number, end: number): string {
    return unescapeName(this.#decodeText(this.#sourceOffset(start), this.#sourceOffset(start) + end - start))
  }

  #decodeText(start?: number, end?: number): string {
    return this.#bytes.toString(this.#isAscii ? 'latin1' : 'utf8', start, end)
  }

  #readMembers(text: string): Map<string, string> {
    const members = new Map<string, string>()
    const spans = this.#spans
    for (let index = 0; index < spans.length; index += 4) {
      const name = this.#readName(text, index)
      const [start, end] = [spans[index + 2], spans[index + 3]]
      // In ASCII, byte and character positions are equal, and slicing the text is almost free.
      members.set(name, this.#isAscii ? text.slice(start, end) : this.#decodeText(start, end))
    }
    return members
  }

  #readName(text: string, index: number): string {
    const [start, end] = [this.#spans[index] as number, this.#spans[index + 1] as number]
    const lastName = LAST_NAMES[index >> 2]
    if (this.#isAscii && lastName?.length === end - start && text.startsWith(lastName, start)) return lastName
    const name = this.#decodeText(start, end)
    if (name.includes('\\')) return unescapeName(name)
    if (this.#isAscii && index < 4 * MAX_LAST_NAMES && name.length <= MAX_LAST_NAME_LENGTH)
      LAST_NAMES[index >> 2] = name
    return name
  }

  #failValue(): never {
    const byte = this.#peek(this.#offset)
    const rest = this.#decodeText(this.#offset, this.#offset + 20)
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
    let offset = 0
    for (; decoded[offset] === this.#bytes[offset]; offset += 1)
      if (decoded[offset] === LF) this.#lineFeeds += 1
    this.#fail('The text is not valid UTF-8. It may be in Windows-1252 or Latin-1: save it as UTF-8.', offset)
  }

  /** The pointer includes `containers` of the open containers. Line feeds up to here have been counted. */
  #fail(message: string, offset = this.#offset, fault: JsonFault = 'syntax', containers = 0): never {
    const steps = OPEN_CONTAINERS.slice(0, containers).map((open) =>
      open.closer === CLOSE_BRACKET ? String(open.count) : this.#decodeName(open.nameStart, open.nameEnd),
    )
    const pointer = steps.map(pointerStep).join('')
    throw new JsonProblem(fault, message, offset, this.#lineFeeds, pointer)
  }
}

/** Replaces NaN and Infinity outside of strings with null. */
function replaceNaN(text: string): { text: string; members: Map<string, string> | undefined } {
  const repaired = text.replace(/"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g, (word) =>
    word[0] === '"' ? word : 'null',
  )
  return { text: repaired, members: repaired[0] === '{' ? splitMembers(repaired) : undefined }
}

function unescapeName(name: string): string {
  return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
}
