// Stored API keys: the public id, a hash of the key, its scopes and its restriction.
import { CommandError } from '../../errors.ts'
import { type GeneratedKey, generateKey, type Scope } from '../../schema/keys.ts'
import type { KeyRestriction } from '../../schema/shares.ts'
import type { Connection, SnapshotReader, Transaction } from '../dialect/dialect.ts'
import { insertRow } from '../dialect/insert.ts'
import { ensureProject } from './projects.ts'

export interface StoredKey {
  public_id: string
  project: number
  name: string | null
  hash: Uint8Array
  scopes: string
  /** JSON text; null if the key can read the whole project. */
  confined_to: string | null
  expires_at: string | null
  revoked_at: string | null
}

/** The parts of a key that can be shown. The secret is not stored. */
export interface ListedKey {
  public_id: string
  last_four: string
  project: string
  name: string | null
  scopes: Scope[]
  confined_to: KeyRestriction | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

export const FIND_KEY =
  'SELECT public_id, project, name, hash, scopes, confined_to, expires_at, revoked_at FROM api_key WHERE public_id = ? AND hash = ?'

/**
 * Finds a key by its public id and hash. The caller must verify the hash again, and expiry and revocation. The hash is a
 * condition because rows are cached per statement and values: neither a wrong secret nor an unknown key is in a cache.
 */
export function findKey(
  connection: Connection,
  public_id: string,
  hash: Uint8Array,
): Promise<StoredKey | undefined> {
  return connection.get<StoredKey>(FIND_KEY, public_id, hash)
}

/** Like findKey, without reading the store. Undefined if the key is not cached. */
export function findCachedKey(
  reader: SnapshotReader,
  public_id: string,
  hash: Uint8Array,
): StoredKey | undefined {
  return reader.cachedRow?.<StoredKey>(FIND_KEY, public_id, hash)
}

export interface NewKey {
  /** The name of a project, or the key of an existing one. */
  project: string | number
  name: string | null
  scopes: readonly Scope[]
  /** Without it, the key can read the whole project. */
  confined_to?: KeyRestriction | null
  expires_at: string | null
  /** For a share link created over HTTP: the public id of the key that created it. */
  made_by?: string | undefined
}

/** Creates a key and returns it with its secret, which cannot be read again. */
export async function addKey(
  transaction: Transaction,
  key: NewKey,
  created_at = new Date().toISOString(),
): Promise<GeneratedKey> {
  const { name, expires_at, confined_to = null, made_by = null } = key
  const generatedKey = generateKey()
  const { public_id, hash, last_four } = generatedKey
  const project =
    typeof key.project === 'number' ? key.project : await ensureProject(transaction, key.project)
  await insertRow(transaction, 'api_key', {
    public_id,
    project,
    name,
    hash,
    last_four,
    scopes: key.scopes.join(','),
    confined_to: confined_to && JSON.stringify(confined_to),
    created_at,
    expires_at,
    made_by,
  })
  const action = confined_to ? 'share.created' : 'key.created'
  transaction.recordChange({ project, action, subject: public_id })
  return generatedKey
}

const SELECT_KEYS = `SELECT public_id, last_four, project.name AS project, api_key.name AS name, scopes,
    confined_to, api_key.created_at AS created_at, expires_at, revoked_at
  FROM api_key JOIN project ON project.key = api_key.project`

/** The keys of a project, oldest first, including expired and revoked ones. */
export async function listKeys(connection: Connection, project: string): Promise<ListedKey[]> {
  const rows = await connection.all<KeyRow>(
    `${SELECT_KEYS} WHERE project.name = ? ORDER BY api_key.created_at, public_id`,
    project,
  )
  return rows.map(toListedKey)
}

export async function getKey(connection: Connection, public_id: string): Promise<ListedKey> {
  const row = await connection.get<KeyRow>(`${SELECT_KEYS} WHERE public_id = ?`, public_id)
  if (row) return toListedKey(row)
  throw new CommandError(
    `There is no key with the public id ${public_id}.`,
    'Run assay keys list --project NAME to see the keys of a project.',
  )
}

/** Until the transaction ends, no other transaction can revoke this key or create a share link with it. */
export function lockKey(transaction: Transaction, public_id: string): Promise<void> {
  return transaction.lock('key', public_id)
}

/** Revokes a key and the share links created with it. An earlier revocation time is not changed. */
export async function revokeKey(transaction: Transaction, public_id: string): Promise<void> {
  await lockKey(transaction, public_id)
  const revokedKeys = await transaction.all<Pick<StoredKey, 'project' | 'public_id' | 'confined_to'>>(
    `UPDATE api_key SET revoked_at = ? WHERE (public_id = ? OR made_by = ?) AND revoked_at IS NULL
     RETURNING project, public_id, confined_to`,
    new Date().toISOString(),
    public_id,
    public_id,
  )
  for (const { project, public_id: subject, confined_to } of revokedKeys) {
    transaction.recordChange({ project, action: confined_to ? 'share.revoked' : 'key.revoked', subject })
  }
}

/** Revokes all keys of a project that have this name. */
export async function revokeKeysNamed(
  transaction: Transaction,
  project: string,
  name: string,
): Promise<void> {
  const rows = await transaction.all<{ public_id: string }>(
    `SELECT public_id FROM api_key WHERE name = ? AND revoked_at IS NULL
     AND project = (SELECT key FROM project WHERE project.name = ?)`,
    name,
    project,
  )
  for (const { public_id } of rows) await revokeKey(transaction, public_id)
}

/** Moves the share links of a key to the key that replaces it, so that revoking the new key revokes them. */
export async function transferShares(
  transaction: Transaction,
  fromKey: string,
  toKey: string,
): Promise<void> {
  await lockKey(transaction, fromKey)
  await transaction.run('UPDATE api_key SET made_by = ? WHERE made_by = ?', toKey, fromKey)
}

/** Sets the expiry of a key, unless it expires earlier already. */
export async function expireKey(
  transaction: Transaction,
  public_id: string,
  expiresAt: string,
  action: 'key.expired' | 'key.rotated' = 'key.expired',
): Promise<void> {
  const expiredKey = await transaction.get<{ project: number }>(
    `UPDATE api_key SET expires_at = CASE WHEN expires_at < ? THEN expires_at ELSE ? END WHERE public_id = ?
     RETURNING project`,
    expiresAt,
    expiresAt,
    public_id,
  )
  if (expiredKey) transaction.recordChange({ project: expiredKey.project, action, subject: public_id })
}

type KeyRow = Omit<ListedKey, 'scopes' | 'confined_to'> & { scopes: string; confined_to: string | null }

function toListedKey(row: KeyRow): ListedKey {
  const scopes = row.scopes.split(',') as Scope[]
  return { ...row, scopes, confined_to: parseRestriction(row.confined_to) }
}

/** Parses the column `confined_to`. */
export function parseRestriction(text: string | null): KeyRestriction | null {
  return text === null ? null : JSON.parse(text)
}
