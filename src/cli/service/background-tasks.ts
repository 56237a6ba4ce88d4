// Runs the background tasks of a store while the service runs.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type BackgroundTask, runTask } from '../../store/background/task.ts'
import { BACKGROUND_TASKS } from '../../store/background-tasks.ts'
import type { Store } from '../../store/store.ts'

const INTERVAL_MS = 5000
const INTERVAL_AFTER_FAILURE_MS = 60_000

/**
 * Looks for work now and every few seconds. No task waits for another one. Long work and failures are logged. Call the result
 * to stop.
 */
export function startBackgroundTasks(store: Store, log: Logger): () => Promise<void> {
  const abortController = new AbortController()
  const { signal } = abortController
  const running = Promise.all(BACKGROUND_TASKS.map(repeat))

  async function repeat(task: BackgroundTask): Promise<void> {
    while (!signal.aborted) {
      let interval = INTERVAL_MS
      try {
        await run(task)
      } catch (error) {
        log.warn({ err: error, task: task.name }, 'background task failed')
        interval = INTERVAL_AFTER_FAILURE_MS
      }
      await delay(interval, undefined, { signal }).catch(() => undefined)
    }
  }

  async function run(task: BackgroundTask): Promise<void> {
    const members = { task: task.name }
    let isLong = false
    const onProgress = (evaluations_left: number) => {
      isLong = true
      log.info({ ...members, evaluations_left }, 'background task in progress')
    }
    await runTask(store, task, { signal, onProgress })
    if (isLong && !(await task.hasWork(store.reader))) log.info(members, 'background task finished')
  }

  return async () => {
    abortController.abort()
    await running
  }
}
