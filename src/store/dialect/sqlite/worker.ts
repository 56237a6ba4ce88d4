// A worker thread that runs transactions on a SQLite file: either all writes, or slow queries. thread.ts sends the
// requests. They are handled in order, with one reply each.
import { parentPort, workerData } from 'node:worker_threads'
import { type SessionRequest, SqliteSession } from './session.ts'

export type WorkerReply = { value: unknown } | { error: { message: string; errcode?: number; hint?: string } }

let session: SqliteSession | undefined

/** Transfers a byte array that uses its whole buffer, instead of copying it. */
function reply(work: () => unknown): void {
  try {
    const value = work()
    const ownsBuffer = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength
    parentPort?.postMessage(
      { value },
      ownsBuffer && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
    )
  } catch (error) {
    // A plain object: structured cloning drops the properties that SQLite adds to an Error.
    const { message, errcode, hint } = error as Error & { errcode?: number; hint?: string }
    parentPort?.postMessage({ error: { message, errcode, hint } })
  }
}

reply(() => {
  session = new SqliteSession(workerData)
})
parentPort?.on('message', (request: SessionRequest) => {
  reply(() => session?.handle(request))
  if (request.operation === 'close') parentPort?.close()
})
