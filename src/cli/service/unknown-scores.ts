// Stores the scores of evaluations that an older version has written, while the service runs.
import type { Logger } from 'pino'
import { storeUnknownScores } from '../../store/scores/stored-scores.ts'
import type { Store } from '../../store/store.ts'

/** A failure is logged, and the next start of the service continues. Call the result to stop. */
export function startStoringScores(store: Store, log: Logger): () => Promise<void> {
  const abortController = new AbortController()
  const running = storeUnknownScores(store, abortController.signal).catch((error) => {
    log.warn({ err: error }, 'scores of evaluations could not be stored')
  })
  return () => {
    abortController.abort()
    return running
  }
}
