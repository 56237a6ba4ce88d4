// Variants: find by id, list newest first, create, update and delete.
import { type FilterField, VARIANT_FILTERS } from '../../schema/filters/fields.ts'
import type { Variant, VariantWrite } from '../../schema/variants.ts'
import { recordDeletion } from '../changes/record.ts'
import type { Transaction } from '../dialect/dialect.ts'
import type { ColumnTable } from '../resources/columns.ts'
import { defineResource, type ResourceInfo } from '../resources/resource.ts'

export type VariantInfo = ResourceInfo

/** Imported variants have a creation time. */
type WrittenVariant = VariantWrite & { created_at?: string }

export const VARIANT_COLUMNS = {
  id: 'text',
  name: 'text',
  created_at: 'time',
  updated_at: 'update time',
  revision_count: 'count',
  latest_revision: {
    computed: '(SELECT max(revision) FROM revision WHERE revision.variant = variant.key)',
  },
} as const satisfies ColumnTable<Variant, WrittenVariant>

export const {
  list: VARIANTS,
  findStatement: FIND_VARIANT,
  find: findVariant,
  get: getVariant,
  lock: lockVariant,
  lockIfExists: lockVariantIfExists,
  getVersion: getVariantVersion,
  getText: getVariantText,
  ensure: ensureVariant,
  create: createVariant,
  update: updateVariant,
} = defineResource<WrittenVariant>({
  noun: 'variant',
  columns: VARIANT_COLUMNS,
  countColumn: 'revision_count',
  filters: VARIANT_FILTERS satisfies Partial<Record<keyof typeof VARIANT_COLUMNS | 'q', FilterField>>,
  conflictHint: 'Choose another id or PATCH the existing variant.',
})

/** Deletes a variant with its revisions. Evaluations that ran it still name both, and their numbers are not used again. */
export async function deleteVariant(transaction: Transaction, key: number): Promise<void> {
  await transaction.run('DELETE FROM revision WHERE variant = ?', key)
  const deleted = await transaction.get<{ project: number; id: string; count: number }>(
    'DELETE FROM variant WHERE key = ? RETURNING project, id, revision_count AS count',
    key,
  )
  if (deleted) await recordDeletion(transaction, 'variant', 'revision', deleted)
}
