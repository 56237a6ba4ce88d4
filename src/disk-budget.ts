// The limit on the temporary files of a service. Buffered responses and uploads share it.

/** How long a request waits for disk space before it is rejected. */
const MAX_WAIT_MS = 30_000

/** Counts the bytes of temporary files. */
export interface BufferSpace {
  /** Called before bytes are written. Can wait for space; throws if there is none. */
  reserve(bytes: number): Promise<void>
  release(bytes: number): void
}

/** For commands: only the disk limits their temporary files. */
export const UNLIMITED_SPACE: BufferSpace = { reserve: async () => undefined, release: () => undefined }

interface WaitingRequest {
  bytes: number
  onReserved: () => void
}

export class DiskBudget {
  readonly maxBytes: number
  #usedBytes = 0
  /** In order of arrival. Later requests do not overtake earlier ones, so a large one gets its space too. */
  readonly #waitingRequests = new Set<WaitingRequest>()
  /** Requests that have started and need more space. They come first, because they release space when they end. */
  readonly #startedRequests = new Set<WaitingRequest>()
  #isAdmitting = false
  /** Releases space that is used only to save work. Called when there is too little; returns false if there is none. */
  onFull: () => boolean = () => false

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** For work that has started: it has precedence over waiting requests. Returns false if the limit would be exceeded. */
  reserve(bytes: number): boolean {
    while (this.#usedBytes + bytes > this.maxBytes && this.onFull());
    if (this.#usedBytes + bytes > this.maxBytes) return false
    this.#usedBytes += bytes
    return true
  }

  /** Waits until the bytes are reserved. Returns false after about 30 seconds, or when the signal is aborted. */
  async reserveInTurn(
    bytes: number,
    { signal, isStarted = false }: { signal?: AbortSignal; isStarted?: boolean } = {},
  ): Promise<boolean> {
    const queue = isStarted ? this.#startedRequests : this.#waitingRequests
    if (queue.size === 0 && this.reserve(bytes)) return true
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const request = { bytes, onReserved: () => resolve(true) }
    const giveUp = () => {
      resolve(false)
      // At once, because space that is released now would be lost. The next request can need less space.
      if (queue.delete(request)) this.#admitWaiting()
    }
    const timer = setTimeout(giveUp, MAX_WAIT_MS)
    signal?.addEventListener('abort', giveUp)
    if (!signal?.aborted) queue.add(request)
    else giveUp()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes
    this.#admitWaiting()
  }

  #admitWaiting(): void {
    // `onFull` releases space: without this, a request would be admitted twice.
    if (this.#isAdmitting) return
    this.#isAdmitting = true
    while (this.#admitNext());
    this.#isAdmitting = false
  }

  #admitNext(): boolean {
    const queue = this.#startedRequests.size > 0 ? this.#startedRequests : this.#waitingRequests
    const [request] = queue
    if (!request || !this.reserve(request.bytes)) return false
    queue.delete(request)
    request.onReserved()
    return true
  }
}
