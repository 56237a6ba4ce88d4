// A growing byte buffer with a size limit. It collects data across chunks and doubles its capacity.

export class ByteBuffer {
  #buffer = Buffer.alloc(0)
  #limit: number
  length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Copies the bytes, because chunks are reused. Returns false if the limit would be exceeded. */
  add(bytes: Uint8Array): boolean {
    const needed = this.length + bytes.length
    if (needed > this.#limit) return false
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(2 * needed, this.#limit))
      this.#buffer.copy(larger, 0, 0, this.length)
      this.#buffer = larger
    }
    this.#buffer.set(bytes, this.length)
    this.length = needed
    return true
  }

  /** Valid until the next add(). */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
  }
}
