// What an evaluation refers to must be there when it says so; a variant that is deleted later leaves its name.
import { Problem } from '../errors.ts'
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
    if (revision != null) throw leadsNowhere('/revision', 'A revision is of a variant: give variant_id too.')
    return
  }
  const variant = await connection.get(
    'SELECT key FROM variant WHERE project = ? AND id = ?',
    project,
    variant_id,
  )
  if (!variant) throw leadsNowhere('/variant_id', `This project has no variant '${variant_id}'.`)
  if (revision == null) return
  if (!(await connection.get(FIND_REVISION, project, variant_id, revision))) {
    throw leadsNowhere('/revision', `The variant '${variant_id}' has no revision ${revision}.`)
  }
}

function leadsNowhere(pointer: string, detail: string): Problem {
  const members = { errors: [{ pointer, line: 1, detail }], error_count: 1 }
  return new Problem('invalid-content', `${detail} Nothing was stored.`, {}, { members })
}
