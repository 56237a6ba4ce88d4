// Complete responses by version, format and encoding, so that each is produced once for all equal requests: short ones in
// memory, long ones in temporary files. The least recently used ones are evicted.
import type { FastifyBaseLogger } from 'fastify'
import { Problem } from '../../errors.ts'
import { LruCache, type User } from '../../store/cache/lru-cache.ts'
import { type ResponseReader, StoredResponse, type TemporaryStorage } from './stored-response.ts'

/** A long response needs at least this much disk space, in case its client is slow. */
const MIN_FREE_BYTES = 256 * 1024
/** The part of the disk budget that cached responses can use. They are evicted when others need the space. */
const CACHED_PART = 1 / 8
/** Estimated memory of a short response besides its bytes: its name, headers and entry, and the unused part of its buffer. */
const SHORT_OVERHEAD_BYTES = 1024
/** Each cached file needs a descriptor. */
const MAX_CACHED_FILES = 128

/** A response in memory. */
export interface ShortResponse {
  /** Equal responses have the same name. */
  name: string
  headers: Record<string, string>
  bytes: Uint8Array
}

/** One client of a long response. The reader must be iterated or closed. */
export interface AttachedResponse {
  response: StoredResponse
  reader: ResponseReader
}

/** A long response that has started. `ended` resolves when its source has ended. */
export interface StartedResponse extends AttachedResponse {
  ended: Promise<void>
}

/** The ETag contains the version, the format and the encoding. `contentKey` distinguishes contents of the same version. */
export function responseName(etag: string | undefined, contentKey: string): string {
  return `${etag} ${contentKey}`
}

export class ResponseStore {
  readonly #storage: TemporaryStorage
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #sharesLong: boolean
  readonly #short: LruCache<ShortResponse>
  readonly #long: LruCache<StoredResponse>
  /** Responses that are being produced. */
  readonly #running = new Map<string, Promise<ShortResponse | StartedResponse>>()

  /** With `maxMemoryBytes` of 0, nothing is cached and no long response is shared. */
  constructor(storage: TemporaryStorage, maxMemoryBytes: number, log: Pick<FastifyBaseLogger, 'warn'>) {
    const { budget } = storage
    this.#storage = storage
    this.#log = log
    this.#sharesLong = maxMemoryBytes > 0
    this.#short = new LruCache(maxMemoryBytes, ({ bytes }) => bytes.length + SHORT_OVERHEAD_BYTES)
    const maxBytes = budget.maxBytes * CACHED_PART
    this.#long = new LruCache(
      maxBytes,
      ({ length }) => Math.max(length, maxBytes / MAX_CACHED_FILES),
      (response) => response.release(),
    )
    budget.onFull = () => this.#long.evictOldest()
  }

  /** Evicts short responses until this many bytes fit. Returns whether they do. */
  hasMemory(bytes: number): boolean {
    return this.#short.makeSpace(bytes)
  }

  /** The response with this name if it is in memory. It is not evicted until `user` closes. */
  findInMemory(name: string, user: User): ShortResponse | undefined {
    return this.#short.get(name, user)
  }

  /** The response with this name. Equal requests share one `produce`; if it fails, all of them fail. */
  async get(
    name: string,
    user: User,
    produce: () => Promise<ShortResponse | StartedResponse>,
  ): Promise<ShortResponse | AttachedResponse> {
    for (;;) {
      const short = this.#short.get(name, user)
      if (short) return short
      const running = this.#running.get(name)
      const available = running ? await running : this.#long.get(name)
      if (!available) return this.#produce(name, produce)
      if ('bytes' in available) return available
      const response = 'reader' in available ? available.response : available
      const reader = await this.#attach(name, response)
      if (reader) return { response, reader }
      // It was aborted, or its file is damaged or could not be extended.
      if (this.#running.get(name) === running) this.#running.delete(name)
    }
  }

  /**
   * Starts to read a long response. With a name, other clients can attach, and it is kept if `produce` returns this name.
   * Throws a Problem to the clients if there is no disk space for slow ones.
   */
  start(
    name: string | undefined,
    produce: (response: StoredResponse) => Promise<string | undefined>,
  ): StartedResponse {
    const { budget } = this.#storage
    const isShared = name !== undefined && this.#sharesLong
    const neededBytes = isShared ? 0 : Math.min(MIN_FREE_BYTES, budget.maxBytes)
    let reservedBytes = 0
    let producedName: string | undefined
    const response = new StoredResponse({
      storage: this.#storage,
      isShared,
      onEnd: (isComplete) => {
        if (isShared && isComplete && producedName === name && this.#long.set(name, response)) response.keep()
        budget.release(reservedBytes)
      },
    })
    const reader = response.attach()
    if (!reader) throw new Error('A new response has no reader')
    const ended = response.fill(async () => {
      if (neededBytes > 0 && !(await budget.reserveInTurn(neededBytes))) throw bufferFullProblem()
      reservedBytes = neededBytes
      producedName = await produce(response)
    })
    return { response, reader, ended }
  }

  /** Closes the files of cached responses. */
  close(): void {
    this.#long.clear()
  }

  async #produce(
    name: string,
    produce: () => Promise<ShortResponse | StartedResponse>,
  ): Promise<ShortResponse | StartedResponse> {
    const running = produce()
    this.#running.set(name, running)
    const forget = () => {
      if (this.#running.get(name) === running) this.#running.delete(name)
    }
    try {
      const produced = await running
      if ('ended' in produced) {
        void produced.ended.then(forget)
        return produced
      }
      forget()
      // After a change, another version was read than the one that was looked up.
      if (produced.name === name) this.#short.set(name, produced)
      return produced
    } catch (error) {
      forget()
      throw error
    }
  }

  /** Undefined if the response cannot be read from the beginning, or if its file was changed. */
  async #attach(name: string, response: StoredResponse): Promise<ResponseReader | undefined> {
    const reader = response.attach()
    if (!reader || (await response.isIntact())) return reader
    await reader.close()
    if (this.#long.delete(name)) this.#log.warn({ name }, 'a cached response is damaged and is not used')
    return undefined
  }
}

function bufferFullProblem(): Problem {
  const detail = 'The service has too little disk space for another large response. Try again later.'
  return new Problem('unavailable', detail, { 'retry-after': '10' })
}
