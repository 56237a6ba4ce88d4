// Looks up evaluations and variants by id in a project.
import { CommandError, Problem } from '../errors.ts'
import { findProject, type Viewer } from '../store/access/projects.ts'
import { type EvaluationInfo, getEvaluation } from '../store/evaluations/evaluations.ts'
import type { Connection } from '../store/store.ts'
import { getVariant, type VariantInfo } from '../store/variants/variants.ts'

/** Throws CommandError if the project has no evaluation with this id. */
export function getProjectEvaluation(
  connection: Connection,
  projectName: string,
  id: string,
): Promise<EvaluationInfo> {
  return getFromProject(connection, projectName, 'evaluation', id, getEvaluation)
}

/** Throws CommandError if the project has no variant with this id. */
export function getProjectVariant(
  connection: Connection,
  projectName: string,
  id: string,
): Promise<VariantInfo> {
  return getFromProject(connection, projectName, 'variant', id, getVariant)
}

async function getFromProject<Info>(
  connection: Connection,
  projectName: string,
  noun: 'evaluation' | 'variant',
  id: string,
  get: (connection: Connection, viewer: Viewer, id: string) => Promise<Info>,
): Promise<Info> {
  try {
    const project = await findProject(connection, projectName)
    return await get(connection, { project: project ?? -1, conceal: true, confined_to: null }, id)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== `${noun}-not-found`) throw error
    throw new CommandError(
      `The project '${projectName}' has no ${noun} '${id}'.`,
      'Check the id. Use --project NAME for another project.',
    )
  }
}
