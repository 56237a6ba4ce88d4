// Reads, adds and deletes the revisions of a variant. Revisions are immutable.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../errors.ts'
import { toStorableText } from '../../json/storable-text.ts'
import type { RevisionWrite, VariantRevision } from '../../schema/revisions.ts'
import { MAX_REVISION } from '../../schema/rules.ts'
import { normalizeTime } from '../../schema/times.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import { updateResource } from '../changes/record.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { insertRow } from '../dialect/insert.ts'
import type { RanRevision } from '../evaluations/evaluations.ts'
import type { ElementTable } from '../reads/elements.ts'

export const REVISIONS: ElementTable = {
  table: 'revision',
  parent: 'variant',
  position: 'revision',
  element: 'body',
}

/** Where each member is stored: in the body, in this order, or in a column. The others are computed on request. */
const REVISION_MEMBERS = {
  revision: 'body',
  modified_by: 'body',
  config: 'body',
  created_at: 'body',
  message: 'column',
  evaluations: 'on request',
  changes: 'on request',
} as const satisfies Record<keyof VariantRevision | keyof RevisionWrite, 'body' | 'column' | 'on request'>

const BODY_MEMBERS = Object.entries(REVISION_MEMBERS).flatMap(([name, place]) =>
  place === 'body' ? [name] : [],
)

export const FIND_REVISION_NUMBER = 'SELECT 1 FROM revision WHERE variant = ? AND revision = ?'
export const FIND_REVISION_DIGEST = 'SELECT digest FROM revision WHERE variant = ? AND revision = ?'
export const FIND_REVISION_TEXT = 'SELECT body FROM revision WHERE variant = ? AND revision = ?'

/** Parses the revision number in a URL path. Throws revision-not-found if the variant has no such revision. */
export async function getRevisionNumber(
  connection: Connection,
  variant: number,
  text: string,
): Promise<number> {
  const number = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : undefined
  const exists = number !== undefined && (await connection.get(FIND_REVISION_NUMBER, variant, number))
  if (exists) return number
  const hint = number === undefined ? 'A revision number is written in plain digits.' : LIST_HINT
  throw new Problem('revision-not-found', `The variant has no revision '${text}'. ${hint}`)
}

const LIST_HINT = 'GET /api/variants/{variant_id}/revisions lists its revisions.'

/** The exact JSON text of an existing revision. */
export async function getRevisionText(
  connection: Connection,
  variant: number,
  revision: number,
): Promise<string> {
  const row = await connection.get<{ body: string }>(FIND_REVISION_TEXT, variant, revision)
  if (!row) throw new Error(`Revision ${revision} of the variant with the key ${variant} does not exist`)
  return row.body
}

/** Whether the revision that an evaluation ran still exists. Another one can have its number. */
export async function hasRanRevision(
  connection: Connection,
  variant: number,
  { revision, revision_created_at }: Omit<RanRevision, 'variant_id'>,
): Promise<boolean> {
  const statement = 'SELECT 1 FROM revision WHERE variant = ? AND revision = ? AND created_at = ?'
  return (await connection.get(statement, variant, revision, revision_created_at)) !== undefined
}

export interface AddedRevision {
  /** The JSON text of the revision. */
  body: string
  /** Whether the revision was inserted by this call. */
  isNew: boolean
}

/**
 * Adds a revision with the requested number or the next one, and gives the variant a new version. If the number exists
 * with the same content, nothing changes. Throws conflict if its content differs.
 */
export async function addRevision(
  transaction: Transaction,
  variant: number,
  content: ParsedValue<RevisionWrite>,
): Promise<AddedRevision> {
  const { value, memberTexts } = content
  const number = value.revision ?? (await getNextRevision(transaction, variant))
  const existing = value.revision === undefined ? undefined : await findRevision(transaction, variant, number)
  if (existing) {
    if (isSameRevision(existing, content)) return { body: existing.body, isNew: false }
    throw new Problem(
      'conflict',
      `Revision ${number} already exists with different content, and revisions cannot be changed. Leave the number out to add the next revision.`,
    )
  }
  const created_at = normalizeTime(value.created_at ?? '') ?? new Date().toISOString()
  const body = serializeBody(number, created_at, memberTexts)
  const message = toStorableMessage(value)
  const digest = computeConfigDigest(memberTexts)
  await insertRow(transaction, 'revision', { variant, revision: number, body, message, digest, created_at })
  await transaction.run(RECORD_NUMBER, number, variant)
  const change = { action: 'revision.created', element: String(number), counts: { revisions: 1 } } as const
  await updateResource(transaction, 'variant', variant, change, {
    set: ['revision_count = revision_count + 1, body_bytes = body_bytes + ?', Buffer.byteLength(body)],
  })
  return { body, isNew: true }
}

/** Deletes a revision that exists. The others keep their numbers, and evaluations that ran it still contain its number. */
export async function deleteRevision(
  transaction: Transaction,
  variant: number,
  revision: number,
): Promise<void> {
  const deleted = await transaction.get<{ bytes: number }>(
    'DELETE FROM revision WHERE variant = ? AND revision = ? RETURNING octet_length(body) AS bytes',
    variant,
    revision,
  )
  if (!deleted) throw new Error(`Revision ${revision} of the variant with the key ${variant} does not exist`)
  const change = {
    action: 'revision.deleted',
    element: String(revision),
    counts: { revisions: 1 },
  } as const
  await updateResource(transaction, 'variant', variant, change, {
    set: ['revision_count = revision_count - 1, body_bytes = body_bytes - ?', deleted.bytes],
  })
}

/** Member texts are stored exactly as uploaded. */
function serializeBody(
  revision: number,
  created_at: string,
  memberTexts: ReadonlyMap<string, string>,
): string {
  const texts = new Map(memberTexts)
    .set('revision', String(revision))
    .set('created_at', JSON.stringify(created_at))
  return `{${BODY_MEMBERS.map((name) => `"${name}":${texts.get(name) ?? 'null'}`).join(',')}}`
}

/** Like addRevision, for files without revision numbers: an existing configuration is not added again. */
export async function addRevisionOnce(
  transaction: Transaction,
  variant: number,
  content: ParsedValue<RevisionWrite>,
): Promise<AddedRevision> {
  const existing = await transaction.get<{ body: string }>(
    'SELECT body FROM revision WHERE variant = ? AND digest = ? ORDER BY revision LIMIT 1',
    variant,
    computeConfigDigest(content.memberTexts),
  )
  return existing ? { body: existing.body, isNew: false } : addRevision(transaction, variant, content)
}

/** Values: the number, and the key of the variant. */
const RECORD_NUMBER = `INSERT INTO revision_number (project, variant_id, number)
  SELECT project, id, ? FROM variant WHERE key = ?
  ON CONFLICT (project, variant_id) DO UPDATE SET number = excluded.number
  WHERE excluded.number > revision_number.number`

const FIND_HIGHEST_NUMBER = `SELECT number FROM revision_number JOIN variant
  ON variant.project = revision_number.project AND variant.id = revision_number.variant_id WHERE variant.key = ?`

/** The number after the highest one that was ever used for the id of the variant, so that no number means two revisions. */
async function getNextRevision(transaction: Transaction, variant: number): Promise<number> {
  const { number } = (await transaction.get<{ number: number }>(FIND_HIGHEST_NUMBER, variant)) ?? {
    number: 0,
  }
  if (number === MAX_REVISION) {
    throw new Problem(
      'conflict',
      `The variant had revision ${MAX_REVISION}, which is the highest possible number. Create another variant.`,
    )
  }
  return number + 1
}

interface StoredRevision {
  revision: number
  body: string
  message: string | null
  digest: Uint8Array
  created_at: string
}

function findRevision(
  transaction: Transaction,
  variant: number,
  revision: number,
): Promise<StoredRevision | undefined> {
  return transaction.get<StoredRevision>(
    'SELECT revision, body, message, digest, created_at FROM revision WHERE variant = ? AND revision = ?',
    variant,
    revision,
  )
}

/** An omitted time cannot differ: the stored one was assigned by the service. */
function isSameRevision(stored: StoredRevision, { value, memberTexts }: ParsedValue<RevisionWrite>): boolean {
  const created_at = normalizeTime(value.created_at ?? '') ?? stored.created_at
  return (
    Buffer.compare(stored.digest, computeConfigDigest(memberTexts)) === 0 &&
    stored.message === toStorableMessage(value) &&
    isDeepStrictEqual(
      JSON.parse(stored.body),
      JSON.parse(serializeBody(stored.revision, created_at, memberTexts)),
    )
  )
}

function toStorableMessage({ message }: RevisionWrite): string | null {
  return message == null ? null : toStorableText(message)
}

/** A digest of the configuration only, to detect revisions with the same configuration. */
export function computeConfigDigest(memberTexts: ReadonlyMap<string, string>): Uint8Array {
  return createHash('sha256')
    .update(memberTexts.get('config') ?? '')
    .digest()
}
