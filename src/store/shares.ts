// Shares: keys that are confined to one view of a project, made and ended by keys of all of it.
import { invalidContent, Problem } from '../errors.ts'
import { isPublicId } from '../schema/keys.ts'
import type { NewShare, Share, ShareWrite } from '../schema/shares.ts'
import { normaliseTime } from '../schema/times.ts'
import type { Connection, Transaction } from './dialect/dialect.ts'
import { addKey, getKey, lockKey, type NewKey, readConfinement } from './keys.ts'
import { checkConfinement } from './references.ts'

const WEEK_MS = 604_800_000

/** Who makes a share, and when. */
export interface Maker {
  project: number
  /** The public part of the key that asks. */
  keyId: string
  now: number
}

/** Throws invalid-content where it leads nowhere, or would end too early or too late. */
export async function addShareOf(
  transaction: Transaction,
  { project, keyId, now }: Maker,
  { confined_to, name = null, expires_at }: ShareWrite,
): Promise<NewShare> {
  await lockKey(transaction, keyId)
  const maker = await getKey(transaction, keyId)
  if (maker.revoked_at !== null) throw new Problem('access-denied', 'This key was revoked meanwhile.')
  await checkConfinement(transaction, project, confined_to)
  const end = endOf(expires_at ?? undefined, now, maker.expires_at)
  const share = { project: maker.project, name, confined_to, expires_at: end, made_by: keyId }
  return addShare(transaction, share, now)
}

type WantedShare = Pick<NewKey, 'project' | 'made_by'> & Pick<Share, 'name' | 'confined_to' | 'expires_at'>

/** Of what the caller knows to be there. */
export async function addShare(transaction: Transaction, share: WantedShare, now: number): Promise<NewShare> {
  const { name, confined_to, expires_at } = share
  const created_at = new Date(now).toISOString()
  const minted = await addKey(transaction, { ...share, scopes: ['read'] }, created_at)
  const { key, public_id, last_four } = minted
  return { key, public_id, last_four, name, confined_to, created_at, expires_at }
}

/** A share ends with the key it was made with at the latest: what that key may not read then, it hands to nobody. */
function endOf(asked: string | undefined, now: number, latest: string | null): string {
  if (asked === undefined) {
    const end = new Date(now + WEEK_MS).toISOString()
    return latest !== null && latest < end ? latest : end
  }
  const end = normaliseTime(asked) as string
  if (Date.parse(end) <= now) throw invalidContent('/expires_at', 'This time has passed.')
  if (latest !== null && end > latest)
    throw invalidContent('/expires_at', `The key that asks ends at ${latest}; a share ends then or earlier.`)
  return end
}

type ShareRow = Omit<Share, 'confined_to'> & { confined_to: string }

const WORKS = 'project = ? AND confined_to IS NOT NULL AND revoked_at IS NULL AND expires_at > ?'

/** Those of a project that still work, newest first. */
export async function listShares(connection: Connection, project: number, now: number): Promise<Share[]> {
  const rows = await connection.all<ShareRow>(
    `SELECT public_id, last_four, name, confined_to, created_at, expires_at FROM api_key
     WHERE ${WORKS} ORDER BY created_at DESC, public_id`,
    project,
    new Date(now).toISOString(),
  )
  return rows.map((row) => ({
    ...row,
    confined_to: readConfinement(row.confined_to) as Share['confined_to'],
  }))
}

/** Ends a share of the project now. Throws share-not-found where there is none that works. */
export async function revokeShare(
  transaction: Transaction,
  project: number,
  public_id: string,
  now: number,
): Promise<void> {
  const time = new Date(now).toISOString()
  const statement = `UPDATE api_key SET revoked_at = ? WHERE public_id = ? AND ${WORKS}`
  if (isPublicId(public_id) && (await transaction.run(statement, time, public_id, project, time)) > 0) return
  throw new Problem(
    'share-not-found',
    `This project has no share '${public_id}' that works. GET /api/shares lists those that do.`,
  )
}
