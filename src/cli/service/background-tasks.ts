// Removes the rows of deleted evaluations while the service runs.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { runTask } from '../../store/background/task.ts'
import { REMOVE_DELETED } from '../../store/scenarios/removal.ts'
import type { Store } from '../../store/store.ts'

const INTERVAL_MS = 5000
const INTERVAL_AFTER_FAILURE_MS = 60_000

/** Looks for work now and every few seconds. Long work and failures are logged. Call the result to stop. */
export function startBackgroundTasks(store: Store, log: Logger): () => Promise<void> {
  const abortController = new AbortController()
  const { signal } = abortController
  const members = { task: REMOVE_DELETED.name }
  const running = repeat()

  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      let interval = INTERVAL_MS
      try {
        await run()
      } catch (error) {
        log.warn({ err: error, ...members }, 'background task failed')
        interval = INTERVAL_AFTER_FAILURE_MS
      }
      await delay(interval, undefined, { signal }).catch(() => undefined)
    }
  }

  async function run(): Promise<void> {
    let isLong = false
    const onProgress = (evaluations_left: number) => {
      isLong = true
      log.info({ ...members, evaluations_left }, 'background task in progress')
    }
    await runTask(store, REMOVE_DELETED, { signal, onProgress })
    if (isLong && !(await REMOVE_DELETED.hasWork(store.reader))) log.info(members, 'background task finished')
  }

  return async () => {
    abortController.abort()
    await running
  }
}
