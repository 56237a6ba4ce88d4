// What an evaluation or a share refers to must be there when it says so; what is deleted later leaves its name.
import { invalidContent } from '../errors.ts'
import type { ConfinedTo } from '../schema/shares.ts'
import type { Connection } from './dialect/dialect.ts'

interface Reference {
  variant_id?: string | null
  revision?: number | null
}

export const FIND_REVISION = `SELECT 1 FROM revision JOIN variant ON variant.key = revision.variant
  WHERE variant.project = ? AND variant.id = ? AND revision.revision = ?`

/** Throws invalid-content that says which of the two leads nowhere. */
export async function checkReferences(
  connection: Connection,
  project: number,
  { variant_id, revision }: Reference,
): Promise<void> {
  if (variant_id == null) {
    if (revision != null)
      throw invalidContent('/revision', 'A revision is of a variant: give variant_id too.')
    return
  }
  const variant = await connection.get(
    'SELECT key FROM variant WHERE project = ? AND id = ?',
    project,
    variant_id,
  )
  if (!variant) throw invalidContent('/variant_id', `This project has no variant '${variant_id}'.`)
  if (revision == null) return
  if (!(await connection.get(FIND_REVISION, project, variant_id, revision))) {
    throw invalidContent('/revision', `The variant '${variant_id}' has no revision ${revision}.`)
  }
}

/** Throws invalid-content that says which id leads nowhere. */
export async function checkConfinement(
  connection: Connection,
  project: number,
  { evaluation_id, comparison = [], variant_id }: ConfinedTo,
): Promise<void> {
  const refuse = async (noun: 'evaluation' | 'variant', id: string | undefined, place: string) => {
    if (id === undefined) return
    if (await connection.get(`SELECT 1 FROM ${noun} WHERE project = ? AND id = ?`, project, id)) return
    throw invalidContent(`/confined_to/${place}`, `This project has no ${noun} '${id}'.`)
  }
  await refuse('evaluation', evaluation_id, 'evaluation_id')
  for (const [place, id] of comparison.entries()) await refuse('evaluation', id, `comparison/${place}`)
  await refuse('variant', variant_id, 'variant_id')
}
