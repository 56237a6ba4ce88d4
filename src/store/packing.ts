// Values packed into bytes and taken out again. Outside the heap they cost the collector nothing, and texts come
// out as the UTF-8 they are stored as, without becoming strings in between.

import type { Value } from './dialect/dialect.ts'

const KINDS = ['null', 'number', 'text', 'bytes'] as const

function kindOf(value: Value): (typeof KINDS)[number] {
  if (value === null) return 'null'
  if (typeof value === 'number') return 'number'
  return typeof value === 'string' ? 'text' : 'bytes'
}

/** Stands for null where a length is expected. */
const NOTHING = 0xffffffff

export class Packer {
  #buffer: Buffer<ArrayBuffer>
  readonly #capacity: number
  #length = 0

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#buffer = Buffer.allocUnsafeSlow(capacity)
  }

  get length(): number {
    return this.#length
  }

  /** What was packed so far; good until the next call. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
    if (this.#buffer.length > 4 * this.#capacity) this.#replace(Buffer.allocUnsafeSlow(this.#capacity))
  }

  /** Finite, or null. */
  number(value: number | null): void {
    this.#reserve(8)
    this.#length = this.#buffer.writeDoubleLE(value ?? Number.NaN, this.#length)
  }

  text(value: string | Uint8Array | null): void {
    if (typeof value !== 'string') {
      this.#bytes(value)
      return
    }
    // A unit of UTF-16 takes three bytes of UTF-8 at most; of a long text it is worth knowing exactly.
    this.#reserve(4 + (value.length > 16384 ? Buffer.byteLength(value) : 3 * value.length))
    const length = this.#buffer.write(value, this.#length + 4)
    this.#buffer.writeUInt32LE(length, this.#length)
    this.#length += 4 + length
  }

  /** Values of any kind, with what they are. */
  values(values: Value[]): void {
    this.number(values.length)
    for (const value of values) {
      const kind = kindOf(value)
      this.#reserve(1)
      this.#length = this.#buffer.writeUInt8(KINDS.indexOf(kind), this.#length)
      if (kind === 'number') this.number(value as number)
      else if (kind !== 'null') this.text(value as string | Uint8Array)
    }
  }

  #bytes(value: Uint8Array | null): void {
    this.#reserve(4 + (value?.length ?? 0))
    this.#length = this.#buffer.writeUInt32LE(value?.length ?? NOTHING, this.#length)
    if (!value) return
    this.#buffer.set(value, this.#length)
    this.#length += value.length
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(needed + Math.max(needed >> 1, this.#capacity))
    larger.set(this.bytes)
    this.#replace(larger)
  }

  /** What is replaced is given back at once: it may be megabytes. */
  #replace(buffer: Buffer<ArrayBuffer>): void {
    this.#buffer.buffer.transfer(0)
    this.#buffer = buffer
  }
}

/** Takes values out in the order they were packed, each as what it was packed as. */
export class Unpacker {
  readonly #buffer: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#buffer = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#buffer.length
  }

  number(): number | null {
    const value = this.#buffer.readDoubleLE(this.#at)
    this.#at += 8
    return Number.isNaN(value) ? null : value
  }

  text(): string | null {
    const end = this.#end()
    return end === undefined ? null : this.#buffer.toString('utf8', this.#at, this.#take(end))
  }

  /** A part of the packed bytes, not a copy. */
  bytes(): Buffer | null {
    const end = this.#end()
    return end === undefined ? null : this.#buffer.subarray(this.#at, this.#take(end))
  }

  values(): Value[] {
    return Array.from({ length: this.number() ?? 0 }, () => {
      const kind = KINDS[this.#buffer.readUInt8(this.#at)]
      this.#at += 1
      if (kind === 'number') return this.number()
      if (kind === 'text') return this.text()
      return kind === 'bytes' ? this.bytes() : null
    })
  }

  /** Where the text that comes next ends; undefined when there is none. */
  #end(): number | undefined {
    const length = this.#buffer.readUInt32LE(this.#at)
    this.#at += 4
    return length === NOTHING ? undefined : this.#at + length
  }

  #take(end: number): number {
    this.#at = end
    return end
  }
}
