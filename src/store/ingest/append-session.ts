// Appends the scenarios of a large upload in the thread of the database: the main thread only transfers encoded rows.
import { extname } from 'node:path'
import type { Appended } from '../../schema/scenarios.ts'
import type { RowBuffer } from '../buffer/row-buffer.ts'
import type { Transaction, TransactionSession } from '../dialect/dialect.ts'
import {
  type Appender,
  type AppendOptions,
  type AppendOutcome,
  appendBatches,
  appendScenarios,
  type UploadOptions,
} from '../scenarios/append.ts'
import type { OnRejected } from '../scenarios/conflicts.ts'
import type { ScenarioRow } from '../scenarios/row.ts'
import type { Finished, RejectedRows, ThreadOptions } from './append-thread.ts'
import { beginAppend } from './replace-all.ts'

/** A .ts file in the checkout, and a .js file in the package. */
const THREAD_MODULE = new URL(`./append-thread${extname(import.meta.filename)}`, import.meta.url)
/** One frame is stored while the next one is read. */
const MAX_PENDING_FRAMES = 2

/** Appends all scenarios or none, like `appendScenarios`. */
export function appendRows(
  transaction: Transaction,
  evaluation: number,
  rows: RowBuffer<ScenarioRow>,
  options: UploadOptions,
): Promise<Appended> {
  if (!usesSession(transaction, rows))
    return appendScenarios(transaction, evaluation, rows.batches(), options, beginAppend)
  return appendBatches(rows.frames(), options, (appendOptions) =>
    SessionAppender.begin(transaction, evaluation, appendOptions),
  )
}

/** Small uploads need no session: its modules would take longer to load in the thread. */
export function usesSession(transaction: Transaction, rows: { isLarge: boolean }): boolean {
  return rows.isLarge && transaction.openSession !== undefined
}

export class SessionAppender implements Appender<Uint8Array<ArrayBuffer>> {
  readonly #session: TransactionSession
  readonly #onRejected: OnRejected
  readonly #pendingFrames: Promise<void>[] = []

  private constructor(session: TransactionSession, onRejected: OnRejected) {
    this.#session = session
    this.#onRejected = onRejected
  }

  static async begin(
    transaction: Transaction,
    evaluation: number,
    { onRejected, ...options }: AppendOptions,
  ): Promise<SessionAppender> {
    const threadOptions: ThreadOptions = { evaluation, ...options }
    const recordChange = transaction.recordChange.bind(transaction)
    const session = await transaction.openSession?.(THREAD_MODULE, threadOptions, recordChange)
    if (!session) throw new Error('The engine has no sessions')
    return new SessionAppender(session, onRejected)
  }

  async add(frame: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#pendingFrames.length === MAX_PENDING_FRAMES) await this.#pendingFrames.shift()
    const pendingFrame = this.#append(frame)
    // An error is thrown when the frame is awaited.
    pendingFrame.catch(() => undefined)
    this.#pendingFrames.push(pendingFrame)
  }

  async finish(): Promise<AppendOutcome> {
    for (const pendingFrame of this.#pendingFrames) await pendingFrame
    const { counts, rejectedRows } = (await this.#session.call('finish')) as Finished
    this.#reject(rejectedRows)
    return counts
  }

  async #append(frame: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#reject((await this.#session.call('add', frame)) as RejectedRows)
  }

  #reject(rejectedRows: RejectedRows): void {
    for (const { row, reason } of rejectedRows) this.#onRejected(row, reason)
  }
}
