// Rate limit against guessing API keys, per IP address. It counts and limits only requests with an invalid key, so
// that requests with a valid key from the same address are never blocked.
import { Problem } from '../../errors.ts'
import type { WorkerChannel } from '../server/worker-channel.ts'

const MINUTE_MS = 60_000
/** How many invalid keys an address can send. Clients of one proxy share them if trust-proxy is not set. */
const FAILURES_PER_MINUTE = 300
/** Above this number, the address with the oldest failure is removed, to limit memory. */
const MAX_ADDRESSES = 10_000

export class FailedKeyLimiter {
  /** How many failures each address had left at `time`. They refill evenly over one minute. */
  readonly #budgets = new Map<string, { failuresLeft: number; time: number }>()

  readonly #workerChannel: WorkerChannel | undefined

  constructor(workerChannel?: WorkerChannel) {
    this.#workerChannel = workerChannel
    workerChannel?.onRejectedKey((address) => this.#countFailure(address, Date.now()))
  }

  /** Counts one invalid key. Throws too-many-requests if the address has no failures left. */
  recordFailure(address: string, now: number): void {
    const failuresLeft = this.#countFailure(address, now)
    this.#workerChannel?.sendRejectedKey(address)
    if (failuresLeft >= 1) return
    throw new Problem(
      'too-many-requests',
      'Too many invalid API keys were sent from this address. Wait before the next request.',
      {
        'retry-after': String(Math.ceil(((1 - failuresLeft) / FAILURES_PER_MINUTE) * (MINUTE_MS / 1000))),
      },
    )
  }

  /** Returns the failures that the address had left before this one. */
  #countFailure(address: string, now: number): number {
    const perMs = FAILURES_PER_MINUTE / MINUTE_MS
    const budget = this.#budgets.get(address) ?? { failuresLeft: FAILURES_PER_MINUTE, time: now }
    const failuresLeft = Math.min(FAILURES_PER_MINUTE, budget.failuresLeft + (now - budget.time) * perMs)
    this.#budgets.delete(address)
    this.#budgets.set(address, { failuresLeft: Math.max(0, failuresLeft - 1), time: now })
    const [oldestAddress = address] = this.#budgets.keys()
    if (this.#budgets.size > MAX_ADDRESSES) this.#budgets.delete(oldestAddress)
    return failuresLeft
  }
}
