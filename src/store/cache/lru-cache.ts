// The cache in memory: a size limit, and eviction of the least recently used values. For values that never change.

/** A response that sends a value. */
export interface User {
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
  readonly #onEvict: (value: Value) => void
  #usedSize = 0

  /** `maxSize` limits the total size of all values, including evicted values that are still in use. */
  constructor(
    maxSize: number,
    sizeOf: (value: Value) => number,
    onEvict = (_value: Value): void => undefined,
  ) {
    this.#sizeOf = sizeOf
    this.#maxSize = maxSize
    this.#onEvict = onEvict
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

  /** Returns false if the value is too large to be stored. */
  set(key: string, value: Value): boolean {
    this.delete(key)
    const size = this.#sizeOf(value)
    if (!this.makeSpace(size)) return false
    this.#entries.set(key, { value, size, users: 0, isEvicted: false })
    this.#usedSize += size
    return true
  }

  /** Returns whether there was a value. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined) return false
    this.#entries.delete(key)
    entry.isEvicted = true
    if (entry.users === 0) this.#usedSize -= entry.size
    this.#onEvict(entry.value)
    return true
  }

  /** Evicts the least recently used value. Returns false if there is none. */
  evictOldest(): boolean {
    const [key] = this.#entries.keys()
    return key !== undefined && this.delete(key)
  }

  /**
   * Evicts the least recently used values until `size` fits, except those in use. Returns whether it fits. One value
   * can use at most a quarter of the limit.
   */
  makeSpace(size: number): boolean {
    if (size > this.#maxSize / 4) return false
    for (const [key, { users }] of this.#entries) {
      if (this.#usedSize + size <= this.#maxSize) break
      if (users === 0) this.delete(key)
    }
    return this.#usedSize + size <= this.#maxSize
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key)
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
}

/** In characters, with an estimate for the key and the entry. */
export function sizeOfText({ length }: string): number {
  return length + 100
}
