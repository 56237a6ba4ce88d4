// Variants: found by id, listed newest first, added.
import { isId, mintVersion } from '../schema/ids.ts'
import type { Variant } from '../schema/variants.ts'
import type { Connection, Transaction } from './dialect/dialect.ts'
import type { Size } from './elements.ts'
import { type NewestFirst, newestFirst } from './lists.ts'
import { notFound, refuseAbsent, type Viewer } from './projects.ts'

/** What the read of a variant's revisions needs to know of it. */
export interface VariantHead extends Size {
  key: number
  version: string
}

export const FIND_VARIANT = `SELECT key, version, revision_count AS count, body_bytes AS bytes
  FROM variant WHERE project = ? AND id = ?`

/** Throws variant-not-found, or access-denied where the id exists only in another project. */
export async function getVariant(connection: Connection, viewer: Viewer, id: string): Promise<VariantHead> {
  if (!isId(id)) throw notFound('variant', id)
  const head = await connection.get<VariantHead>(FIND_VARIANT, viewer.project, id)
  return head ?? refuseAbsent(connection, viewer, 'variant', id)
}

export const VARIANTS: NewestFirst<Variant> = {
  statement: newestFirst(
    'variant',
    `id, name, created_at, revision_count,
     (SELECT max(revision) FROM revision WHERE revision.variant = variant.key) AS latest_revision`,
  ),
  element({ id, name, created_at, revision_count, latest_revision }) {
    return JSON.stringify({ id, name, created_at, revision_count, latest_revision })
  },
}

/** Adds a variant without revisions and returns its key. */
export async function addVariant(
  transaction: Transaction,
  project: number,
  variant: Pick<Variant, 'id' | 'name' | 'created_at'>,
): Promise<number> {
  const row = await transaction.get<{ key: number }>(
    'INSERT INTO variant (project, id, name, created_at, version) VALUES (?, ?, ?, ?, ?) RETURNING key',
    project,
    variant.id,
    variant.name,
    variant.created_at,
    mintVersion(),
  )
  if (!row) throw new Error('INSERT … RETURNING gave no row')
  return row.key
}
