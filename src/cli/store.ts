// The store that a command works on, opened and closed around its work, and the evaluations it names there.
import { CommandError, Problem } from '../errors.ts'
import { type EvaluationHead, getEvaluation } from '../store/evaluations.ts'
import { findProject } from '../store/projects.ts'
import { type Connection, openStore, type Store, type StoreSettings } from '../store/store.ts'

export async function withStore<Answer>(
  settings: StoreSettings,
  work: (store: Store) => Promise<Answer>,
  mayMake = false,
): Promise<Answer> {
  const store = await openStore(settings, { mayMake })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Throws CommandError where the project of that name has no such evaluation. */
export async function getOwnEvaluation(
  connection: Connection,
  name: string,
  id: string,
): Promise<EvaluationHead> {
  try {
    const project = await findProject(connection, name)
    return await getEvaluation(connection, { project: project ?? -1, conceal: true }, id)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'evaluation-not-found') throw error
    throw new CommandError(
      `The project '${name}' has no evaluation '${id}'.`,
      'Check the id; --project NAME looks in another project.',
    )
  }
}
