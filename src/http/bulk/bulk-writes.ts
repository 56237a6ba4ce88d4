// Writes of many records: uploads, imports and deletions by filters. Small uploads are validated as they arrive, in turns, and
// stored by the main thread. Large ones are first written to a temporary file; the bulk thread validates and stores them.
import type { FastifyRequest } from 'fastify'
import { type DiskBudget, UNLIMITED_SPACE } from '../../disk-budget.ts'
import { type TemporaryFile, writeTemporaryFile } from '../../import/source.ts'
import { Semaphore } from '../../semaphore.ts'
import { temporaryFolder, type Writer } from '../../store/store.ts'
import { checkContentLength, readBody } from '../request/body.ts'
import type { WriteContext, WriteOutcome } from '../request/write-transaction.ts'
import { Admission } from './admission.ts'
import { BulkThread } from './bulk-thread.ts'
import type { BulkContext, ReadyWrite } from './operation.ts'
import { throwBufferingProblem } from './operation.ts'
import { loadOperation, type OperationName, type OperationOptions } from './operations.ts'

/** Uploads up to this size do not wait for larger ones. */
const SMALL_UPLOAD_BYTES = 1_000_000
/** Estimated bytes of temporary files per byte of the body: the body itself, and its valid records. */
const BUFFERED_BYTES_PER_BYTE = 2.1

export interface BulkWritesOptions extends BulkContext {
  writer: Writer
  budget: DiskBudget
}

/** An upload whose body has been read. */
interface Received<Name extends OperationName> {
  name: Name
  options: OperationOptions[Name]
  admission: Admission
  /** A small upload is valid already; a large one is in a file. */
  body: ReadyWrite | TemporaryFile
}

export class BulkWrites {
  readonly #options: BulkWritesOptions
  readonly #turns = new Semaphore(1)
  readonly #thread: BulkThread

  constructor(options: BulkWritesOptions) {
    this.#options = options
    this.#thread = new BulkThread(options.settings, options.writer)
  }

  /** Reads the body, but stores nothing yet. What it returns must be discarded. */
  async receive<Name extends OperationName>(
    request: FastifyRequest,
    name: Name,
    options: OperationOptions[Name],
  ): Promise<Received<Name>> {
    const { settings, budget } = this.#options
    checkContentLength(request, settings)
    const admission = new Admission(request, budget, this.#turns)
    try {
      await admission.reserveAhead(SMALL_UPLOAD_BYTES, BUFFERED_BYTES_PER_BYTE)
      const { isLarge, chunks } = await admission.peek(readBody(request, settings), SMALL_UPLOAD_BYTES)
      const body = isLarge
        ? await writeTemporaryFile(chunks, { folder: temporaryFolder(settings), space: admission })
        : await this.#validate(chunks, name, options, admission)
      return { name, options, admission, body }
    } catch (error) {
      admission.finish()
      return throwBufferingProblem(error)
    }
  }

  async #validate<Name extends OperationName>(
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
    name: Name,
    options: OperationOptions[Name],
    admission: Admission,
  ): Promise<ReadyWrite> {
    const operation = await loadOperation(name)
    try {
      return await operation({ chunks, space: admission, turns: admission }, options, this.#options)
    } finally {
      admission.endTurn()
    }
  }

  /** Stores the upload in one transaction, or nothing of it. */
  store<Name extends OperationName>(
    { name, options, admission, body }: Received<Name>,
    context: WriteContext,
  ): Promise<WriteOutcome> {
    if ('store' in body) return body.store(this.#options.writer, context)
    return this.#thread.run({ name, options, context, file: body.file, size: body.size }, admission)
  }

  async discard({ admission, body }: Received<OperationName>): Promise<void> {
    await body.close()
    admission.finish()
  }

  /** Runs an operation without a body. `isLarge`: whether it would block the main thread for long. */
  async write<Name extends OperationName>(
    name: Name,
    options: OperationOptions[Name],
    context: WriteContext,
    isLarge: boolean,
  ): Promise<WriteOutcome> {
    if (isLarge) return this.#thread.run({ name, options, context }, UNLIMITED_SPACE)
    const operation = await loadOperation(name)
    const write = await operation({ chunks: [], space: UNLIMITED_SPACE }, options, this.#options)
    return write.store(this.#options.writer, context)
  }

  /** Waits for the writes that have begun. */
  close(): Promise<void> {
    return this.#thread.close()
  }
}
