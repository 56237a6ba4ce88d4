// Creates an evaluation or a variant idempotently: a repeated request returns the existing one.
import { createHash } from 'node:crypto'
import { Problem } from '../../errors.ts'
import type { Transaction } from '../dialect/dialect.ts'

/** A digest of the uploaded members, independent of their order. */
export function computeCreationDigest(memberTexts: ReadonlyMap<string, string>): Uint8Array {
  const members = [...memberTexts].filter(([, text]) => text !== 'null').sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(members)).digest()
}

/** Returns the key of the existing entity if the same request created it, otherwise inserts it. Throws conflict. */
export async function createOnce(
  transaction: Transaction,
  project: number,
  noun: 'evaluation' | 'variant',
  id: string,
  digest: Uint8Array,
  insert: () => Promise<number>,
): Promise<number> {
  await transaction.lock(noun, project, id)
  const existing = await transaction.get<{ key: number; digest: Uint8Array | null }>(
    `SELECT key, digest FROM ${noun} WHERE project = ? AND id = ?`,
    project,
    id,
  )
  if (!existing) return insert()
  if (existing.digest && Buffer.compare(existing.digest, digest) === 0) return existing.key
  throw new Problem(
    'conflict',
    `The ${noun} '${id}' already exists with different content, so nothing was changed. Choose another id${noun === 'evaluation' ? ' or PATCH the existing evaluation' : ''}.`,
  )
}
