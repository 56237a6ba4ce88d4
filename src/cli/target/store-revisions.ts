// Compares two revisions of a variant in a store.
import { Problem } from '../../errors.ts'
import { LruCache, sizeOfText } from '../../store/cache/lru-cache.ts'
import type { Connection } from '../../store/store.ts'
import { getChangesBetween } from '../../store/variants/revision-changes.ts'
import { getRevisionNumber } from '../../store/variants/revisions.ts'
import { revisionNotFoundError } from './target.ts'

/** The JSON text of the changes. Throws CommandError if a revision does not exist. */
export async function diffRevisions(
  snapshot: Connection,
  variant: { key: number; id: string },
  from: string,
  to: string,
): Promise<string> {
  const numbers: number[] = []
  for (const text of [from, to]) numbers.push(await getNumber(snapshot, variant, text))
  const [oldNumber = 0, newNumber = 0] = numbers
  return getChangesBetween(new LruCache(0, sizeOfText), snapshot, variant, oldNumber, newNumber)
}

async function getNumber(
  snapshot: Connection,
  variant: { key: number; id: string },
  text: string,
): Promise<number> {
  try {
    return await getRevisionNumber(snapshot, variant.key, text)
  } catch (error) {
    if (error instanceof Problem && error.code === 'revision-not-found')
      throw revisionNotFoundError(variant.id, text)
    throw error
  }
}
