// Validates one JSON value strictly (RFC 8259) and removes the whitespace between tokens. Tokens keep their text.
import { isAscii, isUtf8 } from 'node:buffer'
import { splitMembers } from './member-texts.ts'
import { IS_PLAIN, isDigit, isHexDigit, plainEnd } from './plain-bytes.ts'
import { type JsonFault, JsonProblem, pointerStep } from './problem.ts'
import { decodeObject, unescapeName } from './scanned-members.ts'

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
  /** The maximum nesting. 0 for a scalar. */
  depth: number
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

/** Reused by all scans, by depth. This is safe because a scan is never interrupted. */
const OPEN_CONTAINERS: OpenContainer[] = []

/** Removes whitespace in place, so `bytes` is overwritten. Throws JsonProblem. */
export function scan(bytes: Uint8Array, limits: ScanLimits): Scanned {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return new Scanner(buffer, limits).run()
}

/** The methods take the offset of a token and return the offset after it, which is faster than a member for the offset. */
class Scanner {
  readonly #bytes: Buffer
  readonly #limits: ScanLimits
  readonly #isAscii: boolean
  #depth = 0
  #maxDepth = 0
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
    const start = this.#skipWhitespace(0)
    if (this.#peek(start) === END) this.#fail('There is no value.', start)
    const end = this.#skipWhitespace(this.#scanValues(start))
    if (this.#peek(end) !== END) this.#fail('The text continues after the end of the value.', end)
    const length = end - this.#removedBytes
    const repairs = this.#repairs
    const details = { hasEscapedNames: this.#hasEscapedNames, depth: this.#maxDepth, repairs }
    if (this.#bytes[0] === OPEN_BRACE && repairs === 0) {
      const { text, members } = decodeObject(this.#bytes, length, this.#spans, this.#isAscii)
      return { text, members, ...details }
    }
    const text = this.#decodeText(0, length)
    if (repairs > 0) return { ...replaceNaN(text), ...details }
    return { text, members: undefined, ...details }
  }

  /** Reads the outermost value and all values in it. */
  #scanValues(offset: number): number {
    for (;;) {
      offset = this.#skipWhitespace(offset)
      const byte = this.#peek(offset)
      if (byte === QUOTE) offset = this.#scanString(offset)
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        const open = this.#openContainer(offset, byte)
        offset = this.#skipWhitespace(offset + 1)
        if (this.#peek(offset) !== open.closer) {
          if (byte === OPEN_BRACE) offset = this.#scanName(open, offset)
          continue
        }
        this.#depth -= 1
        offset += 1
      } else offset = this.#scanScalar(offset, byte)
      offset = this.#endValue(offset)
      if (this.#depth === 0) return offset
    }
  }

  #scanScalar(offset: number, byte: number): number {
    if (byte === MINUS || isDigit(byte)) {
      const isInfinity = byte === MINUS && this.#peek(offset + 1) === INFINITY[0]
      if (!isInfinity || !this.#limits.acceptsNaN) return this.#scanNumber(offset)
      this.#repairs += 1
      return this.#scanLiteral(offset + 1, INFINITY)
    }
    if (this.#limits.acceptsNaN && (byte === NAN[0] || byte === INFINITY[0])) {
      this.#repairs += 1
      return this.#scanLiteral(offset, byte === NAN[0] ? NAN : INFINITY)
    }
    return this.#scanLiteral(offset, byte === TRUE[0] ? TRUE : byte === FALSE[0] ? FALSE : NULL)
  }

  /** After a complete value: closes containers, and moves to the next value if there is one. */
  #endValue(offset: number): number {
    for (; this.#depth > 0; this.#depth -= 1) {
      const open = OPEN_CONTAINERS[this.#depth - 1] as OpenContainer
      if (this.#depth === 1 && open.closer === CLOSE_BRACE) this.#spans.push(offset - this.#removedBytes)
      offset = this.#skipWhitespace(offset)
      const byte = this.#peek(offset)
      if (byte === COMMA) {
        if (open.closer === CLOSE_BRACE) return this.#scanName(open, this.#skipWhitespace(offset + 1))
        this.#countElement(open, offset + 1)
        return offset + 1
      }
      if (byte === END) this.#fail('The text ends before all brackets are closed.', offset)
      if (byte !== open.closer)
        this.#fail(`A comma or ${String.fromCharCode(open.closer)} is missing.`, offset)
      offset += 1
    }
    return offset
  }

  #countElement(open: OpenContainer, offset: number): void {
    open.count += 1
    const { elements } = this.#limits
    if (elements !== undefined && open.count >= elements)
      this.#fail(`An array has more than ${elements} elements.`, offset, 'members', this.#depth)
  }

  #openContainer(offset: number, opener: number): OpenContainer {
    if (this.#depth === this.#limits.depth) {
      this.#fail(`Values are nested deeper than ${this.#depth}.`, offset, 'depth', this.#depth)
    }
    if (OPEN_CONTAINERS.length === this.#depth) OPEN_CONTAINERS.push(new OpenContainer())
    const open = OPEN_CONTAINERS[this.#depth] as OpenContainer
    open.closer = opener === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET
    open.count = 0
    open.names = undefined
    this.#depth += 1
    if (this.#depth > this.#maxDepth) this.#maxDepth = this.#depth
    return open
  }

  /** Reads a member up to its value. */
  #scanName(open: OpenContainer, offset: number): number {
    const byte = this.#peek(offset)
    if (byte === CLOSE_BRACE) this.#fail('A member is missing after a comma.', offset)
    if (byte !== QUOTE) this.#fail('A name in double quotes is expected.', offset)
    const bytes = this.#bytes
    const from = offset + 1
    let [end, hash] = [from, 0]
    for (; end < bytes.length && IS_PLAIN[bytes[end] as number] === 1; end += 1)
      hash = (Math.imul(hash, 31) + (bytes[end] as number)) | 0
    const isPlain = end < bytes.length && bytes[end] === QUOTE
    if (!isPlain) {
      end = this.#scanString(offset) - 1
      this.#hasEscapedNames = true
    }
    open.nameStart = from - this.#removedBytes
    open.nameEnd = end - this.#removedBytes
    this.#addName(open, isPlain ? hash : undefined, from)
    const colon = this.#skipWhitespace(end + 1)
    if (this.#peek(colon) !== COLON) this.#fail('A colon is missing after a name.', colon)
    if (this.#depth > 1) return colon + 1
    const value = this.#skipWhitespace(colon + 1)
    this.#spans.push(open.nameStart, open.nameEnd, value - this.#removedBytes)
    return value
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

  #scanString(start: number): number {
    const bytes = this.#bytes
    let offset = plainEnd(bytes, start + 1)
    for (; bytes[offset] !== QUOTE; offset = plainEnd(bytes, offset)) {
      if (offset === bytes.length) this.#fail('A string is not closed.', start)
      if (bytes[offset] !== BACKSLASH) {
        const hex = this.#peek(offset).toString(16).padStart(4, '0')
        this.#fail(`A string has a raw control character; write it as \\u${hex}.`, offset)
      }
      offset = this.#findEscapeEnd(offset)
    }
    return offset + 1
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

  #scanNumber(offset: number): number {
    if (this.#peek(offset) === MINUS) offset += 1
    const isZero = this.#peek(offset) === ZERO
    let end = this.#scanDigits(offset)
    if (isZero && end > offset + 1) this.#fail('A number has a leading zero.', offset)
    if (this.#peek(end) === POINT) end = this.#scanDigits(end + 1)
    if ((this.#peek(end) | 0x20) !== 0x65) return end
    const sign = this.#peek(end + 1)
    return this.#scanDigits(sign === PLUS || sign === MINUS ? end + 2 : end + 1)
  }

  /** Skips at least one digit. */
  #scanDigits(offset: number): number {
    let end = offset
    while (isDigit(this.#peek(end))) end += 1
    if (end === offset) this.#fail('A digit is missing in a number.', offset)
    return end
  }

  #scanLiteral(offset: number, word: Buffer): number {
    for (let index = 0; index < word.length; index += 1) {
      if (this.#peek(offset + index) !== word[index]) this.#failValue(offset)
    }
    return offset + word.length
  }

  #peek(offset: number): number {
    return offset < this.#bytes.length ? (this.#bytes[offset] as number) : END
  }

  /** The offset of the next byte that is not whitespace. */
  #skipWhitespace(offset: number): number {
    return this.#peek(offset) > 0x20 ? offset : this.#removeWhitespace(offset)
  }

  /** Moves the run that ends here to its compacted position, and skips the whitespace after it. */
  #removeWhitespace(start: number): number {
    if (this.#removedBytes > 0) this.#move(start)
    let offset = start
    let byte = this.#peek(offset)
    while (byte === 0x20 || byte === LF || byte === 0x09 || byte === 0x0d) {
      if (byte === LF) this.#lineFeeds += 1
      offset += 1
      byte = this.#peek(offset)
    }
    this.#removedBytes += offset - start
    this.#runStart = offset
    return offset
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

  #failValue(offset: number): never {
    const byte = this.#peek(offset)
    const rest = this.#decodeText(offset, offset + 20)
    const [word = ''] = rest.match(/^[\w.+-]*/) ?? []
    if (byte === END) this.#fail('The text ends where a value is expected.', offset)
    if (rest.startsWith('\ufeff')) this.#fail('A byte order mark is not valid JSON. Remove it.', offset)
    if (word !== '') this.#fail(`${word} is not valid JSON.`, offset)
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === COMMA || byte === COLON) {
      this.#fail(`A value is missing before ${String.fromCharCode(byte)} here.`, offset)
    }
    this.#fail('A value cannot begin with this character.', offset)
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
  #fail(message: string, offset: number, fault: JsonFault = 'syntax', containers = 0): never {
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
