// Buffers a response between the database and its clients, so that slow clients hold no database snapshot.
// - For a single client, chunks are passed on in memory. After about one second of waiting, the rest goes to a file.
// - A shared response is written to a file at full speed. Any number of clients read it, each at its own pace, also
//   while it is being written.
import { releaseChunk } from '../../serialize/release-chunk.ts'
import { Turns } from '../../turns.ts'
import type { ResponseFile } from './response-file.ts'

/** How long, in total, the source waits for the client before the response is written to a file. */
const MAX_WAIT_MS = 1000
/**
 * The source waits for the slowest client while more than this is queued in memory. This is less than one chunk from the
 * database: each chunk is sent before the next one is read, while it is in the CPU cache.
 */
const MAX_QUEUED_BYTES = 64 * 1024

/** What is known about a response before its first byte. */
export interface ResponseHead {
  /** 304 if the client has this version already; such a response has no bytes. */
  status: 200 | 304
  headers: Record<string, string>
}

export interface BufferOptions {
  createFile: () => ResponseFile
  /** Whether every chunk is written to the file, so that further clients can attach. */
  isShared: boolean
  /** Called once, when neither the source nor a client uses the buffer. */
  onClose?: () => void
}

/** A slow client gets pieces of this size, so that thousands of them need little memory. */
const SMALL_PIECE_BYTES = 64 * 1024
/** A fast client gets larger pieces, and the next one is read while one is sent. */
const LARGE_PIECE_BYTES = 256 * 1024
/** A client is fast when it has read this much, more than socket buffers can store, without a pause. */
const FAST_BYTES = 8 * 1024 * 1024
const MAX_PAUSE_MS = 50
/** Limits the memory for large pieces: clients can stop reading at any time. */
const MAX_FAST_READERS = 32
let fastReaders = 0
/**
 * One small piece per turn of the event loop: Node accepts one connection per turn, so while thousands of clients read,
 * long turns would keep new clients waiting.
 */
const smallReads = new Turns(1)

export class ResponseBuffer {
  readonly #options: BufferOptions
  readonly #head = Promise.withResolvers<ResponseHead>()
  readonly #readers = new Set<ResponseReader>()
  /** Chunks that not every client has read. They come after everything in the file. */
  #queue: Uint8Array[] = []
  #queueStart = 0
  #queueEnd = 0
  #file: ResponseFile | undefined
  /** The part of the response that is in the file. */
  #fileStart = 0
  #fileEnd = 0
  #waitedMs = 0
  /** Whether new chunks go to the file. After one failed write the file is not extended. */
  #fileState: 'unused' | 'writing' | 'complete' | 'failed' = 'unused'
  #state: 'open' | 'complete' | 'closed' | { failure: unknown } = 'open'
  #isFilling = true
  #isReleased = false
  /** Set while the source or a client waits for a change. */
  #stateChange: PromiseWithResolvers<void> | undefined
  /** Ends the wait for a stalled client. One timer for all waits, because a fast client causes one per chunk. */
  #waitTimer: NodeJS.Timeout | undefined

  constructor(options: BufferOptions) {
    this.#options = options
    // Without an attached client, the failure has no other effect.
    this.#head.promise.catch(() => undefined)
    if (options.isShared) this.#fileState = 'writing'
  }

  /** A response that is already in a complete file. */
  static fromFile(file: ResponseFile, length: number, onClose: () => void): ResponseBuffer {
    const buffer = new ResponseBuffer({ createFile: () => file, isShared: true, onClose })
    buffer.#file = file
    buffer.#fileEnd = buffer.#queueStart = buffer.#queueEnd = length
    buffer.#fileState = 'complete'
    buffer.#isFilling = false
    buffer.start({ status: 200, headers: { 'content-length': String(length) } })
    buffer.#notify('complete')
    return buffer
  }

  /** Resolves when the source has started. Rejects if it fails before. */
  get head(): Promise<ResponseHead> {
    return this.#head.promise
  }

  start(head: ResponseHead): void {
    this.#head.resolve(head)
  }

  /** Adds a client that reads from the beginning. Undefined if the beginning is not available. The client must be closed. */
  attach(): ResponseReader | undefined {
    const isReadable = this.#state === 'open' || this.#state === 'complete'
    const hasBeginning = this.#queueEnd === 0 || (this.#fileStart === 0 && this.#fileEnd === this.#queueStart)
    if (!isReadable || (!this.#options.isShared && this.#readers.size > 0) || !hasBeginning) return undefined
    if (this.#fileState === 'failed') return undefined
    const reader = new ResponseReader(this)
    this.#readers.add(reader)
    return reader
  }

  /** Whether further clients can use the file: it is being written, or no other process has changed it. */
  async isIntact(): Promise<boolean> {
    return this.#fileState !== 'complete' || ((await this.#file?.isIntact()) ?? false)
  }

  /** Fills the buffer with what `produce` writes. Errors are thrown to the clients. Does not reject. */
  async fill(produce: () => Promise<void>): Promise<void> {
    try {
      await produce()
      this.#complete()
    } catch (failure) {
      this.#head.reject(failure)
      if (this.#state === 'open') this.#notify({ failure })
    } finally {
      this.#isFilling = false
      clearTimeout(this.#waitTimer)
      await this.#closeIfUnused()
    }
  }

  /** Writes all chunks, until no client is left. Only a file that `isCacheable` is finished, and used by later requests. */
  async write(chunks: AsyncIterable<Uint8Array>, isCacheable: boolean): Promise<void> {
    for await (const chunk of chunks) {
      await this.#writeChunk(chunk)
      if (this.#state !== 'open') return
    }
    if (this.#fileState === 'writing') {
      if (isCacheable) await this.#file?.finish()
      this.#fileState = 'complete'
    }
    this.#complete()
  }

  /** The next bytes at `position`, at most `maxBytes` from the file. Undefined at the end. The caller owns the bytes. */
  async read(position: number, maxBytes: number): Promise<Uint8Array | undefined> {
    for (;;) {
      if (typeof this.#state === 'object') throw this.#state.failure
      const isInFile = position < this.#fileEnd
      // A change while the file is read counts, too.
      const changeWhileReading = isInFile ? this.#waitForChange() : undefined
      const bytes = isInFile ? await this.readFile(position, maxBytes) : this.#queuedChunk(position)
      if (bytes) return bytes
      if (this.#state === 'complete') return undefined
      await (changeWhileReading ?? this.#waitForChange())
    }
  }

  /** Undefined if the next bytes are not in the file, or must wait for the end of the response. */
  async readFile(position: number, maxBytes: number): Promise<Uint8Array | undefined> {
    // The last byte is sent after the file is complete and verified, so that a changed file does not look complete.
    const isComplete = this.#fileState === 'complete'
    const end = this.#fileState === 'writing' ? this.#fileEnd - 1 : this.#fileEnd
    const length = Math.min(maxBytes, end - position)
    if (length <= 0) return undefined
    const isSmall = length <= SMALL_PIECE_BYTES
    if (isSmall) await smallReads.begin()
    try {
      const bytes = Buffer.allocUnsafeSlow(length)
      await this.#file?.read(bytes, position - this.#fileStart)
      if (isComplete && position + length === end) await this.#file?.verify()
      return bytes
    } finally {
      if (isSmall) setImmediate(() => smallReads.end())
    }
  }

  /** Called by a client that has read further. */
  advance(): void {
    if (this.#queue.length > 0) this.#trimQueue()
  }

  async detach(reader: ResponseReader): Promise<void> {
    if (!this.#readers.delete(reader)) return
    if (this.#readers.size === 0) this.#notify('closed')
    else this.advance()
    await this.#closeIfUnused()
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
    const { length } = chunk
    try {
      this.#file ??= this.#options.createFile()
      await this.#file.append(chunk)
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
    if (this.#isFilling || this.#readers.size > 0 || this.#isReleased) return
    this.#isReleased = true
    this.#options.onClose?.()
    await this.#file?.close()
  }

  #complete(): void {
    if (this.#state === 'open') this.#notify('complete')
  }

  #notify(state = this.#state): void {
    if (this.#state !== 'closed') this.#state = state
    this.#stateChange?.resolve()
    this.#stateChange = undefined
  }
}

/** One client of a response. Can be iterated once; the end of the iteration closes it. */
export class ResponseReader implements AsyncIterable<Uint8Array> {
  readonly #buffer: ResponseBuffer
  #position = 0
  #bytesWithoutPause = 0
  #isFast = false
  /** The next piece for a fast client. */
  #nextPiece: Promise<Uint8Array | undefined> | undefined

  constructor(buffer: ResponseBuffer) {
    this.#buffer = buffer
  }

  /** How much of the response was passed to this client. */
  get position(): number {
    return this.#position
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (let bytes = await this.#read(); bytes; bytes = await this.#read()) {
        const { length } = bytes
        const start = performance.now()
        yield bytes
        this.#measure(length, performance.now() - start)
      }
    } finally {
      await this.close()
    }
  }

  async close(): Promise<void> {
    this.#setFast(false)
    // The file must not be closed while it is read.
    await this.#nextPiece?.catch(() => undefined)
    await this.#buffer.detach(this)
  }

  async #read(): Promise<Uint8Array | undefined> {
    const pieceBytes = this.#isFast ? LARGE_PIECE_BYTES : SMALL_PIECE_BYTES
    const nextPiece = this.#nextPiece
    this.#nextPiece = undefined
    const bytes = (await nextPiece) ?? (await this.#buffer.read(this.#position, pieceBytes))
    this.#position += bytes?.length ?? 0
    this.#buffer.advance()
    if (bytes && this.#isFast) {
      this.#nextPiece = this.#buffer.readFile(this.#position, pieceBytes)
      // The client may disconnect before the piece is used.
      this.#nextPiece.catch(() => undefined)
    }
    return bytes
  }

  #measure(bytes: number, ms: number): void {
    this.#bytesWithoutPause = ms > MAX_PAUSE_MS ? 0 : this.#bytesWithoutPause + bytes
    this.#setFast(this.#bytesWithoutPause >= FAST_BYTES)
  }

  #setFast(isFast: boolean): void {
    if (isFast === this.#isFast || (isFast && fastReaders >= MAX_FAST_READERS)) return
    this.#isFast = isFast
    fastReaders += isFast ? 1 : -1
  }
}
