// The revisions of a variant: read as stored text, added, never changed.
import { createHash } from 'node:crypto'
import { mintVersion } from '../schema/ids.ts'
import type { VariantRevision } from '../schema/revisions.ts'
import type { Transaction } from './dialect/dialect.ts'
import type { ElementTable } from './elements.ts'

export const REVISIONS: ElementTable = {
  table: 'revision',
  owner: 'variant',
  position: 'revision',
  element: 'body',
}

/** Adds one revision. The variant answers with a new version afterwards. */
export async function addRevision(
  transaction: Transaction,
  variant: number,
  revision: VariantRevision,
  message: string | null,
): Promise<void> {
  const body = JSON.stringify(revision)
  await transaction.run(
    'INSERT INTO revision (variant, revision, body, message, digest, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    variant,
    revision.revision,
    body,
    message,
    createHash('sha256').update(JSON.stringify(revision.config)).digest(),
    revision.created_at,
  )
  await transaction.run(
    `UPDATE variant SET version = ?, revision_count = revision_count + 1, body_bytes = body_bytes + ?
     WHERE key = ?`,
    mintVersion(),
    Buffer.byteLength(body),
    variant,
  )
}
