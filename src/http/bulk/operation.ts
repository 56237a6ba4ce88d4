// An operation on many records: it validates a body, and then writes in one transaction. The main thread runs small ones, and
// the bulk thread large ones.
import type { BufferSpace } from '../../disk-budget.ts'
import { BufferingError, type TemporaryFile } from '../../import/source.ts'
import type { Settings } from '../../settings/settings.ts'
import { cannotBuffer } from '../../store/buffer/line-buffer.ts'
import type { Reader, Writer } from '../../store/store.ts'
import type { WriteContext, WriteOutcome } from '../request/write-transaction.ts'

/** The decompressed body: chunks that the reader can overwrite, or a file. */
export type RecordsBody = { space: BufferSpace; turns?: BodyTurns } & (
  | { chunks: AsyncIterable<Buffer> | Iterable<Buffer>; file?: undefined }
  | { chunks?: undefined; file: TemporaryFile }
)

/** So that the main thread can respond to other requests meanwhile. */
export interface BodyTurns {
  beginTurn(): Promise<void>
  /** Returns a promise only if it has to be awaited. */
  pause(): Promise<void> | undefined
  endTurn(): void
}

export interface BulkContext {
  reader: Reader
  settings: Settings
}

/** A write whose body is valid. It must be closed. */
export interface ReadyWrite {
  /** In one transaction. Throws a Problem if nothing was stored. */
  store(writer: Pick<Writer, 'transaction'>, context: WriteContext): Promise<WriteOutcome>
  close(): Promise<void>
}

/** Validates the body. Throws a Problem. `options` are plain data. */
export type BulkOperation<Options> = (
  body: RecordsBody,
  options: Options,
  context: BulkContext,
) => Promise<ReadyWrite>

export function throwBufferingProblem(error: unknown): never {
  throw error instanceof BufferingError ? cannotBuffer(error.cause) : error
}
