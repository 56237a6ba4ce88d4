// An LRU cache of parsed responses and their ETags, limited by number of entries and by total text length.

interface CachedResponse {
  etag: string
  value: unknown
  /** Length of the response text, in characters. */
  size: number
}

export class EtagCache {
  readonly #responses = new Map<string, CachedResponse>()
  readonly #maxEntries: number
  readonly #maxSize: number
  #size = 0

  constructor(maxEntries = 100, maxSize = 32_000_000) {
    this.#maxEntries = maxEntries
    this.#maxSize = maxSize
  }

  get(key: string): CachedResponse | undefined {
    const response = this.#responses.get(key)
    if (!response) return undefined
    // A Map iterates in insertion order, so inserting again marks the entry as most recently used.
    this.#responses.delete(key)
    this.#responses.set(key, response)
    return response
  }

  set(key: string, response: CachedResponse): void {
    this.delete(key)
    if (response.size > this.#maxSize) return
    this.#responses.set(key, response)
    this.#size += response.size
    for (const oldestKey of this.#responses.keys()) {
      if (this.#responses.size <= this.#maxEntries && this.#size <= this.#maxSize) break
      this.delete(oldestKey)
    }
  }

  delete(key: string): void {
    this.#size -= this.#responses.get(key)?.size ?? 0
    this.#responses.delete(key)
  }
}
