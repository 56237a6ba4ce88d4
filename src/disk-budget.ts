// The limit on the temporary files of a service. Buffered responses and uploads share it.
import { Semaphore } from './semaphore.ts'

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

/** Orders of waiting: work that has started comes first, because it releases space when it ends. */
const [STARTED, WAITING] = [0, 1]

export class DiskBudget {
  readonly #space: Semaphore
  /** Releases space that is used only to save work. Called when there is too little; returns false if there is none. */
  onFull: () => boolean = () => false

  constructor(maxBytes: number) {
    this.#space = new Semaphore(maxBytes)
  }

  get maxBytes(): number {
    return this.#space.capacity
  }

  get usedBytes(): number {
    return this.#space.used
  }

  /** For work that has started: it has precedence over waiting requests. Returns false if the limit would be exceeded. */
  reserve(bytes: number): boolean {
    while (!this.#space.tryAcquire(bytes)) if (!this.onFull()) return false
    return true
  }

  /** Waits until the bytes are reserved. Returns false after about 30 seconds, or when the signal is aborted. */
  reserveInTurn(
    bytes: number,
    { signal, isStarted = false }: { signal?: AbortSignal; isStarted?: boolean } = {},
  ): Promise<boolean> {
    const order = isStarted ? STARTED : WAITING
    const reserved = this.#space.acquire({ units: bytes, order, signal, timeoutMs: MAX_WAIT_MS })
    this.release(0)
    return reserved
  }

  /** While a request waits, nothing else is kept. */
  release(bytes: number): void {
    this.#space.release(bytes)
    while (this.#space.hasWaiters && this.onFull());
  }
}
