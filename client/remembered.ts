// Answers with their ETags, so that what has not changed is not sent and parsed again. Bounded by their number and by
// the length of their texts; what was not asked for the longest goes first.

interface Answer {
  etag: string
  value: unknown
  /** How long its text was. */
  size: number
}

export class Remembered {
  readonly #answers = new Map<string, Answer>()
  readonly #most: number
  readonly #room: number
  #size = 0

  constructor(most = 100, room = 32_000_000) {
    this.#most = most
    this.#room = room
  }

  get(name: string): Answer | undefined {
    const answer = this.#answers.get(name)
    if (!answer) return undefined
    // A map is in the order of its insertions, so this makes it the youngest.
    this.#answers.delete(name)
    this.#answers.set(name, answer)
    return answer
  }

  set(name: string, answer: Answer): void {
    this.delete(name)
    if (answer.size > this.#room) return
    this.#answers.set(name, answer)
    this.#size += answer.size
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#most && this.#size <= this.#room) break
      this.delete(oldest)
    }
  }

  delete(name: string): void {
    this.#size -= this.#answers.get(name)?.size ?? 0
    this.#answers.delete(name)
  }
}
