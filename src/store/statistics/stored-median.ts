// The median of numbers that are added and removed one by one. It is exact for few numbers. For more numbers it is computed
// from a histogram, so that its size is limited. Uses no database.
import { findQuantile } from './distributions.ts'

/** With more numbers, only a histogram is stored. */
export const MAX_EXACT_NUMBERS = 1000

/** Base64 of sorted doubles, or of pairs of bucket and count, sorted by bucket. Both are faster to read and write than JSON. */
export type StoredMedian = { numbers: string } | { buckets: string }

/**
 * Buckets have the 11 bits of the exponent and the first 7 bits of the mantissa, so their middle differs from their numbers by
 * at most 1 / 256. Outside of about 1e-9 to 1e9 they have the exponent only, because there could be too many of them.
 */
const MANTISSA_BITS = 7
const MAX_EXPONENT = 30
/** The histogram has no more digits. */
const SIGNIFICANT_DIGITS = 4

export class MedianCounter {
  #count = 0
  /** In ascending order: all numbers, or the buckets if there are too many numbers. */
  #values: number[] = []
  /** The count of each bucket. Undefined if `#values` are the numbers. */
  #counts: number[] | undefined

  constructor(stored: StoredMedian = { numbers: '' }) {
    if ('numbers' in stored) {
      const bytes = Buffer.from(stored.numbers, 'base64')
      for (let offset = 0; offset < bytes.length; offset += 8) this.#values.push(bytes.readDoubleLE(offset))
      this.#count = this.#values.length
      return
    }
    this.#counts = []
    const bytes = Buffer.from(stored.buckets, 'base64')
    for (let offset = 0; offset < bytes.length; offset += 8) {
      const count = bytes.readUInt32LE(offset + 4)
      this.#values.push(bytes.readInt32LE(offset))
      this.#counts.push(count)
      this.#count += count
    }
  }

  add(number: number): void {
    if (!this.#counts && this.#count === MAX_EXACT_NUMBERS) this.#convertToBuckets()
    if (this.#counts) {
      this.#changeBucket(this.#counts, findBucket(number), 1)
      return
    }
    // Zero has one sign, so that equal numbers are stored equally.
    this.#values.splice(this.#findIndex(number), 0, number + 0)
    this.#count += 1
  }

  /** Reverses `add`. */
  remove(number: number): void {
    if (this.#counts) {
      this.#changeBucket(this.#counts, findBucket(number), -1)
      return
    }
    this.#values.splice(this.#findIndex(number), 1)
    this.#count -= 1
  }

  #convertToBuckets(): void {
    const numbers = this.#values
    const counts: number[] = []
    this.#values = []
    this.#counts = counts
    this.#count = 0
    for (const number of numbers) this.#changeBucket(counts, findBucket(number), 1)
  }

  #changeBucket(counts: number[], bucket: number, change: 1 | -1): void {
    const index = this.#findIndex(bucket)
    const count = this.#values[index] === bucket ? (counts[index] ?? 0) : 0
    if (count === 0) {
      this.#values.splice(index, 0, bucket)
      counts.splice(index, 0, 0)
    }
    // Never negative, even if the store is corrupt: assay check reports that.
    counts[index] = Math.max(0, count + change)
    if (counts[index] === 0) {
      this.#values.splice(index, 1)
      counts.splice(index, 1)
    }
    this.#count += change
  }

  /** The index of the first value that is not smaller. */
  #findIndex(value: number): number {
    let [start, end] = [0, this.#values.length]
    while (start < end) {
      const middle = (start + end) >>> 1
      if ((this.#values[middle] as number) < value) start = middle + 1
      else end = middle
    }
    return start
  }

  get count(): number {
    return this.#count
  }

  /** Whether so many numbers were removed that the median must be exact again. Create it again from all numbers then. */
  get needsNumbers(): boolean {
    return this.#counts !== undefined && this.#count <= MAX_EXACT_NUMBERS
  }

  /** Null if there are no numbers. */
  get median(): number | null {
    if (!this.#counts) return findQuantile(Float64Array.from(this.#values), 0.5)
    const rank = 0.5 * (this.#count - 1)
    const [low, high] = [
      this.#numberAt(this.#counts, Math.floor(rank)),
      this.#numberAt(this.#counts, Math.ceil(rank)),
    ]
    return Number((low + (high - low) / 2).toPrecision(SIGNIFICANT_DIGITS))
  }

  #numberAt(counts: number[], rank: number): number {
    let before = 0
    const index = counts.findIndex((count) => {
      before += count
      return rank < before
    })
    return findMiddle(this.#values[index] ?? 0)
  }

  toJSON(): StoredMedian {
    const bytes = Buffer.alloc(8 * this.#values.length)
    for (const [index, value] of this.#values.entries()) {
      if (this.#counts) {
        bytes.writeInt32LE(value, 8 * index)
        bytes.writeUInt32LE(this.#counts[index] ?? 0, 8 * index + 4)
      } else bytes.writeDoubleLE(value, 8 * index)
    }
    const text = bytes.toString('base64')
    return this.#counts ? { buckets: text } : { numbers: text }
  }
}

const EXPONENT_BIAS = 1023
const HIGH_WORD_BITS = 20 - MANTISSA_BITS
const BITS = new DataView(new ArrayBuffer(8))

/** Sorted like the numbers. 0 contains zero and subnormal numbers. */
function findBucket(number: number): number {
  BITS.setFloat64(0, Math.abs(number))
  const bucket = BITS.getUint32(0) >>> HIGH_WORD_BITS
  const coarseBucket = (bucket >>> MANTISSA_BITS) << MANTISSA_BITS
  return Math.sign(number) * (isFine(bucket) ? bucket : coarseBucket)
}

function findMiddle(bucket: number): number {
  const size = Math.abs(bucket)
  if (size < 1 << MANTISSA_BITS) return 0
  const middle = isFine(size) ? 1 << (HIGH_WORD_BITS - 1) : 1 << 19
  BITS.setUint32(0, (size << HIGH_WORD_BITS) | middle)
  BITS.setUint32(4, 0)
  return Math.sign(bucket) * BITS.getFloat64(0)
}

function isFine(bucket: number): boolean {
  return Math.abs((bucket >>> MANTISSA_BITS) - EXPONENT_BIAS) <= MAX_EXPONENT
}
