// The evaluation or variant that a command names, in the project it is told.
import { CommandError, Problem } from '../errors.ts'
import { type EvaluationHead, getEvaluation } from '../store/evaluations.ts'
import { findProject, type Viewer } from '../store/projects.ts'
import type { Connection } from '../store/store.ts'
import { getVariant, type VariantHead } from '../store/variants.ts'

/** Throws CommandError where the project of that name has no such evaluation. */
export function getOwnEvaluation(connection: Connection, name: string, id: string): Promise<EvaluationHead> {
  return getOwn(connection, name, 'evaluation', id, getEvaluation)
}

/** Throws CommandError where the project of that name has no such variant. */
export function getOwnVariant(connection: Connection, name: string, id: string): Promise<VariantHead> {
  return getOwn(connection, name, 'variant', id, getVariant)
}

async function getOwn<Head>(
  connection: Connection,
  name: string,
  noun: 'evaluation' | 'variant',
  id: string,
  get: (connection: Connection, viewer: Viewer, id: string) => Promise<Head>,
): Promise<Head> {
  try {
    const project = await findProject(connection, name)
    return await get(connection, { project: project ?? -1, conceal: true, confined_to: null }, id)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== `${noun}-not-found`) throw error
    throw new CommandError(
      `The project '${name}' has no ${noun} '${id}'.`,
      'Check the id; --project NAME looks in another project.',
    )
  }
}
