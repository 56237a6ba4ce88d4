// Making an evaluation or a variant: once, however often the same request comes.
import { createHash } from 'node:crypto'
import { Problem } from '../errors.ts'
import type { Transaction } from './dialect/dialect.ts'

/** Of what was written, whatever the order of its members. */
export function creationDigest(texts: ReadonlyMap<string, string>): Uint8Array {
  const given = [...texts].filter(([, text]) => text !== 'null').sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(given)).digest()
}

/** The key of what has this id: of what is there when it was made by the same request, else of what `add` adds. */
export async function addOnce(
  transaction: Transaction,
  project: number,
  noun: 'evaluation' | 'variant',
  id: string,
  digest: Uint8Array,
  add: () => Promise<number>,
): Promise<number> {
  await transaction.lock(noun, project, id)
  const there = await transaction.get<{ key: number; digest: Uint8Array | null }>(
    `SELECT key, digest FROM ${noun} WHERE project = ? AND id = ?`,
    project,
    id,
  )
  if (!there) return add()
  if (there.digest && Buffer.compare(there.digest, digest) === 0) return there.key
  throw new Problem(
    'conflict',
    `The ${noun} '${id}' is there already and was made with other content. Nothing was changed; choose another id${noun === 'evaluation' ? ', or PATCH the one that is there' : ''}.`,
  )
}
