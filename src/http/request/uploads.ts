// Admits uploads: disk space for their temporary files, and turns, so that uploads that arrive first finish first.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { BufferSpace, DiskBudget } from '../../disk-budget.ts'
import { Problem } from '../../errors.ts'
import type { ParseOptions } from '../../parse/parse-pieces.ts'
import { ParseThreads } from '../../parse/threads.ts'
import { Turns } from '../../turns.ts'

/** Uploads up to this size are parsed on the main thread, and are not delayed by larger ones. */
const SMALL_UPLOAD_BYTES = 1_000_000
/** An upload of unknown size reserves disk space in steps. */
const STEP_BYTES = 8 * 1024 * 1024
/** Enough that no parse thread waits for the next piece of an upload. */
const MAX_PIECES_ON_THREADS = 4

export class Uploads {
  readonly #budget: DiskBudget
  readonly #lanes = { small: new Turns(1), large: new Turns(1), threads: new Turns(MAX_PIECES_ON_THREADS) }
  readonly #parseThreads = new ParseThreads()

  constructor(budget: DiskBudget) {
    this.#budget = budget
  }

  /**
   * Waits for the disk space that the body needs, before it is read. `expansion`: bytes of temporary files per byte of
   * the body. Throws a Problem if the upload can never fit, or if there is no space within about 30 seconds.
   */
  async admit(request: FastifyRequest, expansion: number): Promise<Upload> {
    const { headers } = request
    const isCompressed = (headers['content-encoding'] ?? 'identity') !== 'identity'
    const bytes = isCompressed ? undefined : headers['content-length']
    const size = bytes === undefined ? undefined : Number(bytes)
    const upload = new Upload(request, this.#budget, this.#lanes, this.#parseThreads, size)
    try {
      if (size !== undefined && size > SMALL_UPLOAD_BYTES)
        await upload.reserveAhead(size, Math.ceil(size * expansion))
      return upload
    } catch (error) {
      upload.finish()
      throw error
    }
  }
}

interface UploadLanes {
  small: Turns
  large: Turns
  threads: Turns
}

/** The disk space and the turns of one upload. `finish` must be called when the body has been read. */
export class Upload implements BufferSpace {
  readonly #budget: DiskBudget
  readonly #lanes: UploadLanes
  readonly #parseThreads: ParseThreads
  readonly #order: number
  readonly #abort = new AbortController()
  readonly #request: FastifyRequest
  /** Undefined if it is unknown. */
  readonly #size: number | undefined
  #reservedBytes = 0
  #usedBytes = 0
  #parsedBytes = 0
  /** Set during a turn. */
  #lane: Turns | undefined
  #isFinished = false
  readonly #onDisconnect = () => this.#abort.abort()

  constructor(
    request: FastifyRequest,
    budget: DiskBudget,
    lanes: UploadLanes,
    parseThreads: ParseThreads,
    size: number | undefined,
  ) {
    this.#request = request
    this.#parseThreads = parseThreads
    this.#size = size
    this.#budget = budget
    this.#lanes = lanes
    this.#order = lanes.large.nextOrder()
    request.raw.socket.once('close', this.#onDisconnect)
  }

  /** Throws content-too-large only if the minimum exceeds the limit, because the expected size is an estimate. */
  async reserveAhead(minBytes: number, expectedBytes: number): Promise<void> {
    if (minBytes > this.#budget.maxBytes) throw this.#tooLargeProblem(minBytes)
    const bytes = Math.min(expectedBytes, this.#budget.maxBytes)
    const { signal } = this.#abort
    if (!(await this.#budget.reserveInTurn(bytes, { signal }))) throw noSpaceProblem()
    this.#reservedBytes += bytes
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

  /** Whether the body is large. If its size is unknown, up to 1 MB of it is read. */
  async peek(
    chunks: AsyncGenerator<Buffer>,
  ): Promise<
    | { isLarge: true; chunks: AsyncIterable<Buffer> }
    | { isLarge: false; chunks: AsyncIterable<Buffer> | Buffer[] }
  > {
    if (this.#size !== undefined) return { isLarge: this.#size > SMALL_UPLOAD_BYTES, chunks }
    const head: Buffer[] = []
    for (let bytes = 0; bytes <= SMALL_UPLOAD_BYTES; bytes += head.at(-1)?.length ?? 0) {
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

  /** For parsing on threads. Each piece needs a turn, and uploads that arrived earlier come first. */
  get parseOptions(): ParseOptions {
    const { threads: lane } = this.#lanes
    return {
      threads: this.#parseThreads,
      beginTurn: () => lane.begin(this.#order),
      endTurn: () => lane.end(),
    }
  }

  /** Waits for a turn to parse the next bytes of the body. Small bodies do not wait for large ones. */
  async beginTurn(bytes: number): Promise<void> {
    this.#parsedBytes += bytes
    if (this.#lane) return
    const lane = this.#parsedBytes <= SMALL_UPLOAD_BYTES ? this.#lanes.small : this.#lanes.large
    await lane.begin(this.#order)
    this.#lane = lane
  }

  endTurn(): void {
    this.#lane?.end()
    this.#lane = undefined
  }

  /** Lets other requests run, then uploads that arrived earlier. */
  async yieldTurn(): Promise<void> {
    // Before the end of the turn: the next upload would otherwise run in the same turn of the event loop.
    await yieldToEventLoop()
    this.endTurn()
    await this.beginTurn(0)
  }

  /** Called when the body has been read. Space that is not used is released at once, the rest with its file. */
  finish(): void {
    this.endTurn()
    this.#isFinished = true
    this.#request.raw.socket.off('close', this.#onDisconnect)
    this.#releaseUnused()
  }

  /** Ends the turn meanwhile: other uploads may have to end before there is space. */
  async #waitForSpace(bytes: number): Promise<void> {
    if (this.#reservedBytes + bytes > this.#budget.maxBytes) throw this.#tooLargeProblem(this.#usedBytes)
    const wasRunning = this.#lane !== undefined
    this.endTurn()
    const options = { signal: this.#abort.signal, isStarted: true }
    if (!(await this.#budget.reserveInTurn(bytes, options))) throw noSpaceProblem()
    this.#reservedBytes += bytes
    if (wasRunning) await this.beginTurn(0)
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

function noSpaceProblem(): Problem {
  const detail = 'Other uploads use the disk space for temporary files. Nothing was stored; try again later.'
  return new Problem('unavailable', detail, { 'retry-after': '30' })
}
