// In-memory LRU caches with a size limit, for values that never change.

export class LruCache<Value> {
  readonly #values = new Map<string, Value>()
  readonly #pendingValues = new Map<string, Promise<Value>>()
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
      const cachedValue = this.get(key)
      if (cachedValue !== undefined) return cachedValue as Created
      const pendingValue = this.#pendingValues.get(key)
      if (!pendingValue) return this.#create(key, create)
      const createdValue = await pendingValue.catch(() => undefined)
      if (createdValue !== undefined) return createdValue as Created
    }
  }

  /** Marks the value as the most recently used one. */
  get(key: string): Value | undefined {
    const value = this.#remove(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  /** Stores the value, unless it is too large, and evicts the least recently used values beyond the limit. */
  set(key: string, value: Value): void {
    this.#remove(key)
    if (this.#sizeOf(value) > this.#maxValueSize) return
    this.#values.set(key, value)
    this.#freeSize -= this.#entrySize(key, value)
    for (const oldestKey of this.#values.keys()) {
      if (this.#freeSize >= 0) return
      this.#remove(oldestKey)
    }
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
