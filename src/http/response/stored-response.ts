// A long response between the database and its clients, so that slow clients hold no database snapshot.
// - A shared response is written to a temporary file at full speed. Any number of clients read it, each at its own pace,
//   also while it is being written. The store can keep the file for later requests.
// - For a single client, chunks are passed on in memory. After about one second of waiting, the rest goes to a file.
import type { FileHandle } from 'node:fs/promises'
import type { DiskBudget } from '../../disk-budget.ts'
import { Semaphore } from '../../semaphore.ts'
import { type Chunks, releaseChunk } from '../../serialize/encoding.ts'
import { openTemporaryFile, readFully, writeFully } from '../../temporary-file.ts'

/** How long, in total, the source waits for the client before the response is written to a file. */
const MAX_WAIT_MS = 1000
/**
 * The source waits for the slowest client while more than this is queued in memory. This is less than one chunk from the
 * database: each chunk is sent before the next one is read, while it is in the CPU cache.
 */
const MAX_QUEUED_BYTES = 64 * 1024
/** Small, so that thousands of clients need little memory. */
const PIECE_BYTES = 128 * 1024

/** Where temporary files are written, and their limit. */
export interface TemporaryStorage {
  folder: string
  budget: DiskBudget
}

/** What is known about a response before its first byte. */
export interface ResponseHead {
  /** 304 if the client has this version already; such a response has no bytes. */
  status: 200 | 304
  headers: Record<string, string>
}

export interface StoredResponseOptions {
  storage: TemporaryStorage
  /** Whether every chunk is written to the file, so that further clients can attach. */
  isShared: boolean
  /** Called when the source has ended, before an unused file is closed. */
  onEnd: (isComplete: boolean) => void
}

/**
 * One piece per turn of the event loop: Node accepts one connection per turn, so while thousands of clients read, long
 * turns would keep new clients waiting.
 */
const fileReads = new Semaphore(1)

export class StoredResponse {
  readonly #options: StoredResponseOptions
  readonly #head = Promise.withResolvers<ResponseHead>()
  readonly #readers = new Set<ResponseReader>()
  #hasReader = false
  /** Chunks that not every client has read. They come after everything in the file. */
  #queue: Uint8Array[] = []
  #queueStart = 0
  #queueEnd = 0
  #file: FileHandle | undefined
  /** The part of the response that is in the file. */
  #fileStart = 0
  #fileEnd = 0
  #reservedBytes = 0
  /** Of the complete file. Changes whenever something is written to it. */
  #fileIdentity: string | undefined
  #waitedMs = 0
  /** Whether new chunks go to the file. After one failed write the file is not extended. */
  #fileState: 'unused' | 'writing' | 'complete' | 'failed'
  #state: 'open' | 'complete' | 'closed' | { failure: unknown } = 'open'
  /** Whether the source, or the store, still uses the file. */
  #isFilling = true
  #isKept = false
  /** Set while the source or a client waits for a change. */
  #stateChange: PromiseWithResolvers<void> | undefined
  /** Ends the wait for a stalled client. One timer for all waits, because a fast client causes one per chunk. */
  #waitTimer: NodeJS.Timeout | undefined

  constructor(options: StoredResponseOptions) {
    this.#options = options
    // Without an attached client, the failure has no other effect.
    this.#head.promise.catch(() => undefined)
    this.#fileState = options.isShared ? 'writing' : 'unused'
  }

  /** Resolves when the source has started. Rejects if it fails before. */
  get head(): Promise<ResponseHead> {
    return this.#head.promise
  }

  /** The number of bytes so far. */
  get length(): number {
    return this.#queueEnd
  }

  start(head: ResponseHead): void {
    this.#head.resolve(head)
  }

  /** Adds a client that reads from the beginning. Undefined if the beginning is not available. The reader must be closed. */
  attach(): ResponseReader | undefined {
    const isReadable = this.#state === 'open' || this.#state === 'complete'
    const canAttach = this.#options.isShared ? this.#fileState !== 'failed' : !this.#hasReader
    if (!isReadable || !canAttach) return undefined
    this.#hasReader = true
    const reader = new ResponseReader(this)
    this.#readers.add(reader)
    return reader
  }

  /** Whether nothing was written to the file since it is complete. */
  async isIntact(): Promise<boolean> {
    return this.#fileState !== 'complete' || (await identityOf(this.#file)) === this.#fileIdentity
  }

  /** Runs the source. Its errors are thrown to the clients. Does not reject. */
  async fill(produce: () => Promise<void>): Promise<void> {
    try {
      await produce()
      if (this.#state === 'open') this.#notify('complete')
    } catch (failure) {
      this.#head.reject(failure)
      if (this.#state === 'open') this.#notify({ failure })
    } finally {
      this.#options.onEnd(this.#state === 'complete' && this.#fileState === 'complete')
      this.#isFilling = false
      clearTimeout(this.#waitTimer)
      await this.#closeIfUnused()
    }
  }

  /** Writes all chunks, until no client is left. */
  async write(chunks: Chunks): Promise<void> {
    for await (const chunk of chunks) {
      await this.#writeChunk(chunk)
      if (this.#state !== 'open') return
    }
    if (this.#fileState !== 'writing') return
    this.#fileIdentity = await identityOf(this.#file)
    this.#fileState = 'complete'
  }

  /** The file stays open without clients until it is released. */
  keep(): void {
    this.#isKept = true
  }

  release(): void {
    this.#isKept = false
    void this.#closeIfUnused().catch(() => undefined)
  }

  /** The next bytes at `position`. Undefined at the end. The caller owns the bytes. */
  async read(position: number): Promise<Uint8Array | undefined> {
    for (;;) {
      if (typeof this.#state === 'object') throw this.#state.failure
      const isInFile = position < this.#fileEnd
      // A change while the file is read counts, too.
      const changeWhileReading = isInFile ? this.#waitForChange() : undefined
      const bytes = isInFile ? await this.#readFile(position) : this.#queuedChunk(position)
      if (bytes) return bytes
      if (this.#state === 'complete') return undefined
      await (changeWhileReading ?? this.#waitForChange())
    }
  }

  /** Called by a client that has read further. */
  advance(): void {
    if (this.#queue.length > 0) this.#trimQueue()
  }

  async detach(reader: ResponseReader): Promise<void> {
    if (!this.#readers.delete(reader)) return
    if (this.#readers.size === 0 && this.#isFilling) this.#notify('closed')
    else this.advance()
    await this.#closeIfUnused()
  }

  /** Undefined if the next bytes must wait for the end of the response. */
  async #readFile(position: number): Promise<Uint8Array | undefined> {
    // The last byte is sent after the file is complete and verified, so that a changed file does not look complete.
    const isComplete = this.#fileState === 'complete'
    const end = this.#fileState === 'writing' ? this.#fileEnd - 1 : this.#fileEnd
    const length = Math.min(PIECE_BYTES, end - position)
    if (length <= 0) return undefined
    await fileReads.acquire()
    try {
      const bytes = Buffer.allocUnsafeSlow(length)
      await readFully(this.#file, bytes, position - this.#fileStart)
      if (isComplete && position + length === end && !(await this.isIntact()))
        throw new Error('The file of the response changed while it was sent')
      return bytes
    } finally {
      setImmediate(() => fileReads.release())
    }
  }

  /** Resolves when the chunk is in the file, or when the queue is short enough for the next chunk. */
  async #writeChunk(chunk: Uint8Array): Promise<void> {
    if (this.#fileState === 'writing' && (await this.#appendToFile(chunk))) return
    this.#enqueue(chunk)
    while (this.#queueEnd - this.#queueStart > MAX_QUEUED_BYTES && this.#state === 'open') {
      await this.#waitForClients()
      if (this.#fileState === 'unused' && this.#waitedMs >= MAX_WAIT_MS) await this.#moveQueueToFile()
    }
  }

  async #waitForClients(): Promise<void> {
    const start = performance.now()
    if (this.#fileState === 'unused') this.#waitTimer ??= this.#startWaitTimer()
    await this.#waitForChange()
    this.#waitedMs += performance.now() - start
  }

  #startWaitTimer(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#waitTimer = undefined
      this.#notify()
    }, MAX_WAIT_MS - this.#waitedMs)
  }

  #waitForChange(): Promise<void> {
    this.#stateChange ??= Promise.withResolvers()
    return this.#stateChange.promise
  }

  #enqueue(chunk: Uint8Array): void {
    this.#queue.push(chunk)
    this.#queueEnd += chunk.length
    this.#notify()
  }

  #queuedChunk(position: number): Uint8Array | undefined {
    let start = this.#queueStart
    for (const chunk of this.#queue) {
      // The sender releases the memory of a chunk. Other clients may still need it.
      if (start === position) return this.#readers.size > 1 ? chunk.slice() : chunk
      start += chunk.length
    }
    return undefined
  }

  /** Removes the chunks that every client has read. */
  #trimQueue(): void {
    let slowest = this.#queueEnd
    for (const { position } of this.#readers) slowest = Math.min(slowest, position)
    for (
      let chunk = this.#queue[0];
      chunk && this.#queueStart + chunk.length <= slowest;
      [chunk] = this.#queue
    ) {
      this.#queueStart += chunk.length
      this.#queue.shift()
    }
    this.#notify()
  }

  /** Empties the queue first, so that no chunk from it is sent before the chunks that are written to the file. */
  async #moveQueueToFile(): Promise<void> {
    const queue = this.#queue
    this.#queue = []
    this.#fileStart = this.#fileEnd = this.#queueEnd = this.#queueStart
    this.#fileState = 'writing'
    for (const [index, chunk] of queue.entries()) {
      if (await this.#appendToFile(chunk)) continue
      for (const remainingChunk of queue.slice(index)) this.#enqueue(remainingChunk)
      return
    }
  }

  /** Returns false if the file cannot be written; the source must then wait for the clients. */
  async #appendToFile(chunk: Uint8Array): Promise<boolean> {
    const { folder, budget } = this.#options.storage
    const { length } = chunk
    try {
      if (!budget.reserve(length)) throw new Error('The limit on temporary files is reached')
      this.#reservedBytes += length
      this.#file ??= await openTemporaryFile(folder)
      await writeFully(this.#file, chunk, this.#fileEnd - this.#fileStart)
    } catch {
      this.#fileState = 'failed'
      return false
    }
    this.#fileEnd = this.#queueStart = this.#queueEnd = this.#fileEnd + length
    this.#notify()
    releaseChunk(chunk)
    return true
  }

  /** The last user closes the file, because others may still use it. */
  async #closeIfUnused(): Promise<void> {
    if (this.#isFilling || this.#isKept || this.#readers.size > 0) return
    const file = this.#file
    this.#state = 'closed'
    this.#file = undefined
    this.#options.storage.budget.release(this.#reservedBytes)
    this.#reservedBytes = 0
    await file?.close()
  }

  #notify(state = this.#state): void {
    if (this.#state !== 'closed') this.#state = state
    this.#stateChange?.resolve()
    this.#stateChange = undefined
  }
}

/** One client of a response. Can be iterated once; the end of the iteration closes it. */
export class ResponseReader implements AsyncIterable<Uint8Array> {
  readonly #response: StoredResponse
  #position = 0

  constructor(response: StoredResponse) {
    this.#response = response
  }

  /** How much of the response was passed to this client. */
  get position(): number {
    return this.#position
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const bytes = await this.#response.read(this.#position)
        this.#position += bytes?.length ?? 0
        this.#response.advance()
        if (!bytes) return
        yield bytes
      }
    } finally {
      await this.close()
    }
  }

  close(): Promise<void> {
    return this.#response.detach(this)
  }
}

async function identityOf(file: FileHandle | undefined): Promise<string | undefined> {
  const stats = await file?.stat({ bigint: true })
  return stats && `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`
}
