// Share links: keys that are restricted to one evaluation, comparison, variant or review. They are created and revoked
// with keys for the whole project.
import { invalidContent, Problem } from '../../errors.ts'
import { isPublicId } from '../../schema/keys.ts'
import { type NewShare, type Share, type ShareWrite, scopeOf } from '../../schema/shares.ts'
import { normalizeTime } from '../../schema/times.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import { addKey, getKey, type ListedKey, lockKey, parseRestriction } from './keys.ts'
import { checkRestriction } from './references.ts'

const WEEK_MS = 604_800_000

/** Who creates a share link, and the current time. */
export interface ShareCreator {
  project: number
  /** The public id of the key. Undefined for the command line. */
  keyId: string | undefined
  now: number
}

/** Throws invalid-content if a referenced id does not exist or the expiry is not allowed. */
export async function addShare(
  transaction: Transaction,
  { project, keyId, now }: ShareCreator,
  { confined_to, name = null, expires_at }: ShareWrite,
): Promise<NewShare> {
  const creator = keyId === undefined ? undefined : await lockCreator(transaction, keyId)
  await checkRestriction(transaction, project, confined_to)
  const share = {
    name,
    created_at: new Date(now).toISOString(),
    scopes: [scopeOf(confined_to)],
    confined_to,
    expires_at: computeExpiry(expires_at ?? undefined, now, creator?.expires_at ?? null),
  }
  const newKey = { ...share, project, made_by: keyId }
  const { key, public_id, last_four } = await addKey(transaction, newKey, share.created_at)
  return { key, public_id, last_four, ...share }
}

async function lockCreator(transaction: Transaction, keyId: string): Promise<ListedKey> {
  await lockKey(transaction, keyId)
  const creator = await getKey(transaction, keyId)
  if (creator.revoked_at !== null) throw new Problem('access-denied', 'This key has been revoked.')
  return creator
}

/** A share link must not expire after `maxExpiry`, when the key that creates it expires. Default: one week. */
function computeExpiry(requestedExpiry: string | undefined, now: number, maxExpiry: string | null): string {
  if (requestedExpiry === undefined) {
    const expiry = new Date(now + WEEK_MS).toISOString()
    return maxExpiry !== null && maxExpiry < expiry ? maxExpiry : expiry
  }
  const expiry = normalizeTime(requestedExpiry) as string
  if (Date.parse(expiry) <= now) throw invalidContent('/expires_at', 'This time is in the past.')
  if (maxExpiry !== null && expiry > maxExpiry)
    throw invalidContent(
      '/expires_at',
      `This key expires at ${maxExpiry}. A share link cannot expire later than the key that creates it.`,
    )
  return expiry
}

type ShareRow = Omit<Share, 'scopes' | 'confined_to'> & { scopes: string; confined_to: string }

const IS_ACTIVE = 'project = ? AND confined_to IS NOT NULL AND revoked_at IS NULL AND expires_at > ?'

/** The active share links of a project, newest first. */
export async function listShares(connection: Connection, project: number, now: number): Promise<Share[]> {
  const rows = await connection.all<ShareRow>(
    `SELECT public_id, last_four, name, created_at, scopes, confined_to, expires_at FROM api_key
     WHERE ${IS_ACTIVE} ORDER BY created_at DESC, public_id`,
    project,
    new Date(now).toISOString(),
  )
  return rows.map((row) => ({
    ...row,
    scopes: row.scopes.split(',') as Share['scopes'],
    confined_to: parseRestriction(row.confined_to) as Share['confined_to'],
  }))
}

/** Throws share-not-found if the project has no active share link with this public id. */
export async function revokeShare(
  transaction: Transaction,
  project: number,
  public_id: string,
  now: number,
): Promise<void> {
  const time = new Date(now).toISOString()
  const statement = `UPDATE api_key SET revoked_at = ? WHERE public_id = ? AND ${IS_ACTIVE}`
  if (isPublicId(public_id) && (await transaction.run(statement, time, public_id, project, time)) > 0) {
    transaction.recordChange({ project, action: 'share.revoked', subject: public_id })
    return
  }
  throw new Problem(
    'share-not-found',
    `This project has no active share link '${public_id}'. GET /api/shares lists the active ones.`,
  )
}
