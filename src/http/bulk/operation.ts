// An operation on many records: it validates a body, and then writes in one transaction. The main thread runs small ones, and
// the bulk thread large ones.
import type { BufferSpace } from '../../disk-budget.ts'
import { BufferingError, type TemporaryFile } from '../../import/source.ts'
import type { Settings } from '../../settings/settings.ts'
import { cannotBuffer } from '../../store/buffer/line-buffer.ts'
import type { Reader } from '../../store/store.ts'
import type { WriteTarget } from '../request/preconditions.ts'
import type { WriteSteps } from '../request/write-transaction.ts'

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
  /** For temporary files. */
  folder: string
}

/** A write whose body is valid. It must be closed. */
interface ReadyWrite<Target extends WriteTarget | undefined> extends WriteSteps<Target> {
  close(): Promise<void>
}

/** Validates the body. Throws a Problem. `options` are plain data. */
export type BulkOperation<Options, Target extends WriteTarget | undefined = WriteTarget | undefined> = (
  body: RecordsBody,
  options: Options,
  context: BulkContext,
) => Promise<ReadyWrite<Target>>

export function throwBufferingProblem(error: unknown): never {
  throw error instanceof BufferingError ? cannotBuffer(error.cause) : error
}
