// Writes of many records: uploads, imports and deletions by filters. Small uploads are validated as they arrive, in turns, and
// stored by the main thread. Large ones are first written to a temporary file; the bulk thread validates and stores them.
import type { FastifyRequest } from 'fastify'
import { type DiskBudget, UNLIMITED_SPACE } from '../../disk-budget.ts'
import { writeTemporaryFile } from '../../import/source.ts'
import { Semaphore } from '../../semaphore.ts'
import { temporaryFolder, type Writer } from '../../store/store.ts'
import { readBody } from '../request/body.ts'
import type { ReceivedWrite } from '../request/write-handler.ts'
import { type WriteContext, type WriteOutcome, writeInTransaction } from '../request/write-transaction.ts'
import { Admission } from './admission.ts'
import { BulkThread } from './bulk-thread.ts'
import { type BulkContext, throwBufferingProblem } from './operation.ts'
import { OPERATIONS, type OperationName, type OperationOptions } from './operations.ts'

/** Uploads up to this size do not wait for larger ones. */
const SMALL_UPLOAD_BYTES = 1_000_000
/** Estimated bytes of temporary files per byte of the body: the body itself, and its valid records. */
const BUFFERED_BYTES_PER_BYTE = 2.1

export interface BulkWritesOptions extends Omit<BulkContext, 'folder'> {
  writer: Writer
  budget: DiskBudget
}

export class BulkWrites {
  readonly #options: BulkWritesOptions & BulkContext
  readonly #turns = new Semaphore(1)
  readonly #thread: BulkThread

  constructor(options: BulkWritesOptions) {
    this.#options = { ...options, folder: temporaryFolder(options.settings) }
    this.#thread = new BulkThread(options.settings, options.writer)
  }

  /** Reads the body, but stores nothing yet. A small upload is valid then; a large one is in a file. */
  async receive<Name extends OperationName>(
    request: FastifyRequest,
    name: Name,
    options: OperationOptions[Name],
  ): Promise<ReceivedWrite> {
    const { settings, budget, folder, writer } = this.#options
    const received = readBody(request, settings)
    const admission = new Admission(request, budget, this.#turns)
    try {
      const { isLarge, chunks } = await admission.admit(received, SMALL_UPLOAD_BYTES, BUFFERED_BYTES_PER_BYTE)
      const body = isLarge
        ? await writeTemporaryFile(chunks, { folder, space: admission })
        : await (await OPERATIONS[name]())(
            { chunks, space: admission, turns: admission },
            options,
            this.#options,
          )
      return {
        store: (context) =>
          'file' in body
            ? this.#thread.run({ name, options, context, file: body.file, size: body.size }, admission)
            : writeInTransaction(writer, context, body),
        async close() {
          await body.close()
          admission.finish()
        },
      }
    } catch (error) {
      admission.finish()
      return throwBufferingProblem(error)
    }
  }

  /** Runs an operation without a body. `isLarge`: whether it would block the main thread for long. */
  async write<Name extends OperationName>(
    name: Name,
    options: OperationOptions[Name],
    context: WriteContext,
    isLarge: boolean,
  ): Promise<WriteOutcome> {
    if (isLarge) return this.#thread.run({ name, options, context }, UNLIMITED_SPACE)
    const operation = await OPERATIONS[name]()
    const write = await operation({ chunks: [], space: UNLIMITED_SPACE }, options, this.#options)
    return writeInTransaction(this.#options.writer, context, write)
  }

  /** Waits for the writes that have begun. */
  close(): Promise<void> {
    return this.#thread.close()
  }
}
