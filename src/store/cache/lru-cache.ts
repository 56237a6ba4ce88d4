// In-memory LRU caches with a size limit, for values that never change.

export class LruCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #pending = new Map<string, Promise<Value>>()
  readonly #sizeOf: (value: Value) => number
  readonly #maxValueSize: number
  #freeSize: number

  /** One value can use at most a quarter of `maxSize`. */
  constructor(maxSize: number, sizeOf: (value: Value) => number) {
    this.#sizeOf = sizeOf
    this.#maxValueSize = maxSize / 4
    this.#freeSize = maxSize
  }

  /** Concurrent calls share one `create`. If it fails, the next caller runs its own, which can succeed. */
  async getOrCreate<Created extends Value>(key: string, create: () => Promise<Created>): Promise<Created> {
    for (;;) {
      const cached = this.get(key)
      if (cached !== undefined) return cached as Created
      const pending = this.#pending.get(key)
      if (!pending) return this.#create(key, create)
      const created = await pending.catch(() => undefined)
      if (created !== undefined) return created as Created
    }
  }

  get(key: string): Value | undefined {
    const value = this.#remove(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  /** Stores the value as the most recently used one and evicts the least recently used ones. */
  set(key: string, value: Value): void {
    this.#remove(key)
    if (this.#sizeOf(value) > this.#maxValueSize) return
    this.#values.set(key, value)
    this.#freeSize -= this.#entrySize(key, value)
    for (const oldest of this.#values.keys()) {
      if (this.#freeSize >= 0) return
      this.#remove(oldest)
    }
  }

  async #create<Created extends Value>(key: string, create: () => Promise<Created>): Promise<Created> {
    const creating = create()
    this.#pending.set(key, creating)
    try {
      const value = await creating
      this.set(key, value)
      return value
    } finally {
      this.#pending.delete(key)
    }
  }

  #remove(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#freeSize += this.#entrySize(key, value)
    return value
  }

  /** Includes an estimate for the entry itself. */
  #entrySize(key: string, value: Value): number {
    return key.length + this.#sizeOf(value) + 100
  }
}

export class TextCache extends LruCache<string> {
  constructor(maxSize: number) {
    super(maxSize, ({ length }) => length)
  }
}
