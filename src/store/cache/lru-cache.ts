// The cache in memory: a size limit, and eviction of the least recently used values. For values that never change.

/** A response that sends a value. */
interface User {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

interface Entry<Value> {
  value: Value
  size: number
  /** The size of an entry counts until the last of its users has closed. */
  users: number
  isEvicted: boolean
}

export class LruCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #pendingValues = new Map<string, Promise<Value>>()
  readonly #sizeOf: (value: Value) => number
  readonly #maxSize: number
  #usedSize = 0

  /** `maxSize` limits the total size of all values, including evicted values that are still in use. */
  constructor(maxSize: number, sizeOf: (value: Value) => number) {
    this.#sizeOf = sizeOf
    this.#maxSize = maxSize
  }

  /** Marks the value as the most recently used one. It is not evicted until `user` closes. */
  get(key: string, user?: User): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    // A closed response emits no further close event.
    if (user && !user.closed) {
      entry.users += 1
      user.once('close', () => {
        entry.users -= 1
        if (entry.isEvicted && entry.users === 0) this.#usedSize -= entry.size
      })
    }
    return entry.value
  }

  /** Concurrent calls share one `create`. If it fails, the next caller runs its own, which can succeed. */
  async getOrCreate<Created extends Value>(key: string, create: () => Promise<Created>): Promise<Created> {
    for (;;) {
      const cachedValue = this.get(key)
      if (cachedValue !== undefined) return cachedValue as Created
      const pendingValue = this.#pendingValues.get(key)
      if (!pendingValue) return this.#create(key, create)
      const createdValue = await pendingValue.catch(() => undefined)
      if (createdValue !== undefined) return createdValue as Created
    }
  }

  /** Does not store a value that is too large. */
  set(key: string, value: Value): void {
    this.#evict(key)
    const size = this.#sizeOf(value)
    if (!this.makeSpace(size)) return
    this.#entries.set(key, { value, size, users: 0, isEvicted: false })
    this.#usedSize += size
  }

  /**
   * Evicts the least recently used values until `size` fits, except those in use. Returns whether it fits. One value
   * can use at most a quarter of the limit.
   */
  makeSpace(size: number): boolean {
    if (size > this.#maxSize / 4) return false
    for (const [key, { users }] of this.#entries) {
      if (this.#usedSize + size <= this.#maxSize) break
      if (users === 0) this.#evict(key)
    }
    return this.#usedSize + size <= this.#maxSize
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.#evict(key)
  }

  async #create<Created extends Value>(key: string, create: () => Promise<Created>): Promise<Created> {
    const pendingValue = create()
    this.#pendingValues.set(key, pendingValue)
    try {
      const value = await pendingValue
      this.set(key, value)
      return value
    } finally {
      this.#pendingValues.delete(key)
    }
  }

  #evict(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    entry.isEvicted = true
    if (entry.users === 0) this.#usedSize -= entry.size
  }
}

/** In characters, with an estimate for the key and the entry. */
export function sizeOfText({ length }: string): number {
  return length + 100
}
