// Finds responses that are cached in files or being sent, so that equal requests share one file and one database read.
import { Problem } from '../../errors.ts'
import type { FileCache } from './file-cache.ts'
import { ResponseBuffer, type ResponseReader } from './response-buffer.ts'
import { TemporaryResponseFile, type TemporaryStorage } from './response-file.ts'

/** A large response needs at least this much disk space, in case its client is slow. */
const MIN_FREE_BYTES = 256 * 1024

/** One client of a response. The reader must be iterated or closed. */
export interface AttachedResponse {
  buffer: ResponseBuffer
  reader: ResponseReader
}

export interface StartedResponse {
  /** Equal responses have the same name. Without a name, the response is not shared. */
  name?: string | undefined
  isCompressed: boolean
  /** The length in bytes, if known. */
  length?: number | undefined
  /** Reads the response and writes it to the buffer. */
  produce(buffer: ResponseBuffer): Promise<void>
}

export class SharedResponses {
  readonly #storage: TemporaryStorage
  readonly #cache: FileCache
  /** Responses that are being sent from a file, by name. */
  readonly #sharedBuffers = new Map<string, Promise<ResponseBuffer | undefined>>()
  /** Requests that read a response, by name, until the response can be found. */
  readonly #runningReads = new Map<string, Promise<void>>()
  /** How many clients get a response directly from the database, by name. */
  readonly #directCounts = new Map<string, number>()

  constructor(storage: TemporaryStorage, cache: FileCache) {
    this.#storage = storage
    this.#cache = cache
  }

  /** Attaches to a response that is being sent, or opens a cached one. */
  async find(name: string): Promise<AttachedResponse | undefined> {
    const sharedBuffer = this.#sharedBuffers.get(name)
    const attached = sharedBuffer && (await attachIfIntact(sharedBuffer))
    if (attached) return attached
    // Another request may have replaced the response meanwhile.
    if (this.#sharedBuffers.get(name) === sharedBuffer) this.#open(name)
    const buffer = await this.#sharedBuffers.get(name)
    const reader = buffer?.attach()
    return buffer && reader && { buffer, reader }
  }

  /** Calls `read`, unless `find` succeeds after equal requests have read the response. One request reads at a time. */
  async findOrRun<Result>(
    name: string,
    find: () => Promise<Result | undefined>,
    read: () => Promise<Result>,
  ): Promise<Result> {
    for (let running = this.#runningReads.get(name); running; running = this.#runningReads.get(name)) {
      // If that request fails, so would this one.
      await running
      const result = await find()
      if (result) return result
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => undefined)
    this.#runningReads.set(name, promise)
    try {
      return await read()
    } catch (error) {
      reject(error)
      throw error
    } finally {
      this.#runningReads.delete(name)
      resolve()
    }
  }

  /**
   * Starts to read a response from the database. It is written to a file if it will be cached or if an equal response
   * is being sent; otherwise only if its client is slow. Throws a Problem if there is no disk space for slow clients.
   */
  async start({ name, isCompressed, length, produce }: StartedResponse): Promise<AttachedResponse> {
    while (name !== undefined && this.#sharedBuffers.has(name)) {
      const attached = await this.find(name)
      if (attached) return attached
    }
    const isCached = name !== undefined && this.#cache.shouldStore(name, isCompressed, length)
    const { budget } = this.#storage
    const neededBytes = isCached ? 0 : Math.min(MIN_FREE_BYTES, budget.maxBytes)
    let reservedBytes = 0
    const isShared = isCached || (name !== undefined && this.#directCounts.has(name))
    if (name !== undefined && !isShared) this.#countDirect(name, 1)
    const onClose = () => {
      budget.release(reservedBytes)
      if (name !== undefined && !isShared) this.#countDirect(name, -1)
      else if (name !== undefined && this.#sharedBuffers.get(name) === entry) this.#sharedBuffers.delete(name)
    }
    const buffer = new ResponseBuffer({
      isShared,
      createFile: () => (isCached ? this.#cache.create(name) : new TemporaryResponseFile(this.#storage)),
      onClose,
    })
    const entry = Promise.resolve(buffer)
    if (name !== undefined && isShared) this.#sharedBuffers.set(name, entry)
    const reader = buffer.attach()
    if (!reader) throw new Error('A new response has no reader')
    void buffer.fill(async () => {
      if (neededBytes > 0 && !(await budget.reserveInTurn(neededBytes))) throw bufferFullProblem()
      reservedBytes = neededBytes
      await produce(buffer)
    })
    return { buffer, reader }
  }

  #open(name: string): void {
    const entry = this.#cache.find(name).then((cached) => {
      if (!cached) {
        remove()
        return undefined
      }
      return ResponseBuffer.fromFile(cached.file, cached.length, remove)
    })
    const remove = () => {
      if (this.#sharedBuffers.get(name) === entry) this.#sharedBuffers.delete(name)
    }
    this.#sharedBuffers.set(name, entry)
  }

  #countDirect(name: string, change: 1 | -1): void {
    const count = (this.#directCounts.get(name) ?? 0) + change
    if (count > 0) this.#directCounts.set(name, count)
    else this.#directCounts.delete(name)
  }
}

/** Undefined if the response cannot be read from the beginning, or if its file was changed. */
async function attachIfIntact(
  sharedBuffer: Promise<ResponseBuffer | undefined>,
): Promise<AttachedResponse | undefined> {
  const buffer = await sharedBuffer
  const reader = buffer?.attach()
  if (!buffer || !reader) return undefined
  if (await buffer.isIntact()) return { buffer, reader }
  await reader.close()
  return undefined
}

function bufferFullProblem(): Problem {
  const detail = 'The service has too little disk space for another large response. Try again later.'
  return new Problem('unavailable', detail, { 'retry-after': '10' })
}
