// Bounds the guessing of keys: an address that sends too many refused ones is told to wait. Only refusals
// are counted and only refusals are slowed, so that nobody can lock out somebody else's good key.
import { Problem } from '../errors.ts'
import type { Peers } from './peers.ts'

const MINUTE_MS = 60_000
/** Past this the address that failed longest ago is forgotten, so that memory stays bounded. */
const ADDRESSES = 10_000

export class FailedKeys {
  readonly #perMinute: number
  /** How many failures each address still has left, as of a time; they come back evenly over a minute. */
  readonly #left = new Map<string, { failures: number; at: number }>()

  readonly #peers: Peers | undefined

  constructor(perMinute: number, peers?: Peers) {
    this.#perMinute = perMinute
    this.#peers = peers
    peers?.hearRefused((address) => this.#note(address, Date.now()))
  }

  /** Counts one refused key. Throws too-many-requests when the address has none left. */
  count(address: string, now: number): void {
    const failures = this.#note(address, now)
    this.#peers?.tellRefused(address)
    if (failures >= 1) return
    throw new Problem(
      'too-many-requests',
      'Too many refused API keys came from this address. Wait, then go on.',
      {
        'retry-after': String(Math.ceil(((1 - failures) / this.#perMinute) * (MINUTE_MS / 1000))),
      },
    )
  }

  /** Returns how many it had left before. */
  #note(address: string, now: number): number {
    const perMs = this.#perMinute / MINUTE_MS
    const known = this.#left.get(address) ?? { failures: this.#perMinute, at: now }
    const failures = Math.min(this.#perMinute, known.failures + (now - known.at) * perMs)
    this.#left.delete(address)
    this.#left.set(address, { failures: Math.max(0, failures - 1), at: now })
    this.#forget()
    return failures
  }

  #forget(): void {
    if (this.#left.size <= ADDRESSES) return
    const [oldest] = this.#left.keys()
    if (oldest !== undefined) this.#left.delete(oldest)
  }
}
