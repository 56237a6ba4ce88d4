// Parses a large upload on parse threads. Pieces are parsed at the same time, and their rows arrive in order.
import { ContentErrors } from '../schema/validation/content-errors.ts'
import { PIECE_BYTES, type Piece, PieceCutter } from './pieces.ts'
import type { ParseThread, ParseThreads } from './threads.ts'
import type { UploadFormat } from './upload-parser.ts'
import type { ParsedPiece } from './worker.ts'

/** Pieces of one upload whose rows have not been stored yet: limits the memory that it needs. */
const MAX_PIECES = 6
/** A shorter upload ends before a second thread has started. */
const LONG_BYTES = 8 * 1024 * 1024

interface ParseOptions {
  threads: ParseThreads
  format: UploadFormat
  /** Called before each piece is sent. */
  beginTurn(): Promise<void>
  /** Called when a piece has been parsed. */
  endTurn(): void
  /** Receives all rows in order, encoded. */
  onFrame(frame: Uint8Array<ArrayBuffer>): Promise<void>
  /** Called with the first error, while `chunks` can still be waiting for the client. */
  onError(error: unknown): void
}

/** Throws the Problem of the first record that is not valid JSON, or of all records that are invalid. */
export async function parseUpload(chunks: AsyncIterable<Uint8Array>, options: ParseOptions): Promise<void> {
  const parsing = new UploadParsing(options)
  try {
    const cutter = new PieceCutter(options.format.shape)
    for await (const chunk of chunks) for (const piece of cutter.add(chunk)) await parsing.send(piece)
    await parsing.send(cutter.end())
    await parsing.finish()
  } catch (error) {
    // A record before the end of a truncated body is reported first, as if all were parsed at once.
    throw (await parsing.firstError()) ?? error
  } finally {
    await parsing.close()
  }
}

class UploadParsing {
  readonly #options: ParseOptions
  readonly #upload: number
  readonly #errors = new ContentErrors()
  /** The thread of the open block. */
  #thread: ParseThread | undefined
  #sentBytes = 0
  /** In order. Each resolves when its rows have been passed on. */
  readonly #pendingPieces: Promise<void>[] = []
  #failure: { error: unknown } | undefined

  constructor(options: ParseOptions) {
    this.#options = options
    this.#upload = options.threads.open()
  }

  async send({ buffer, length, start, isEnd }: Piece): Promise<void> {
    const { threads, format, beginTurn, endTurn } = this.#options
    if (this.#pendingPieces.length === MAX_PIECES) await this.#pendingPieces.shift()
    await beginTurn()
    this.#sentBytes += PIECE_BYTES
    if (start || !this.#thread) this.#thread = threads.choose(this.#sentBytes > LONG_BYTES)
    const parsed = this.#thread
      .parse({
        upload: this.#upload,
        bytes: new Uint8Array(buffer, 0, length),
        ...(start && { block: { format, start } }),
        isEnd,
      })
      .finally(endTurn)
    const previous = this.#pendingPieces.at(-1)
    const passed = this.#passOn(parsed, previous)
    this.#pendingPieces.push(passed)
    if (this.#failure) throw this.#failure.error
  }

  /** Of all pieces that were sent. */
  async firstError(): Promise<unknown> {
    await Promise.all(this.#pendingPieces)
    return this.#failure?.error
  }

  /** Throws the first error of the upload. */
  async finish(): Promise<void> {
    await this.firstError()
    if (this.#failure) throw this.#failure.error
    if (this.#errors.count > 0) throw this.#errors.toProblem()
  }

  /** Resolves when no more rows are passed on. */
  async close(): Promise<void> {
    this.#options.threads.close(this.#upload)
    this.#failure ??= { error: undefined }
    await Promise.all(this.#pendingPieces)
  }

  /** Never rejects, so that a failure is reported once. */
  async #passOn(parsing: Promise<ParsedPiece>, previous: Promise<void> | undefined): Promise<void> {
    try {
      const [parsed] = await Promise.all([parsing, previous])
      this.#errors.addListed(parsed.errors)
      for (const frame of parsed.frames) {
        if (this.#errors.count === 0 && !this.#failure) await this.#options.onFrame(frame)
        frame.buffer.transfer(0)
      }
    } catch (error) {
      await previous
      if (this.#failure) return
      this.#failure = { error }
      this.#options.onError(error)
    }
  }
}
