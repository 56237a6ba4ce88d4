// Work that a service does repeatedly while it runs: it removes the rows of deleted evaluations, and old entries of the change log.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { runTask } from '../../store/background/task.ts'
import { deleteOldChanges } from '../../store/changes/retention.ts'
import { REMOVE_DELETED } from '../../store/scenarios/removal.ts'
import type { Store } from '../../store/store.ts'

const REMOVAL_INTERVAL_MS = 5000
const INTERVAL_AFTER_FAILURE_MS = 60_000
const RETENTION_INTERVAL_MS = 3_600_000

/** Looks for rows to remove now and every few seconds. Long work and failures are logged. Call the result to stop. */
export function startBackgroundTasks(store: Store, log: Logger): () => Promise<void> {
  const members = { task: REMOVE_DELETED.name }

  async function removeDeleted(signal: AbortSignal): Promise<number> {
    let isLong = false
    const onProgress = (evaluations_left: number) => {
      isLong = true
      log.info({ ...members, evaluations_left }, 'background task in progress')
    }
    try {
      await runTask(store, REMOVE_DELETED, { signal, onProgress })
      if (isLong && !(await REMOVE_DELETED.hasWork(store.reader)))
        log.info(members, 'background task finished')
      return REMOVAL_INTERVAL_MS
    } catch (error) {
      log.warn({ err: error, ...members }, 'background task failed')
      return INTERVAL_AFTER_FAILURE_MS
    }
  }

  return repeat(removeDeleted)
}

/** Deletes old entries now and every hour. A failure is logged, and the next attempt is an hour later. Call the result to stop. */
export function startRetention(store: Store, retentionMs: number, log: Logger): () => Promise<void> {
  return repeat(async (signal) => {
    await deleteOldChanges(store, Date.now() - retentionMs, signal).catch((error) =>
      log.warn({ err: error }, 'old entries of the change log could not be deleted'),
    )
    return RETENTION_INTERVAL_MS
  })
}

/** `run` returns the milliseconds until the next run. */
function repeat(run: (signal: AbortSignal) => Promise<number>): () => Promise<void> {
  const abortController = new AbortController()
  const { signal } = abortController

  async function loop(): Promise<void> {
    while (!signal.aborted) await delay(await run(signal), undefined, { signal }).catch(() => undefined)
  }

  const running = loop()
  return () => {
    abortController.abort()
    return running
  }
}
