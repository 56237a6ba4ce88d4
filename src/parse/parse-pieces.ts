// Parses a large body on parse threads. Pieces are parsed at the same time, and their rows arrive in order.
import { PIECE_BYTES, type Piece, PieceCutter } from './pieces.ts'
import type { RecordFormat } from './record-parser.ts'
import type { ParseThread, ParseThreads } from './threads.ts'
import type { ParsedPiece } from './worker.ts'

/** Pieces of one body that have been sent and whose rows have not been passed on: limits the memory that it needs. */
const MAX_PIECES = 6
/** A shorter body ends before a second thread has started. */
const LONG_BYTES = 8 * 1024 * 1024

export interface ParseOptions {
  threads: ParseThreads
  /** Called before each piece is sent. */
  beginTurn?(): Promise<void>
  /** Called when a piece has been parsed. */
  endTurn?(): void
  /** Called with an error as soon as it is known, when `chunks` can still be waiting for more bytes. */
  onError?(error: unknown): void
}

/** Yields the result of each piece in order. Throws a Problem if the body cannot be read further. */
export async function* parsePieces(
  chunks: AsyncIterable<Uint8Array>,
  format: RecordFormat,
  options: ParseOptions,
): AsyncGenerator<ParsedPiece> {
  const parsing = new Parsing(format, options)
  const cutter = new PieceCutter(format.shape)
  try {
    for await (const chunk of chunks)
      for (const piece of cutter.add(chunk)) {
        if (parsing.isFull) yield await parsing.next()
        await parsing.send(piece)
      }
    await parsing.send(cutter.end())
    while (parsing.hasPending) yield await parsing.next()
  } catch (error) {
    // A record before the end of a truncated body is reported first, as if it had been parsed before the body ended.
    while (parsing.hasPending) await parsing.next()
    throw error
  } finally {
    parsing.close()
  }
}

class Parsing {
  readonly #format: RecordFormat
  readonly #options: ParseOptions
  readonly #upload: number
  /** The thread of the open block. */
  #thread: ParseThread | undefined
  #sentBytes = 0
  readonly #pendingPieces: Promise<ParsedPiece>[] = []

  constructor(format: RecordFormat, options: ParseOptions) {
    this.#format = format
    this.#options = options
    this.#upload = options.threads.open()
  }

  get isFull(): boolean {
    return this.#pendingPieces.length === MAX_PIECES
  }

  get hasPending(): boolean {
    return this.#pendingPieces.length > 0
  }

  async send({ buffer, length, start, isEnd }: Piece): Promise<void> {
    const { threads, beginTurn, endTurn, onError } = this.#options
    await beginTurn?.()
    this.#sentBytes += PIECE_BYTES
    if (start || !this.#thread) this.#thread = threads.choose(this.#sentBytes > LONG_BYTES)
    const parsedPiece = this.#thread
      .parse({
        upload: this.#upload,
        bytes: new Uint8Array(buffer, 0, length),
        ...(start && { block: { format: this.#format, start } }),
        isEnd,
      })
      .finally(endTurn)
    parsedPiece.catch((error) => onError?.(error))
    this.#pendingPieces.push(parsedPiece)
  }

  /** The result of the first piece that is pending. */
  async next(): Promise<ParsedPiece> {
    try {
      return (await this.#pendingPieces.shift()) as ParsedPiece
    } catch (error) {
      // Later pieces do not count.
      this.#pendingPieces.length = 0
      throw error
    }
  }

  close(): void {
    this.#options.threads.close(this.#upload)
  }
}
