// The evaluation that a command names, in the project it is told.
import { CommandError, Problem } from '../errors.ts'
import { type EvaluationHead, getEvaluation } from '../store/evaluations.ts'
import { findProject } from '../store/projects.ts'
import type { Connection } from '../store/store.ts'

/** Throws CommandError where the project of that name has no such evaluation. */
export async function getOwnEvaluation(
  connection: Connection,
  name: string,
  id: string,
): Promise<EvaluationHead> {
  try {
    const project = await findProject(connection, name)
    const viewer = { project: project ?? -1, conceal: true, confined_to: null }
    return await getEvaluation(connection, viewer, id)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'evaluation-not-found') throw error
    throw new CommandError(
      `The project '${name}' has no evaluation '${id}'.`,
      'Check the id; --project NAME looks in another project.',
    )
  }
}
