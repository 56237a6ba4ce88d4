// LRU cache of complete responses in memory, by version, format and encoding. Every change of the content gives it a
// new version, so that a cached response is never stale.
import type { ServerResponse } from 'node:http'

interface CacheEntry {
  bytes: Uint8Array
  /** Responses that are sending these bytes. Their memory counts until the last of them has ended. */
  users: number
  isEvicted: boolean
}

export class MemoryCache {
  readonly #entries = new Map<string, CacheEntry>()
  readonly #maxBytes: number
  #usedBytes = 0

  /** `maxBytes` limits the total size of all entries, including evicted entries that are still being sent. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * Evicts the least recently used entries until `bytes` fit, except those that are being sent. Returns whether they
   * fit. One entry can use at most a quarter of the limit.
   */
  makeSpace(bytes: number): boolean {
    if (bytes > this.#maxBytes / 4) return false
    for (const [name, { users }] of this.#entries) {
      if (this.#usedBytes + bytes <= this.#maxBytes) break
      if (users === 0) this.#evict(name)
    }
    return this.#usedBytes + bytes <= this.#maxBytes
  }

  /** The cached bytes. The entry counts as used until the response closes. */
  acquire(name: string, response: ServerResponse): Uint8Array | undefined {
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    // Marks the entry as most recently used.
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    // A closed response emits no further close event.
    if (response.closed) return entry.bytes
    entry.users += 1
    response.once('close', () => {
      entry.users -= 1
      if (entry.isEvicted && entry.users === 0) this.#usedBytes -= entry.bytes.length
    })
    return entry.bytes
  }

  set(name: string, bytes: Uint8Array): void {
    this.#evict(name)
    if (!this.makeSpace(bytes.length)) return
    this.#entries.set(name, { bytes, users: 0, isEvicted: false })
    this.#usedBytes += bytes.length
  }

  #evict(name: string): void {
    const entry = this.#entries.get(name)
    if (entry === undefined) return
    this.#entries.delete(name)
    entry.isEvicted = true
    if (entry.users === 0) this.#usedBytes -= entry.bytes.length
  }
}
