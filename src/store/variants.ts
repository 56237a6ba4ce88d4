// Variants: found by id, listed newest first, added, deleted.
import { storable } from '../json/storable.ts'
import { isId, mintId, mintVersion } from '../schema/ids.ts'
import { VARIANT_FILTERS } from '../schema/list-filters.ts'
import { normaliseTime } from '../schema/times.ts'
import type { Variant, VariantWrite } from '../schema/variants.ts'
import { type Written, written } from '../schema/written.ts'
import { addOnce, creationDigest } from './creations.ts'
import type { Connection, Transaction } from './dialect/dialect.ts'
import type { Size } from './elements.ts'
import type { NewestFirst } from './lists.ts'
import { notFound, refuseAbsent, refuseForeign, refuseUncovered, type Viewer } from './projects.ts'

/** What the read of a variant's revisions needs to know of it. */
export interface VariantHead extends Size {
  key: number
  version: string
}

export const FIND_VARIANT = `SELECT key, version, revision_count AS count, body_bytes AS bytes
  FROM variant WHERE project = ? AND id = ?`

/** Throws variant-not-found, or access-denied where the id exists and is not open to the viewer. */
export async function getVariant(connection: Connection, viewer: Viewer, id: string): Promise<VariantHead> {
  if (!isId(id)) throw notFound(viewer, 'variant', id)
  await refuseUncovered(connection, viewer, 'variant', id)
  const head = await connection.get<VariantHead>(FIND_VARIANT, viewer.project, id)
  return head ?? refuseAbsent(connection, viewer, 'variant', id)
}

/** The same for a change: until the transaction ends nobody else changes it. */
export async function takeVariant(
  transaction: Transaction,
  viewer: Viewer,
  id: string,
): Promise<VariantHead> {
  await transaction.lock('variant', viewer.project, id)
  return getVariant(transaction, viewer, id)
}

const COLUMNS = `id, name, created_at, revision_count,
  (SELECT max(revision) FROM revision WHERE revision.variant = variant.key) AS latest_revision`

export const VARIANTS: NewestFirst<Variant> = {
  table: 'variant',
  columns: COLUMNS,
  filters: VARIANT_FILTERS,
  element({ id, name, created_at, revision_count, latest_revision }) {
    return JSON.stringify({ id, name, created_at, revision_count, latest_revision })
  },
}

/** The JSON text of one variant. */
export async function getVariantText(connection: Connection, key: number): Promise<string> {
  const row = await connection.get<Variant>(`SELECT ${COLUMNS} FROM variant WHERE key = ?`, key)
  if (!row) throw new Error(`The variant with the key ${key} is not there`)
  return VARIANTS.element(row)
}

/** Throws like getVariant, but for an id that is nowhere: then there is nothing in the way of making it. */
export async function findVariant(
  connection: Connection,
  viewer: Viewer,
  id: string,
): Promise<VariantHead | undefined> {
  if (!isId(id)) throw notFound(viewer, 'variant', id)
  await refuseUncovered(connection, viewer, 'variant', id)
  const head = await connection.get<VariantHead>(FIND_VARIANT, viewer.project, id)
  if (head) return head
  await refuseForeign(connection, viewer, 'variant', id)
  return undefined
}

/** The key of a variant that a revision is sent to. Where it is not there it is made: named after its id. */
export async function ensureVariant(
  transaction: Transaction,
  viewer: Viewer,
  id: string,
  variant: Written<VariantWrite & { created_at?: string }> = written({ name: id }),
): Promise<number> {
  await transaction.lock('variant', viewer.project, id)
  const head = await findVariant(transaction, viewer, id)
  return head?.key ?? insertVariant(transaction, viewer.project, id, variant, null)
}

/**
 * Adds a variant without revisions and returns its key. A repeat of what made it changes nothing; throws
 * conflict where the id holds something else.
 */
export async function addVariant(
  transaction: Transaction,
  project: number,
  variant: Written<VariantWrite & { created_at?: string }>,
): Promise<number> {
  const id = variant.value.id ?? mintId()
  const digest = creationDigest(variant.texts)
  return addOnce(transaction, project, 'variant', id, digest, () =>
    insertVariant(transaction, project, id, variant, digest),
  )
}

async function insertVariant(
  transaction: Transaction,
  project: number,
  id: string,
  { value }: Written<VariantWrite & { created_at?: string }>,
  digest: Uint8Array | null,
): Promise<number> {
  const row = await transaction.get<{ key: number }>(
    `INSERT INTO variant (project, id, name, created_at, version, digest)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING key`,
    project,
    id,
    value.name == null ? null : storable(value.name),
    normaliseTime(value.created_at ?? '') ?? new Date().toISOString(),
    mintVersion(),
    digest,
  )
  if (!row) throw new Error('INSERT … RETURNING gave no row')
  return row.key
}

/** With its revisions; evaluations keep the names of both. */
export async function deleteVariant(transaction: Transaction, key: number): Promise<void> {
  await transaction.run('DELETE FROM variant WHERE key = ?', key)
}
