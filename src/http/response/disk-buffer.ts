// Buffers a response between the database and a slow client. After about one second of waiting, the rest is written to a
// temporary file, so that a slow client does not hold a database snapshot or connection.
import type { FileHandle } from 'node:fs/promises'
import { releaseChunk } from '../../serialize/release-chunk.ts'
import { openTemporaryFile, readFully, writeFully } from '../../temporary-file.ts'

/** How long, in total, the source waits for the client before the response is written to a file. */
const MAX_WAIT_MS = 1000
/** The source waits for the client while more than this is queued in memory. */
const MAX_QUEUED_BYTES = 256 * 1024
const READ_BYTES = 256 * 1024

/** Shared by all disk buffers of a service: the folder of their files and the limit on their total size. */
export class DiskBuffers {
  readonly folder: string
  #freeBytes: number

  constructor(folder: string, maxBytes: number) {
    this.folder = folder
    this.#freeBytes = maxBytes
  }

  /** Returns false if the bytes would exceed the limit. */
  reserve(bytes: number): boolean {
    if (bytes > this.#freeBytes) return false
    this.#freeBytes -= bytes
    return true
  }

  release(bytes: number): void {
    this.#freeBytes += bytes
  }
}

export class DiskBuffer implements AsyncIterable<Uint8Array> {
  readonly #buffers: DiskBuffers
  /** Chunks that the client has not read yet. They come after everything in the file. */
  #queue: Uint8Array[] = []
  #queuedBytes = 0
  #file: FileHandle | undefined
  #reservedBytes = 0
  #writtenBytes = 0
  #readBytes = 0
  #waitedMs = 0
  /** Whether new chunks go to the file. After one failed write the file is not used again. */
  #fileState: 'unused' | 'writing' | 'failed' = 'unused'
  #state: 'open' | 'complete' | 'closed' | { failure: unknown } = 'open'
  #users = 2
  #stateChange = Promise.withResolvers<void>()

  constructor(buffers: DiskBuffers) {
    this.#buffers = buffers
  }

  /** Resolves when the source is not needed anymore. Errors of the source are thrown to the reader of the buffer. */
  async fill(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of source) {
        await this.#write(chunk)
        if (this.#state === 'closed') return
      }
      this.#notify('complete')
    } catch (failure) {
      this.#notify({ failure })
    } finally {
      await this.#detach()
    }
  }

  /** Can be iterated once. Stopping early closes the buffer. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const stateChange = this.#stateChange.promise
        if (typeof this.#state === 'object') throw this.#state.failure
        if (this.#readBytes < this.#writtenBytes) yield await this.#readFile()
        else if (this.#queue[0]) yield this.#dequeue(this.#queue[0])
        else if (this.#state === 'complete') return
        else await stateChange
      }
    } finally {
      this.#notify('closed')
      await this.#detach()
    }
  }

  /** Resolves when the chunk is in the file, or when the queue is short enough for the next chunk. */
  async #write(chunk: Uint8Array): Promise<void> {
    if (this.#fileState === 'writing' && (await this.#appendToFile(chunk))) return
    this.#enqueue(chunk)
    while (this.#queuedBytes > MAX_QUEUED_BYTES && this.#state === 'open') {
      await this.#waitForClient()
      if (this.#fileState === 'unused' && this.#waitedMs >= MAX_WAIT_MS) await this.#moveQueueToFile()
    }
  }

  async #waitForClient(): Promise<void> {
    const start = performance.now()
    const remainingMs = this.#fileState === 'unused' ? Math.max(0, MAX_WAIT_MS - this.#waitedMs) : undefined
    const timer = remainingMs === undefined ? undefined : setTimeout(() => this.#notify(), remainingMs)
    await this.#stateChange.promise
    clearTimeout(timer)
    this.#waitedMs += performance.now() - start
  }

  #enqueue(chunk: Uint8Array): void {
    this.#queue.push(chunk)
    this.#queuedBytes += chunk.length
    this.#notify()
  }

  #dequeue(chunk: Uint8Array): Uint8Array {
    this.#queue.shift()
    this.#queuedBytes -= chunk.length
    this.#notify()
    return chunk
  }

  /** Empties the queue first, so that no chunk from it is sent before the chunks that are written to the file. */
  async #moveQueueToFile(): Promise<void> {
    const queue = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    this.#fileState = 'writing'
    for (const [index, chunk] of queue.entries()) {
      if (await this.#appendToFile(chunk)) continue
      for (const remainingChunk of queue.slice(index)) this.#enqueue(remainingChunk)
      return
    }
  }

  /** Returns false if the file cannot be written; the source must then wait for the client. */
  async #appendToFile(chunk: Uint8Array): Promise<boolean> {
    try {
      if (!this.#buffers.reserve(chunk.length)) throw new Error('The disk buffers are full')
      this.#reservedBytes += chunk.length
      this.#file ??= await openTemporaryFile(this.#buffers.folder)
      await writeFully(this.#file, chunk, this.#writtenBytes)
    } catch {
      this.#fileState = 'failed'
      return false
    }
    this.#writtenBytes += chunk.length
    this.#notify()
    releaseChunk(chunk)
    return true
  }

  async #readFile(): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, this.#writtenBytes - this.#readBytes))
    await readFully(this.#file, bytes, this.#readBytes)
    this.#readBytes += bytes.length
    return bytes
  }

  /** The last of the two users (source and reader) closes the file, because the other may still use it. */
  async #detach(): Promise<void> {
    this.#users -= 1
    if (this.#users > 0) return
    this.#buffers.release(this.#reservedBytes)
    await this.#file?.close()
  }

  #notify(state = this.#state): void {
    if (this.#state !== 'closed') this.#state = state
    this.#stateChange.resolve()
    this.#stateChange = Promise.withResolvers()
  }
}
