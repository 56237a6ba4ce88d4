// The disk space of one upload, and its turns on the main thread.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { BufferSpace, DiskBudget } from '../../disk-budget.ts'
import { Problem } from '../../errors.ts'
import type { Semaphore } from '../../semaphore.ts'

/** An upload of unknown size reserves disk space in steps. */
const STEP_BYTES = 8 * 1024 * 1024
/** After this time, other requests and uploads get a turn. */
const MAX_TURN_MS = 10

/** `finish` must be called when the upload is stored or rejected. */
export class Admission implements BufferSpace {
  readonly #request: FastifyRequest
  readonly #budget: DiskBudget
  readonly #turns: Semaphore
  /** Uploads that arrived earlier come first, so that some end soon. */
  readonly #order = performance.now()
  readonly #abort = new AbortController()
  #reservedBytes = 0
  #usedBytes = 0
  #turnStart: number | undefined
  #isFinished = false
  readonly #onDisconnect = () => this.#abort.abort()

  constructor(request: FastifyRequest, budget: DiskBudget, turns: Semaphore) {
    this.#request = request
    this.#budget = budget
    this.#turns = turns
    request.raw.socket.once('close', this.#onDisconnect)
  }

  /**
   * Whether the body is large. Waits for the disk space that a large one needs, before it is read. `expansion`: bytes of
   * temporary files per byte of the body. If its size is unknown, up to `smallBytes` of it is read. Throws a Problem if the
   * upload can never fit, or if there is no space within about 30 seconds.
   */
  async admit(
    chunks: AsyncGenerator<Buffer>,
    smallBytes: number,
    expansion: number,
  ): Promise<{ isLarge: boolean; chunks: AsyncIterable<Buffer> | Buffer[] }> {
    const { 'content-encoding': encoding = 'identity', 'content-length': length } = this.#request.headers
    if (encoding !== 'identity' || length === undefined) return peek(chunks, smallBytes)
    const size = Number(length)
    if (size <= smallBytes) return { isLarge: false, chunks }
    // The expected size is an estimate.
    if (size > this.#budget.maxBytes) throw this.#tooLargeProblem(size)
    const bytes = Math.min(Math.ceil(size * expansion), this.#budget.maxBytes)
    const { signal } = this.#abort
    if (!(await this.#budget.reserveInTurn(bytes, { signal }))) throw noSpaceProblem()
    this.#reservedBytes += bytes
    return { isLarge: true, chunks }
  }

  async reserve(bytes: number): Promise<void> {
    this.#usedBytes += bytes
    const missingBytes = this.#usedBytes - this.#reservedBytes
    if (missingBytes <= 0) return
    const stepBytes = Math.max(missingBytes, STEP_BYTES)
    if (this.#budget.reserve(stepBytes)) this.#reservedBytes += stepBytes
    else await this.#waitForSpace(missingBytes)
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes
    if (this.#isFinished) this.#releaseUnused()
  }

  /** Waits for a turn to validate the next bytes of the body. */
  async beginTurn(): Promise<void> {
    if (this.#turnStart === undefined) await this.#turns.acquire({ order: this.#order })
    this.#turnStart = performance.now()
  }

  endTurn(): void {
    if (this.#turnStart !== undefined) this.#turns.release()
    this.#turnStart = undefined
  }

  /** Lets other requests run, then uploads that arrived earlier, if the turn was long. */
  pause(): Promise<void> | undefined {
    if (this.#turnStart === undefined || performance.now() - this.#turnStart <= MAX_TURN_MS) return undefined
    return this.#yieldTurn()
  }

  async #yieldTurn(): Promise<void> {
    // Before the end of the turn: the next upload would otherwise run in the same turn of the event loop.
    await yieldToEventLoop()
    this.endTurn()
    await this.beginTurn()
  }

  /** Space that is not used is released at once, the rest with its file. */
  finish(): void {
    this.endTurn()
    this.#isFinished = true
    this.#request.raw.socket.off('close', this.#onDisconnect)
    this.#releaseUnused()
  }

  /** Ends the turn meanwhile: other uploads may have to end before there is space. */
  async #waitForSpace(bytes: number): Promise<void> {
    if (this.#reservedBytes + bytes > this.#budget.maxBytes) throw this.#tooLargeProblem(this.#usedBytes)
    const wasRunning = this.#turnStart !== undefined
    this.endTurn()
    const options = { signal: this.#abort.signal, isStarted: true }
    if (!(await this.#budget.reserveInTurn(bytes, options))) throw noSpaceProblem()
    this.#reservedBytes += bytes
    if (wasRunning) await this.beginTurn()
  }

  #releaseUnused(): void {
    const unusedBytes = this.#reservedBytes - Math.max(0, this.#usedBytes)
    if (unusedBytes <= 0) return
    this.#reservedBytes -= unusedBytes
    this.#budget.release(unusedBytes)
  }

  #tooLargeProblem(bytes: number): Problem {
    const detail = `The upload needs at least ${bytes} bytes of temporary files, but the setting max-buffer-bytes allows ${this.#budget.maxBytes}. Send a smaller one.`
    return new Problem('content-too-large', detail)
  }
}

/** Reads up to `smallBytes` of a body of unknown size. */
async function peek(chunks: AsyncGenerator<Buffer>, smallBytes: number) {
  const head: Buffer[] = []
  for (let bytes = 0; bytes <= smallBytes; bytes += head.at(-1)?.length ?? 0) {
    const { value, done } = await chunks.next()
    if (done) return { isLarge: false, chunks: head }
    head.push(value)
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* head.splice(0)
      yield* chunks
    } finally {
      await chunks.return(undefined)
    }
  }
  return { isLarge: true, chunks: all() }
}

function noSpaceProblem(): Problem {
  const detail = 'Other uploads use the disk space for temporary files. Nothing was stored; try again later.'
  return new Problem('unavailable', detail, { 'retry-after': '30' })
}
