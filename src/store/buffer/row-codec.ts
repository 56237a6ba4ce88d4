// Encodes rows as bytes and decodes them. Bytes are outside the V8 heap, and texts can be read as UTF-8 without creating
// strings.

import type { Value } from '../dialect/dialect.ts'

/** Precedes each value of a list. */
const [NULL, NUMBER, TEXT, BYTES] = [0, 1, 2, 3]

/** Encodes null in place of a length. */
const NULL_LENGTH = 0xffffffff

/** Most uploads are small. */
const INITIAL_CAPACITY = 16 * 1024

/** Up to this length, a loop copies bytes faster than a call. */
const MAX_LOOP_LENGTH = 32

export class RowEncoder {
  #buffer: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(INITIAL_CAPACITY)
  #view = new DataView(this.#buffer.buffer)
  readonly #typicalBytes: number
  #length = 0

  /** `typicalBytes`: the size at which rows are usually cleared. A much larger buffer is not kept. */
  constructor(typicalBytes: number) {
    this.#typicalBytes = typicalBytes
  }

  get length(): number {
    return this.#length
  }

  /** The bytes encoded so far. Valid until the next call. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
    if (this.#buffer.length > 4 * this.#typicalBytes)
      this.#replaceBuffer(Buffer.allocUnsafeSlow(INITIAL_CAPACITY))
  }

  /** The number must be finite. */
  writeNumber(value: number | null): void {
    this.#reserve(8)
    this.#view.setFloat64(this.#length, value ?? Number.NaN, true)
    this.#length += 8
  }

  writeText(value: string | Uint8Array | null): void {
    if (typeof value !== 'string') {
      this.#writeBytes(value)
      return
    }
    // A UTF-16 code unit takes at most three bytes in UTF-8. For a long text the exact length saves memory.
    this.#reserve(4 + (value.length > 16384 ? Buffer.byteLength(value) : 3 * value.length))
    const length = this.#writeShortAscii(value) ?? this.#buffer.write(value, this.#length + 4)
    this.#view.setUint32(this.#length, length, true)
    this.#length += 4 + length
  }

  /** Values of any type, each with its type. */
  writeValues(values: Value[]): void {
    this.writeNumber(values.length)
    for (const value of values) {
      if (value === null) this.#writeKind(NULL)
      else if (typeof value === 'number') {
        this.#writeKind(NUMBER)
        this.writeNumber(value)
      } else {
        this.#writeKind(typeof value === 'string' ? TEXT : BYTES)
        this.writeText(value)
      }
    }
  }

  #writeKind(kind: number): void {
    this.#reserve(1)
    this.#buffer[this.#length] = kind
    this.#length += 1
  }

  /** Names and types are short, and a loop is faster than a call. Returns undefined for other texts. */
  #writeShortAscii(text: string): number | undefined {
    const { length } = text
    if (length > MAX_LOOP_LENGTH) return undefined
    const start = this.#length + 4
    for (let index = 0; index < length; index += 1) {
      const unit = text.charCodeAt(index)
      if (unit > 0x7f) return undefined
      this.#buffer[start + index] = unit
    }
    return length
  }

  #writeBytes(value: Uint8Array | null): void {
    const length = value?.length ?? 0
    this.#reserve(4 + length)
    this.#view.setUint32(this.#length, value ? length : NULL_LENGTH, true)
    this.#length += 4
    if (!value) return
    // Hashes are short, too.
    if (length > MAX_LOOP_LENGTH) this.#buffer.set(value, this.#length)
    else
      for (let index = 0; index < length; index += 1)
        this.#buffer[this.#length + index] = value[index] as number
    this.#length += length
  }

  #reserve(bytes: number): void {
    const neededBytes = this.#length + bytes
    if (neededBytes <= this.#buffer.length) return
    const largerBuffer = Buffer.allocUnsafeSlow(neededBytes + (neededBytes >> 1))
    largerBuffer.set(this.bytes)
    this.#replaceBuffer(largerBuffer)
  }

  /** Frees the old buffer at once, because it can be several megabytes. */
  #replaceBuffer(buffer: Buffer<ArrayBuffer>): void {
    this.#buffer.buffer.transfer(0)
    this.#buffer = buffer
    this.#view = new DataView(buffer.buffer)
  }
}

/** Decodes values. Call the methods in the same order as those of the encoder. */
export class RowDecoder {
  readonly #buffer: Buffer
  readonly #view: DataView
  #offset = 0

  constructor(bytes: Buffer) {
    this.#buffer = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#buffer.length
  }

  readNumber(): number | null {
    const value = this.#view.getFloat64(this.#offset, true)
    this.#offset += 8
    return Number.isNaN(value) ? null : value
  }

  readText(): string | null {
    const end = this.#readEnd()
    return end === undefined ? null : this.#buffer.toString('utf8', this.#offset, this.#advanceTo(end))
  }

  /** A view of the encoded bytes, not a copy. */
  readBytes(): Buffer | null {
    const end = this.#readEnd()
    return end === undefined ? null : this.#buffer.subarray(this.#offset, this.#advanceTo(end))
  }

  readValues(): Value[] {
    const length = this.readNumber() ?? 0
    const values: Value[] = []
    for (let index = 0; index < length; index += 1) values.push(this.#readValue())
    return values
  }

  #readValue(): Value {
    const kind = this.#buffer[this.#offset]
    this.#offset += 1
    if (kind === NUMBER) return this.readNumber()
    if (kind === TEXT) return this.readText()
    return kind === BYTES ? this.readBytes() : null
  }

  /** The end offset of the next text; undefined if it is null. */
  #readEnd(): number | undefined {
    const length = this.#view.getUint32(this.#offset, true)
    this.#offset += 4
    return length === NULL_LENGTH ? undefined : this.#offset + length
  }

  #advanceTo(end: number): number {
    this.#offset = end
    return end
  }
}
