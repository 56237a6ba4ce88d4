// A hidden copy of an evaluation that gets other scenarios, and then takes the place of the evaluation. It is never committed
// while it is hidden, except as the evaluation that it has replaced.
import { DELETED_PROJECT } from '../access/projects.ts'
import { insertWithKey, type ResourceChange, updateResource } from '../changes/record.ts'
import type { Transaction, Value } from '../dialect/dialect.ts'
import { hideEvaluation } from '../evaluations/evaluations.ts'
import { deletePositions } from './derived-rows.ts'
import { removeEvaluation } from './removal.ts'

/** Copies an evaluation without its scenarios, and returns the key of the copy. The caller must have locked the evaluation. */
export async function stageEvaluation(transaction: Transaction, key: number): Promise<number> {
  const row = await transaction.get<Record<string, Value>>('SELECT * FROM evaluation WHERE key = ?', key)
  if (!row) throw new Error(`The evaluation with the key ${key} does not exist`)
  const { key: _, ...members } = row
  return insertWithKey(transaction, 'evaluation', {
    ...members,
    project: DELETED_PROJECT,
    // No id of a client contains a tab.
    id: `\tstaged ${key}`,
    scenario_count: 0,
    body_bytes: 0,
    next_position: 0,
  })
}

/** What the staged evaluation contains. */
interface StagedContent {
  count: number
  bytes: number
  nextPosition: number
}

/** Gives the evaluation the scenarios of the staged one. REMOVE_DELETED removes the previous ones later. */
export async function adoptStaged(
  transaction: Transaction,
  { key, staged }: { key: number; staged: number },
  change: ResourceChange,
  { count, bytes, nextPosition }: StagedContent,
): Promise<void> {
  const row = await transaction.get<{ project: number; id: string }>(
    'SELECT project, id FROM evaluation WHERE key = ?',
    key,
  )
  if (!row) throw new Error(`The evaluation with the key ${key} does not exist`)
  await hideEvaluation(transaction, key)
  await updateResource(transaction, 'evaluation', staged, change, {
    set: [
      'project = ?, id = ?, scenario_count = ?, body_bytes = ?, next_position = ?',
      ...[row.project, row.id, count, bytes, nextPosition],
    ],
  })
}

/** Removes a staged evaluation with its scenarios. */
export async function discardStaged(
  transaction: Transaction,
  staged: number,
  ordinals: Parameters<typeof deletePositions>[2],
  nextPosition: number,
): Promise<void> {
  await deletePositions(transaction, staged, ordinals, 0, nextPosition)
  await removeEvaluation(transaction, staged)
}
