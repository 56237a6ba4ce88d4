// Encodes rows as bytes and decodes them. Bytes are outside the V8 heap, and texts can be read as UTF-8 without creating
// strings.

import type { Value } from '../dialect/dialect.ts'

const VALUE_KINDS = ['null', 'number', 'text', 'bytes'] as const

function kindOf(value: Value): (typeof VALUE_KINDS)[number] {
  if (value === null) return 'null'
  if (typeof value === 'number') return 'number'
  return typeof value === 'string' ? 'text' : 'bytes'
}

/** Encodes null in place of a length. */
const NULL_LENGTH = 0xffffffff

/** Most uploads are small. */
const INITIAL_CAPACITY = 16 * 1024

export class RowEncoder {
  #buffer: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(INITIAL_CAPACITY)
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
    this.#length = this.#buffer.writeDoubleLE(value ?? Number.NaN, this.#length)
  }

  writeText(value: string | Uint8Array | null): void {
    if (typeof value !== 'string') {
      this.#writeBytes(value)
      return
    }
    // A UTF-16 code unit takes at most three bytes in UTF-8. For a long text the exact length saves memory.
    this.#reserve(4 + (value.length > 16384 ? Buffer.byteLength(value) : 3 * value.length))
    const length = this.#buffer.write(value, this.#length + 4)
    this.#buffer.writeUInt32LE(length, this.#length)
    this.#length += 4 + length
  }

  /** Values of any type, each with its type. */
  writeValues(values: Value[]): void {
    this.writeNumber(values.length)
    for (const value of values) {
      const kind = kindOf(value)
      this.#reserve(1)
      this.#length = this.#buffer.writeUInt8(VALUE_KINDS.indexOf(kind), this.#length)
      if (kind === 'number') this.writeNumber(value as number)
      else if (kind !== 'null') this.writeText(value as string | Uint8Array)
    }
  }

  #writeBytes(value: Uint8Array | null): void {
    this.#reserve(4 + (value?.length ?? 0))
    this.#length = this.#buffer.writeUInt32LE(value?.length ?? NULL_LENGTH, this.#length)
    if (!value) return
    this.#buffer.set(value, this.#length)
    this.#length += value.length
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
  }
}

/** Decodes values. Call the methods in the same order as those of the encoder. */
export class RowDecoder {
  readonly #buffer: Buffer
  #offset = 0

  constructor(bytes: Buffer) {
    this.#buffer = bytes
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#buffer.length
  }

  readNumber(): number | null {
    const value = this.#buffer.readDoubleLE(this.#offset)
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
    return Array.from({ length: this.readNumber() ?? 0 }, () => {
      const kind = VALUE_KINDS[this.#buffer.readUInt8(this.#offset)]
      this.#offset += 1
      if (kind === 'number') return this.readNumber()
      if (kind === 'text') return this.readText()
      return kind === 'bytes' ? this.readBytes() : null
    })
  }

  /** The end offset of the next text; undefined if it is null. */
  #readEnd(): number | undefined {
    const length = this.#buffer.readUInt32LE(this.#offset)
    this.#offset += 4
    return length === NULL_LENGTH ? undefined : this.#offset + length
  }

  #advanceTo(end: number): number {
    this.#offset = end
    return end
  }
}
