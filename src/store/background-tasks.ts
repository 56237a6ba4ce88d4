// All background tasks of a store.
import type { BackgroundTask } from './background/task.ts'
import type { Connection } from './dialect/dialect.ts'
import { CLASSIFY_IDS } from './evaluations/id-classification.ts'
import { REMOVE_DELETED } from './evaluations/removal.ts'
import { REMOVE_SEARCH_TEXTS } from './evaluations/unused-search-texts.ts'
import { STORE_UNKNOWN_SCORES } from './scores/unknown-scores.ts'

export const BACKGROUND_TASKS: BackgroundTask[] = [
  REMOVE_DELETED,
  CLASSIFY_IDS,
  STORE_UNKNOWN_SCORES,
  REMOVE_SEARCH_TEXTS,
]

/** A task that has work, and how many evaluations are left. */
export interface RemainingTask {
  task: string
  evaluations: number
}

export async function findRemainingTasks(connection: Connection): Promise<RemainingTask[]> {
  const remaining: RemainingTask[] = []
  for (const task of BACKGROUND_TASKS) {
    const evaluations = await task.countEvaluations(connection)
    if (evaluations > 0) remaining.push({ task: task.name, evaluations })
  }
  return remaining
}
