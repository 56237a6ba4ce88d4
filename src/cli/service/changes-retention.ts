// Deletes entries of the change log that are older than the retention, while the service runs.
import type { Logger } from 'pino'
import { deleteOldChanges } from '../../store/changes/retention.ts'
import type { Store } from '../../store/store.ts'

const INTERVAL_MS = 3_600_000

/** Deletes them now and every hour. A failure is logged, and the next attempt is an hour later. Call the result to stop. */
export function startRetention(store: Store, retentionMs: number, log: Logger): () => Promise<void> {
  const abortController = new AbortController()
  let running = run()
  const timer = setInterval(() => {
    running = run()
  }, INTERVAL_MS)

  async function run(): Promise<void> {
    try {
      await deleteOldChanges(store, Date.now() - retentionMs, abortController.signal)
    } catch (error) {
      log.warn({ err: error }, 'old entries of the change log could not be deleted')
    }
  }

  return () => {
    clearInterval(timer)
    abortController.abort()
    return running
  }
}
