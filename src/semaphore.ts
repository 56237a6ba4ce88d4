// Limits how much runs at the same time. What does not fit waits in order. ARCHITECTURE.md lists every use.

export interface AcquireOptions {
  /** How many units are needed. Default: 1. */
  units?: number
  /** Lower orders continue first, equal ones in order of arrival. Default: 0. */
  order?: number
  /** Ends the wait. */
  signal?: AbortSignal | undefined
  timeoutMs?: number
}

interface Waiter {
  units: number
  order: number
  onAcquired: () => void
}

export class Semaphore {
  readonly capacity: number
  #used = 0
  /** Sorted by order. */
  readonly #waiters: Waiter[] = []

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get used(): number {
    return this.#used
  }

  get hasWaiters(): boolean {
    return this.#waiters.length > 0
  }

  /** Takes the units if they are free, before everything that waits. */
  tryAcquire(units = 1): boolean {
    if (this.#used + units > this.capacity) return false
    this.#used += units
    return true
  }

  /** Waits for the units, which must be released. Returns false if the signal is aborted or the time has passed before. */
  async acquire({ units = 1, order = 0, signal, timeoutMs }: AcquireOptions = {}): Promise<boolean> {
    if (signal?.aborted) return false
    // Later ones do not overtake, so that one that needs many units gets them too.
    const index = this.#waiters.findLastIndex((waiter) => waiter.order <= order) + 1
    if (index === 0 && this.tryAcquire(units)) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiter = { units, order, onAcquired: () => resolve(true) }
    this.#waiters.splice(index, 0, waiter)
    const endWait = () => {
      // At once, because units that are released now would be lost.
      this.#remove(waiter)
      resolve(false)
    }
    const timer = timeoutMs === undefined ? undefined : setTimeout(endWait, timeoutMs)
    signal?.addEventListener('abort', endWait, { once: true })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', endWait)
    }
  }

  release(units = 1): void {
    this.#used -= units
    for (let next = this.#waiters[0]; next && this.tryAcquire(next.units); next = this.#waiters[0]) {
      this.#waiters.shift()
      next.onAcquired()
    }
  }

  /** Runs `work` with one unit. Throws the reason of the signal if it is aborted before. */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (!(await this.acquire({ signal }))) throw signal?.reason
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  /** Ends a wait without units. The next one can need fewer units. */
  #remove(waiter: Waiter): void {
    const index = this.#waiters.indexOf(waiter)
    if (index === -1) return
    this.#waiters.splice(index, 1)
    this.release(0)
  }
}
