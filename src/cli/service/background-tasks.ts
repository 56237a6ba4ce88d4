// Runs the background tasks of a store while the service runs.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BackgroundTask, runTask } from '../../store/background/task.ts'
import { REMOVE_DELETED } from '../../store/evaluations/removal.ts'
import type { Store } from '../../store/store.ts'

const TASKS: BackgroundTask[] = [REMOVE_DELETED]

const INTERVAL_MS = 5000
const INTERVAL_AFTER_FAILURE_MS = 60_000

/** Looks for work now and every few seconds. A failure is logged. Call the result to stop. */
export function startBackgroundTasks(store: Store, log: Logger): () => Promise<void> {
  const abortController = new AbortController()
  const { signal } = abortController
  const running = run()

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let interval = INTERVAL_MS
      for (const task of TASKS) {
        try {
          await runTask(store, task, { signal })
        } catch (error) {
          log.warn({ err: error, task: task.name }, 'background task failed')
          interval = INTERVAL_AFTER_FAILURE_MS
        }
      }
      await delay(interval, undefined, { signal }).catch(() => undefined)
    }
  }

  return () => {
    abortController.abort()
    return running
  }
}
