// Variants: find by id, list newest first, create and delete.
import { toStorableText } from '../../json/storable-text.ts'
import { VARIANT_FILTERS } from '../../schema/filters/list-filters.ts'
import { generateId, generateVersion, isId } from '../../schema/ids.ts'
import { normalizeTime } from '../../schema/times.ts'
import { type ParsedValue, parsedValue } from '../../schema/validation/parsed-value.ts'
import type { Variant, VariantWrite } from '../../schema/variants.ts'
import {
  notFoundError,
  rejectOtherProject,
  rejectOutsideRestriction,
  throwNotFound,
  type Viewer,
} from '../access/projects.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { computeCreationDigest, createOnce } from '../evaluations/create-once.ts'
import type { Size } from '../reads/elements.ts'
import type { ListTable } from '../reads/lists.ts'

/** The key, version and size of a variant. */
export interface VariantInfo extends Size {
  key: number
  version: string
}

export const FIND_VARIANT = `SELECT key, version, revision_count AS count, body_bytes AS bytes
  FROM variant WHERE project = ? AND id = ?`

/** Throws variant-not-found, or access-denied if the viewer cannot access the variant. */
export async function getVariant(connection: Connection, viewer: Viewer, id: string): Promise<VariantInfo> {
  if (!isId(id)) throw notFoundError(viewer, 'variant', id)
  await rejectOutsideRestriction(connection, viewer, 'variant', id)
  const info = await connection.get<VariantInfo>(FIND_VARIANT, viewer.project, id)
  return info ?? throwNotFound(connection, viewer, 'variant', id)
}

/** Like getVariant, and locks the variant until the transaction ends. */
export async function lockVariant(
  transaction: Transaction,
  viewer: Viewer,
  id: string,
): Promise<VariantInfo> {
  await transaction.lock('variant', viewer.project, id)
  return getVariant(transaction, viewer, id)
}

const COLUMNS = `id, name, created_at, revision_count,
  (SELECT max(revision) FROM revision WHERE revision.variant = variant.key) AS latest_revision`

export const VARIANTS: ListTable<Variant> = {
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
  if (!row) throw new Error(`The variant with the key ${key} does not exist`)
  return VARIANTS.element(row)
}

/** Like getVariant, but returns undefined if no variant has the id, so that it can be created. */
export async function findVariant(
  connection: Connection,
  viewer: Viewer,
  id: string,
): Promise<VariantInfo | undefined> {
  if (!isId(id)) throw notFoundError(viewer, 'variant', id)
  await rejectOutsideRestriction(connection, viewer, 'variant', id)
  const info = await connection.get<VariantInfo>(FIND_VARIANT, viewer.project, id)
  if (info) return info
  await rejectOtherProject(connection, viewer, 'variant', id)
  return undefined
}

/** Returns the key of a variant, and creates it with its id as the name if it does not exist. */
export async function ensureVariant(
  transaction: Transaction,
  viewer: Viewer,
  id: string,
  variant: ParsedValue<VariantWrite & { created_at?: string }> = parsedValue({ name: id }),
): Promise<number> {
  await transaction.lock('variant', viewer.project, id)
  const info = await findVariant(transaction, viewer, id)
  return info?.key ?? insertVariant(transaction, viewer.project, id, variant, null)
}

/**
 * Creates a variant without revisions and returns its key. A repeated request changes nothing. Throws conflict if the
 * id exists with different content.
 */
export async function createVariant(
  transaction: Transaction,
  project: number,
  variant: ParsedValue<VariantWrite & { created_at?: string }>,
): Promise<number> {
  const id = variant.value.id ?? generateId()
  const digest = computeCreationDigest(variant.memberTexts)
  return createOnce(transaction, project, 'variant', id, digest, () =>
    insertVariant(transaction, project, id, variant, digest),
  )
}

async function insertVariant(
  transaction: Transaction,
  project: number,
  id: string,
  { value }: ParsedValue<VariantWrite & { created_at?: string }>,
  digest: Uint8Array | null,
): Promise<number> {
  const row = await transaction.get<{ key: number }>(
    `INSERT INTO variant (project, id, name, created_at, version, digest)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING key`,
    project,
    id,
    value.name == null ? null : toStorableText(value.name),
    normalizeTime(value.created_at ?? '') ?? new Date().toISOString(),
    generateVersion(),
    digest,
  )
  if (!row) throw new Error('INSERT … RETURNING returned no row')
  return row.key
}

/** Deletes a variant with its revisions. Evaluations that ran it still contain both names. */
export async function deleteVariant(transaction: Transaction, key: number): Promise<void> {
  await transaction.run('DELETE FROM variant WHERE key = ?', key)
}
