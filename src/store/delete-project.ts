// Deletes a project with everything in it.
import { findProject } from './access/projects.ts'
import { deleteEvaluation } from './evaluations/evaluations.ts'
import type { Store } from './store.ts'
import { deleteVariant } from './variants/variants.ts'

/** Deletes the keys first, so that no client can write any more. If it is interrupted, it can be repeated. */
export async function deleteProject({ reader, writer }: Store, name: string): Promise<void> {
  const project = await findProject(reader, name)
  if (project === undefined) return
  await writer.transaction(async (transaction) => {
    const keys = 'SELECT public_id FROM api_key WHERE project = ?'
    await transaction.run(`DELETE FROM idempotency WHERE api_key IN (${keys})`, project)
    await transaction.run('DELETE FROM api_key WHERE project = ?', project)
  })
  // One transaction for each, so that other projects can be written in between.
  for (const [noun, deleteResource] of [
    ['evaluation', deleteEvaluation],
    ['variant', deleteVariant],
  ] as const) {
    const rows = await reader.all<{ key: number }>(`SELECT key FROM ${noun} WHERE project = ?`, project)
    for (const { key } of rows) await writer.transaction((transaction) => deleteResource(transaction, key))
  }
  await writer.transaction(async (transaction) => {
    await transaction.run('DELETE FROM change WHERE project = ?', project)
    await transaction.run('DELETE FROM project WHERE key = ?', project)
  })
}
