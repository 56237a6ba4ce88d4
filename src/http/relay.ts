// Bytes from the store to a client that may be slower than the store. A client that keeps the store waiting for
// too long gets the rest out of a file, so that it holds no snapshot and no connection while it takes its time.
import type { FileHandle } from 'node:fs/promises'
import { release } from '../rendition/chunk.ts'
import { openUnnamed, readWhole, writeWhole } from '../unnamed-file.ts'

/** How long, in all, a client may keep the store waiting. */
const PATIENCE_MS = 1000
/** So much may be ahead of the client before it counts as waiting. */
const AHEAD_BYTES = 256 * 1024
const READ_BYTES = 256 * 1024

/** What the relays of a service share: where their files are, and how much may be in them. */
export class Relays {
  readonly folder: string
  #room: number

  constructor(folder: string, room: number) {
    this.folder = folder
    this.#room = room
  }

  /** False where there is no room for so many bytes more. */
  claim(bytes: number): boolean {
    if (bytes > this.#room) return false
    this.#room -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#room += bytes
  }
}

export class Relay implements AsyncIterable<Uint8Array> {
  readonly #relays: Relays
  /** Handed over and not taken yet: behind everything that is in the file. */
  #ahead: Uint8Array[] = []
  #aheadBytes = 0
  #file: FileHandle | undefined
  #claimed = 0
  #written = 0
  #read = 0
  #waitedMs = 0
  /** Whether what comes goes to the file. Where that fails once it is not tried again. */
  #spools: 'not yet' | 'yes' | 'cannot' = 'not yet'
  #state: 'open' | 'complete' | 'closed' | { failure: unknown } = 'open'
  #sides = 2
  #changed = Promise.withResolvers<void>()

  constructor(relays: Relays) {
    this.#relays = relays
  }

  /** Resolves when nothing of the source is needed any more. Its failures are told to who takes the bytes. */
  async fill(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of source) {
        await this.#put(chunk)
        if (this.#state === 'closed') return
      }
      this.#change('complete')
    } catch (failure) {
      this.#change({ failure })
    } finally {
      await this.#leave()
    }
  }

  /** To be gone through once. Whoever stops early closes it. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const changed = this.#changed.promise
        if (typeof this.#state === 'object') throw this.#state.failure
        if (this.#read < this.#written) yield await this.#readFile()
        else if (this.#ahead[0]) yield this.#take(this.#ahead[0])
        else if (this.#state === 'complete') return
        else await changed
      }
    } finally {
      this.#change('closed')
      await this.#leave()
    }
  }

  /** Once the client is not too far behind, or all of it is in the file. */
  async #put(chunk: Uint8Array): Promise<void> {
    if (this.#spools === 'yes' && (await this.#spool(chunk))) return
    this.#handOver(chunk)
    while (this.#aheadBytes > AHEAD_BYTES && this.#state === 'open') {
      await this.#waitForClient()
      if (this.#spools === 'not yet' && this.#waitedMs >= PATIENCE_MS) await this.#spoolAhead()
    }
  }

  async #waitForClient(): Promise<void> {
    const start = performance.now()
    const left = this.#spools === 'not yet' ? Math.max(0, PATIENCE_MS - this.#waitedMs) : undefined
    const timer = left === undefined ? undefined : setTimeout(() => this.#change(), left)
    await this.#changed.promise
    clearTimeout(timer)
    this.#waitedMs += performance.now() - start
  }

  #handOver(chunk: Uint8Array): void {
    this.#ahead.push(chunk)
    this.#aheadBytes += chunk.length
    this.#change()
  }

  #take(chunk: Uint8Array): Uint8Array {
    this.#ahead.shift()
    this.#aheadBytes -= chunk.length
    this.#change()
    return chunk
  }

  /** Nothing is there to be taken meanwhile: it would come before what is on its way to the file. */
  async #spoolAhead(): Promise<void> {
    const ahead = this.#ahead
    this.#ahead = []
    this.#aheadBytes = 0
    this.#spools = 'yes'
    for (const [at, chunk] of ahead.entries()) {
      if (await this.#spool(chunk)) continue
      for (const left of ahead.slice(at)) this.#handOver(left)
      return
    }
  }

  /** False where there is no room: then the client has to be waited for after all. */
  async #spool(chunk: Uint8Array): Promise<boolean> {
    try {
      if (!this.#relays.claim(chunk.length)) throw new Error('No room')
      this.#claimed += chunk.length
      this.#file ??= await openUnnamed(this.#relays.folder)
      await writeWhole(this.#file, chunk, this.#written)
    } catch {
      this.#spools = 'cannot'
      return false
    }
    this.#written += chunk.length
    this.#change()
    release(chunk)
    return true
  }

  async #readFile(): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, this.#written - this.#read))
    await readWhole(this.#file, bytes, this.#read)
    this.#read += bytes.length
    return bytes
  }

  /** The last of both sides to leave clears up: the other may be in the middle of something. */
  async #leave(): Promise<void> {
    this.#sides -= 1
    if (this.#sides > 0) return
    this.#relays.giveBack(this.#claimed)
    await this.#file?.close()
  }

  #change(state = this.#state): void {
    if (this.#state !== 'closed') this.#state = state
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}
