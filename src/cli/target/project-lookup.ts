// Looks up evaluations and variants by id in a project.
import { Problem } from '../../errors.ts'
import { findProject } from '../../store/access/projects.ts'
import { getEvaluation } from '../../store/evaluations/evaluations.ts'
import type { Connection } from '../../store/store.ts'
import { getVariant } from '../../store/variants/variants.ts'
import { NotInProject } from './target.ts'

const GETTERS = { evaluation: getEvaluation, variant: getVariant }

/** Throws NotInProject if the project has no evaluation or variant with this id. */
export async function getFromProject<Noun extends keyof typeof GETTERS>(
  connection: Connection,
  projectName: string,
  noun: Noun,
  id: string,
): Promise<Awaited<ReturnType<(typeof GETTERS)[Noun]>>> {
  try {
    const project = await findProject(connection, projectName)
    const viewer = { project: project ?? -1, conceal: true, confined_to: null }
    return (await GETTERS[noun](connection, viewer, id)) as Awaited<ReturnType<(typeof GETTERS)[Noun]>>
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== `${noun}-not-found`) throw error
    throw new NotInProject(projectName, noun, id, 'If it is in another project, use --project NAME.')
  }
}
