// Deletes a project with everything in it.
import { findProject } from './access/projects.ts'
import { deleteEvaluationsOf } from './evaluations/evaluations.ts'
import type { Store } from './store.ts'
import { deleteVariant } from './variants/variants.ts'

/** Entries of the change log per transaction, so that other projects can be written in between. */
const BATCH_SIZE = 1000

/**
 * Deletes the keys first, so that no client can write any more. If it is interrupted, it can be repeated. The rows of the
 * evaluations are removed later, as those of other deleted evaluations.
 */
export async function deleteProject({ reader, writer }: Store, name: string): Promise<void> {
  const project = await findProject(reader, name)
  if (project === undefined) return
  await writer.transaction(async (transaction) => {
    const keys = 'SELECT public_id FROM api_key WHERE project = ?'
    await transaction.run(`DELETE FROM idempotency WHERE api_key IN (${keys})`, project)
    await transaction.run('DELETE FROM api_key WHERE project = ?', project)
  })
  while ((await writer.transaction((transaction) => deleteEvaluationsOf(transaction, project))) > 0);
  const variants = await reader.all<{ key: number; id: string }>(
    'SELECT key, id FROM variant WHERE project = ?',
    project,
  )
  for (const { key, id } of variants)
    await writer.transaction(async (transaction) => {
      // Waits for a transaction that adds revisions.
      await transaction.lock('variant', project, id)
      await deleteVariant(transaction, key)
    })
  await writer.transaction(async (transaction) => {
    for (const table of ['revision_number', 'idempotent_write', 'review', 'review_lease'])
      await transaction.run(`DELETE FROM ${table} WHERE project = ?`, project)
  })
  await deleteChanges({ reader, writer }, project)
  await writer.transaction((transaction) => transaction.run('DELETE FROM project WHERE key = ?', project))
}

/** By sequence number, because PostgreSQL would read the index entries of deleted rows again in every batch. */
async function deleteChanges(
  { reader, writer }: Pick<Store, 'reader' | 'writer'>,
  project: number,
): Promise<void> {
  const range = await reader.get<{ first: number | null; last: number | null }>(
    'SELECT min(sequence) AS first, max(sequence) AS last FROM change WHERE project = ?',
    project,
  )
  const { first, last } = { first: range?.first ?? 0, last: range?.last ?? -1 }
  for (let start = first; start <= last; start += BATCH_SIZE)
    await writer.transaction((transaction) =>
      transaction.run(
        'DELETE FROM change WHERE project = ? AND sequence >= ? AND sequence < ?',
        project,
        start,
        start + BATCH_SIZE,
      ),
    )
}
