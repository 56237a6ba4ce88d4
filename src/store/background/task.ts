// Runs long work on the store in short transactions, so that requests wait for none of it. After a crash, the next process
// continues. One process at a time runs a task.
import { setTimeout as delay } from 'node:timers/promises'
import { generateId } from '../../schema/ids.ts'
import type { Connection, Reader, Transaction, Writer } from '../dialect/dialect.ts'

export interface BackgroundTask {
  name: string
  /** Whether there is work. It must be a quick read, because services call it every few seconds. */
  hasWork(connection: Connection): Promise<boolean>
  /** How many evaluations are left. */
  countEvaluations(connection: Connection): Promise<number>
  /** Processes about this many rows in the transaction. Resolves with whether work is left. */
  step(transaction: Transaction, rowCount: number): Promise<boolean>
}

/** The duration of a transaction. The number of rows is adapted to it. */
const STEP_MS = 20
/** Pauses are longer than the transactions by this factor, so that other writes and the disk have most of the time. */
const PAUSE_FACTOR = 2
const MIN_PAUSE_MS = 5
const [MIN_ROWS, FIRST_ROWS, MAX_ROWS] = [10, 100, 20_000]
/** A process that has not finished a transaction for this long does not run the task any more. */
const LEASE_MS = 5000

const THIS_PROCESS = generateId()

/** The interval of progress reports. */
const PROGRESS_MS = 10_000

interface RunOptions {
  owner?: string
  signal?: AbortSignal
  /** Called if work is left after the first step, and then every few seconds. */
  onProgress?: (evaluationsLeft: number) => void
}

/** Runs a task until no work is left, another process runs it, or `signal` is aborted. */
export async function runTask(
  { reader, writer }: { reader: Reader; writer: Writer },
  task: BackgroundTask,
  { owner = THIS_PROCESS, signal, onProgress }: RunOptions = {},
): Promise<void> {
  // Without work, there is no write transaction.
  if (!(await task.hasWork(reader))) return
  let rowCount = FIRST_ROWS
  let reportTime = Number.NEGATIVE_INFINITY
  let isLeft = await writer.transaction((transaction) => renewLease(transaction, task.name, owner))
  while (isLeft && !signal?.aborted) {
    let startTime = 0
    isLeft = await writer.transaction(async (transaction) => {
      // The time before is spent waiting for other transactions.
      startTime = performance.now()
      const isOwner = await renewLease(transaction, task.name, owner)
      return (await task.step(transaction, rowCount)) && isOwner
    })
    const durationMs = performance.now() - startTime
    rowCount = adaptRowCount(rowCount, durationMs)
    if (isLeft && onProgress && performance.now() > reportTime + PROGRESS_MS) {
      reportTime = performance.now()
      onProgress(await task.countEvaluations(reader))
    }
    const pauseMs = isLeft ? Math.max(durationMs * PAUSE_FACTOR, MIN_PAUSE_MS) : 0
    await delay(pauseMs, undefined, { signal }).catch(() => undefined)
  }
  await writer.transaction((transaction) =>
    transaction.run('DELETE FROM background_task WHERE name = ? AND owner = ?', task.name, owner),
  )
}

/** Returns false if another process runs the task. */
async function renewLease(transaction: Transaction, name: string, owner: string): Promise<boolean> {
  await transaction.lock('background task', name)
  const now = Date.now()
  const lease = await transaction.get<{ owner: string; leased_until: string }>(
    'SELECT owner, leased_until FROM background_task WHERE name = ?',
    name,
  )
  if (lease && lease.owner !== owner && lease.leased_until > toTime(now)) return false
  await transaction.run(
    `INSERT INTO background_task (name, owner, leased_until) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, leased_until = excluded.leased_until`,
    name,
    owner,
    toTime(now + LEASE_MS),
  )
  return true
}

function adaptRowCount(rowCount: number, durationMs: number): number {
  const factor = Math.min(2, Math.max(0.25, STEP_MS / durationMs))
  return Math.round(Math.min(MAX_ROWS, Math.max(MIN_ROWS, rowCount * factor)))
}

function toTime(ms: number): string {
  return new Date(ms).toISOString()
}
