// What took some work to find out and never changes, kept in memory as long as there is room for it.

export class Kept<Value> {
  readonly #values = new Map<string, Value>()
  readonly #sizeOf: (value: Value) => number
  readonly #largest: number
  #room: number

  /** `room`: how large all of them may be together. One alone gets a part of it. */
  constructor(room: number, sizeOf: (value: Value) => number) {
    this.#sizeOf = sizeOf
    this.#largest = room / 4
    this.#room = room
  }

  async get<Made extends Value>(key: string, make: () => Promise<Made>): Promise<Made> {
    const kept = this.find(key)
    if (kept !== undefined) return kept as Made
    const value = await make()
    this.keep(key, value)
    return value
  }

  find(key: string): Value | undefined {
    const value = this.#take(key)
    if (value !== undefined) this.keep(key, value)
    return value
  }

  /** As the one used last; those not used for longest make room. */
  keep(key: string, value: Value): void {
    this.#take(key)
    if (this.#sizeOf(value) > this.#largest) return
    this.#values.set(key, value)
    this.#room -= this.#takenBy(key, value)
    for (const oldest of this.#values.keys()) {
      if (this.#room >= 0) return
      this.#take(oldest)
    }
  }

  #take(key: string): Value | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#room += this.#takenBy(key, value)
    return value
  }

  /** With something for the entry itself. */
  #takenBy(key: string, value: Value): number {
    return key.length + this.#sizeOf(value) + 100
  }
}
