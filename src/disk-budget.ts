// The limit on the temporary files of a service. Buffered responses and uploads share it.

/** How long a request waits for disk space before it is rejected. */
const MAX_WAIT_MS = 30_000

interface WaitingRequest {
  bytes: number
  onReserved: () => void
}

export class DiskBudget {
  readonly maxBytes: number
  #usedBytes = 0
  /** In order of arrival. Later requests do not overtake earlier ones, so a large one gets its space too. */
  readonly #waitingRequests = new Set<WaitingRequest>()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** For work that has started: it has precedence over waiting requests. Returns false if the limit would be exceeded. */
  reserve(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.maxBytes) return false
    this.#usedBytes += bytes
    return true
  }

  /** Waits until the bytes are reserved. Returns false after about 30 seconds, or when the signal is aborted. */
  async reserveInTurn(bytes: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#waitingRequests.size === 0 && this.reserve(bytes)) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const request = { bytes, onReserved: () => resolve(true) }
    const giveUp = () => resolve(false)
    const timer = setTimeout(giveUp, MAX_WAIT_MS)
    signal?.addEventListener('abort', giveUp)
    if (!signal?.aborted) this.#waitingRequests.add(request)
    else giveUp()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      // The next request can need less space.
      if (this.#waitingRequests.delete(request)) this.#admitWaiting()
    }
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes
    this.#admitWaiting()
  }

  #admitWaiting(): void {
    for (const request of this.#waitingRequests) {
      if (!this.reserve(request.bytes)) return
      this.#waitingRequests.delete(request)
      request.onReserved()
    }
  }
}
