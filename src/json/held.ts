// Bytes that are kept from one chunk to the next, in one buffer that doubles, because chunks may be tiny.

export class Held {
  #buffer = Buffer.alloc(0)
  #limit: number
  length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Copies, because a chunk may be filled anew; false where the limit does not allow it. */
  add(piece: Uint8Array): boolean {
    const needed = this.length + piece.length
    if (needed > this.#limit) return false
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(2 * needed, this.#limit))
      this.#buffer.copy(larger, 0, 0, this.length)
      this.#buffer = larger
    }
    this.#buffer.set(piece, this.length)
    this.length = needed
    return true
  }

  /** Good until something is added. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
  }
}
