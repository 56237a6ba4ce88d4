// Whole answers of ordinary size that were sent before, kept as bytes: by version, representation and coding, within a
// budget, those not asked for longest going first. A version is never given twice, so none of them is ever out of date.
import type { ServerResponse } from 'node:http'

interface Kept {
  bytes: Uint8Array
  /** Answers that are on their way with these bytes: their memory is not free before the last of them has ended. */
  users: number
  isForgotten: boolean
}

export class Renditions {
  readonly #kept = new Map<string, Kept>()
  readonly #budget: number
  #used = 0

  /** `budget`: how many bytes all of them may have together, with those that are being sent. */
  constructor(budget: number) {
    this.#budget = budget
  }

  /** Whether so much may be kept: one alone gets a part of the budget, and what is being sent cannot make room. */
  hasRoomFor(bytes: number): boolean {
    if (bytes > this.#budget / 4) return false
    for (const [name, { users }] of this.#kept) {
      if (this.#used + bytes <= this.#budget) break
      if (users === 0) this.#forget(name)
    }
    return this.#used + bytes <= this.#budget
  }

  /** For a response that ends some time. */
  lend(name: string, response: ServerResponse): Uint8Array | undefined {
    const kept = this.#kept.get(name)
    if (kept === undefined) return undefined
    // As the one used last.
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    // A client that has gone meanwhile takes nothing.
    if (response.closed) return kept.bytes
    kept.users += 1
    response.once('close', () => {
      kept.users -= 1
      if (kept.isForgotten && kept.users === 0) this.#used -= kept.bytes.length
    })
    return kept.bytes
  }

  keep(name: string, bytes: Uint8Array): void {
    this.#forget(name)
    if (!this.hasRoomFor(bytes.length)) return
    this.#kept.set(name, { bytes, users: 0, isForgotten: false })
    this.#used += bytes.length
  }

  #forget(name: string): void {
    const kept = this.#kept.get(name)
    if (kept === undefined) return
    this.#kept.delete(name)
    kept.isForgotten = true
    if (kept.users === 0) this.#used -= kept.bytes.length
  }
}
