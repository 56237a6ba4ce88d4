// Counts the parameters that differ between the revisions that two evaluations ran.
import type { Viewer } from '../access/projects.ts'
import type { LruCache } from '../cache/lru-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import { getRevisionOf } from '../evaluations/evaluations.ts'
import { countChangesBetween } from './revision-changes.ts'
import { hasRanRevision } from './revisions.ts'
import { findVariant } from './variants.ts'

/**
 * The number of parameters that differ; null unless both evaluations ran revisions of the same variant, and the viewer can
 * read it. Keys that are restricted to evaluations cannot.
 */
export async function countChangedParameters(
  connection: Connection,
  viewer: Viewer,
  { baseline, evaluation }: { baseline: { key: number }; evaluation: { key: number } },
  cache: LruCache<string>,
): Promise<number | null> {
  if (viewer.confined_to !== null) return null
  const from = await getRevisionOf(connection, baseline.key)
  const to = await getRevisionOf(connection, evaluation.key)
  if (from.variant_id === null || from.variant_id !== to.variant_id) return null
  if (from.revision === null || to.revision === null) return null
  const variant = await findVariant(connection, viewer, from.variant_id)
  if (!variant) return null
  for (const ran of [from, to]) if (!(await hasRanRevision(connection, variant.key, ran))) return null
  return countChangesBetween(cache, connection, variant.key, from.revision, to.revision)
}
