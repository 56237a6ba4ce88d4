// Checks that the evaluations, variants and revisions that a request refers to exist. They can be deleted later.
import { invalidContent } from '../../errors.ts'
import type { KeyRestriction } from '../../schema/shares.ts'
import type { Connection } from '../dialect/dialect.ts'
import type { Noun } from './projects.ts'

interface Reference {
  variant_id?: string | null
  revision?: number | null
}

export const FIND_REVISION = `SELECT 1 FROM revision JOIN variant ON variant.key = revision.variant
  WHERE variant.project = ? AND variant.id = ? AND revision.revision = ?`

/** Throws invalid-content if the variant or the revision does not exist. */
export async function checkReferences(
  connection: Connection,
  project: number,
  { variant_id, revision }: Reference,
): Promise<void> {
  if (variant_id == null) {
    if (revision != null)
      throw invalidContent('/revision', 'A revision needs a variant. Send variant_id too.')
    return
  }
  if (!(await exists(connection, project, 'variant', variant_id)))
    throw invalidContent('/variant_id', `This project has no variant '${variant_id}'.`)
  if (revision == null) return
  if (!(await connection.get(FIND_REVISION, project, variant_id, revision))) {
    throw invalidContent('/revision', `The variant has no revision ${revision}.`)
  }
}

/** Throws invalid-content if an id does not exist. */
export async function checkRestriction(
  connection: Connection,
  project: number,
  { evaluation_id, comparison = [], variant_id, review_id }: KeyRestriction,
): Promise<void> {
  const check = async (noun: Noun, id: string | undefined, member: string) => {
    if (id === undefined) return
    if (await exists(connection, project, noun, id)) return
    throw invalidContent(`/confined_to/${member}`, `This project has no ${noun} '${id}'.`)
  }
  await check('evaluation', evaluation_id, 'evaluation_id')
  for (const [index, id] of comparison.entries()) await check('evaluation', id, `comparison/${index}`)
  await check('variant', variant_id, 'variant_id')
  await check('review', review_id, 'review_id')
}

function exists(connection: Connection, project: number, noun: Noun, id: string) {
  return connection.get(`SELECT 1 FROM ${noun} WHERE project = ? AND id = ?`, project, id)
}
