// The revisions of a variant: read as stored text, added, never changed.
import { createHash } from 'node:crypto'
import { Problem } from '../errors.ts'
import { storable } from '../json/storable.ts'
import { mintVersion } from '../schema/ids.ts'
import type { RevisionWrite, VariantRevision } from '../schema/revisions.ts'
import { MAX_REVISION } from '../schema/rules.ts'
import { normaliseTime } from '../schema/times.ts'
import type { Written } from '../schema/written.ts'
import type { Connection, Transaction } from './dialect/dialect.ts'
import type { ElementTable } from './elements.ts'

export const REVISIONS: ElementTable = {
  table: 'revision',
  owner: 'variant',
  position: 'revision',
  element: 'body',
}

export const FIND_REVISION_NUMBER = 'SELECT 1 FROM revision WHERE variant = ? AND revision = ?'
export const FIND_REVISION_TEXT = 'SELECT body FROM revision WHERE variant = ? AND revision = ?'

/** The number that a part of a path names, in plain digits. Throws revision-not-found. */
export async function getRevisionNumber(
  connection: Connection,
  variant: number,
  text: string,
): Promise<number> {
  const number = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : undefined
  const there = number !== undefined && (await connection.get(FIND_REVISION_NUMBER, variant, number))
  if (there) return number
  const hint = number === undefined ? 'A revision is named by its number in plain digits.' : LIST_HINT
  throw new Problem('revision-not-found', `The variant has no revision '${text}'. ${hint}`)
}

const LIST_HINT = 'GET /api/variants/{variant_id}/revisions lists those it has.'

/** The exact text of a revision that is there. */
export async function getRevisionText(
  connection: Connection,
  variant: number,
  revision: number,
): Promise<string> {
  const row = await connection.get<{ body: string }>(FIND_REVISION_TEXT, variant, revision)
  if (!row) throw new Error(`Revision ${revision} of the variant with the key ${variant} is not there`)
  return row.body
}

export interface AddedRevision {
  /** The text of the revision. */
  body: string
  /** Whether it was not there before. */
  isNew: boolean
}

/**
 * Adds one revision, under the number given or the next one; the variant answers with a new version afterwards.
 * A number that holds the same changes nothing; throws conflict where it holds something else.
 */
export async function addRevision(
  transaction: Transaction,
  variant: number,
  written: Written<RevisionWrite>,
): Promise<AddedRevision> {
  const { value, texts } = written
  const number = value.revision ?? (await nextRevision(transaction, variant))
  const there = value.revision === undefined ? undefined : await findRevision(transaction, variant, number)
  if (there) {
    if (isSame(there, written)) return { body: there.body, isNew: false }
    throw new Problem(
      'conflict',
      `Revision ${number} is there already and holds something else. Revisions are never changed; leave the number out to add the next one.`,
    )
  }
  const created_at = normaliseTime(value.created_at ?? '') ?? new Date().toISOString()
  const body = `{"revision":${number},"modified_by":${texts.get('modified_by')},"config":${texts.get('config')},"created_at":"${created_at}"}`
  await transaction.run(
    'INSERT INTO revision (variant, revision, body, message, digest, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    variant,
    number,
    body,
    keptMessage(value),
    configDigest(texts),
    created_at,
  )
  await transaction.run(
    `UPDATE variant SET version = ?, revision_count = revision_count + 1, body_bytes = body_bytes + ?
     WHERE key = ?`,
    mintVersion(),
    Buffer.byteLength(body),
    variant,
  )
  return { body, isNew: true }
}

/** The same for a file that gives no numbers: a configuration that is there already is not added again. */
export async function addRevisionOnce(
  transaction: Transaction,
  variant: number,
  written: Written<RevisionWrite>,
): Promise<AddedRevision> {
  const there = await transaction.get<{ body: string }>(
    'SELECT body FROM revision WHERE variant = ? AND digest = ? ORDER BY revision LIMIT 1',
    variant,
    configDigest(written.texts),
  )
  return there ? { body: there.body, isNew: false } : addRevision(transaction, variant, written)
}

async function nextRevision(transaction: Transaction, variant: number): Promise<number> {
  const last = await transaction.get<{ revision: number | null }>(
    'SELECT max(revision) AS revision FROM revision WHERE variant = ?',
    variant,
  )
  if (last?.revision === MAX_REVISION) {
    throw new Problem('conflict', `Revision ${MAX_REVISION} is there; no number can follow it.`)
  }
  return (last?.revision ?? 0) + 1
}

interface StoredRevision {
  body: string
  message: string | null
  digest: Uint8Array
}

function findRevision(
  transaction: Transaction,
  variant: number,
  revision: number,
): Promise<StoredRevision | undefined> {
  return transaction.get<StoredRevision>(
    'SELECT body, message, digest FROM revision WHERE variant = ? AND revision = ?',
    variant,
    revision,
  )
}

/** What was not given cannot differ: a time that was left out was chosen here. */
function isSame(there: StoredRevision, { value, texts }: Written<RevisionWrite>): boolean {
  const { modified_by, created_at } = JSON.parse(there.body) as VariantRevision
  return (
    Buffer.compare(there.digest, configDigest(texts)) === 0 &&
    modified_by === value.modified_by &&
    there.message === keptMessage(value) &&
    (value.created_at === undefined || normaliseTime(value.created_at) === created_at)
  )
}

function keptMessage({ message }: RevisionWrite): string | null {
  return message == null ? null : storable(message)
}

/** Of the configuration alone: two revisions with the same digest configure the same. */
export function configDigest(texts: ReadonlyMap<string, string>): Uint8Array {
  return createHash('sha256')
    .update(texts.get('config') ?? '')
    .digest()
}
