// Texts that took some work to make and never change, kept in memory as long as there is room for them.

export class KeptTexts {
  readonly #texts = new Map<string, string>()
  readonly #largest: number
  #room: number

  /** `room`: how many characters all of them may have together. One alone gets a part of it. */
  constructor(room: number) {
    this.#largest = room / 4
    this.#room = room
  }

  async get(key: string, make: () => Promise<string>): Promise<string> {
    const kept = this.find(key)
    if (kept !== undefined) return kept
    const text = await make()
    this.keep(key, text)
    return text
  }

  find(key: string): string | undefined {
    const text = this.#take(key)
    if (text !== undefined) this.keep(key, text)
    return text
  }

  /** As the one used last; those not used for longest make room. */
  keep(key: string, text: string): void {
    this.#take(key)
    if (text.length > this.#largest) return
    this.#texts.set(key, text)
    this.#room -= sizeOf(key, text)
    for (const oldest of this.#texts.keys()) {
      if (this.#room >= 0) return
      this.#take(oldest)
    }
  }

  #take(key: string): string | undefined {
    const text = this.#texts.get(key)
    if (text === undefined) return undefined
    this.#texts.delete(key)
    this.#room += sizeOf(key, text)
    return text
  }
}

/** With something for the entry itself. */
function sizeOf(key: string, text: string): number {
  return key.length + text.length + 100
}
