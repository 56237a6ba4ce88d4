// API keys at rest: the public part, a hash of the whole, and what the key may do.
import { CommandError } from '../errors.ts'
import { type MintedKey, mintKey, type Scope } from '../schema/keys.ts'
import type { ConfinedTo } from '../schema/shares.ts'
import type { Connection, Transaction } from './dialect/dialect.ts'
import { ensureProject } from './projects.ts'

export interface StoredKey {
  public_id: string
  project: number
  hash: Uint8Array
  scopes: string
  /** JSON text; null where all of the project is open to it. */
  confined_to: string | null
  expires_at: string | null
  revoked_at: string | null
}

/** What may be shown of a key; the secret is nowhere in the store. */
export interface ListedKey {
  public_id: string
  last_four: string
  project: string
  name: string | null
  scopes: Scope[]
  confined_to: ConfinedTo | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

export const FIND_KEY =
  'SELECT public_id, project, hash, scopes, confined_to, expires_at, revoked_at FROM api_key WHERE public_id = ?'

/** The key a request names, to be compared and judged by the caller. */
export function findKey(connection: Connection, public_id: string): Promise<StoredKey | undefined> {
  return connection.get<StoredKey>(FIND_KEY, public_id)
}

export interface NewKey {
  project: string
  name: string | null
  scopes: readonly Scope[]
  /** Without it all of the project is open to it. */
  confined_to?: ConfinedTo | null
  expires_at: string | null
  /** The public part of the key that a share was made with over HTTP. */
  made_by?: string
}

/** Adds a key and returns it whole: the only time anyone sees it. */
export async function addKey(
  transaction: Transaction,
  key: NewKey,
  created_at = new Date().toISOString(),
): Promise<MintedKey> {
  const { confined_to = null, made_by = null } = key
  const minted = mintKey()
  await transaction.run(
    `INSERT INTO api_key (public_id, project, name, hash, last_four, scopes, confined_to, created_at, expires_at,
       made_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    minted.public_id,
    await ensureProject(transaction, key.project),
    key.name,
    minted.hash,
    minted.last_four,
    key.scopes.join(','),
    confined_to && JSON.stringify(confined_to),
    created_at,
    key.expires_at,
    made_by,
  )
  return minted
}

const LISTED = `SELECT public_id, last_four, project.name AS project, api_key.name AS name, scopes,
    confined_to, api_key.created_at AS created_at, expires_at, revoked_at
  FROM api_key JOIN project ON project.key = api_key.project`

/** The keys of a project, oldest first, ended ones included. */
export async function listKeys(connection: Connection, project: string): Promise<ListedKey[]> {
  const rows = await connection.all<ListedRow>(
    `${LISTED} WHERE project.name = ? ORDER BY api_key.created_at, public_id`,
    project,
  )
  return rows.map(asListed)
}

export async function getKey(connection: Connection, public_id: string): Promise<ListedKey> {
  const row = await connection.get<ListedRow>(`${LISTED} WHERE public_id = ?`, public_id)
  if (row) return asListed(row)
  throw new CommandError(
    `No key has the public part ${public_id}.`,
    'assay keys list --project NAME shows the keys of a project.',
  )
}

/** Until the transaction ends nobody else ends this key, or makes a share with it. */
export function lockKey(transaction: Transaction, public_id: string): Promise<void> {
  return transaction.lock('key', public_id)
}

/** Ends a key now, and the shares that were made with it. A key that has ended keeps the time of its first end. */
export async function revokeKey(transaction: Transaction, public_id: string): Promise<void> {
  await lockKey(transaction, public_id)
  await transaction.run(
    'UPDATE api_key SET revoked_at = ? WHERE (public_id = ? OR made_by = ?) AND revoked_at IS NULL',
    new Date().toISOString(),
    public_id,
    public_id,
  )
}

/** Ends every key of a project that has this name. */
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

/** From now on the shares that were made with one key end with the other, which takes its place. */
export async function passShares(transaction: Transaction, from: string, to: string): Promise<void> {
  await lockKey(transaction, from)
  await transaction.run('UPDATE api_key SET made_by = ? WHERE made_by = ?', to, from)
}

/** Lets a key end at that time, unless it ends earlier anyway. */
export async function expireKey(transaction: Transaction, public_id: string, at: string): Promise<void> {
  await transaction.run(
    'UPDATE api_key SET expires_at = ? WHERE public_id = ? AND (expires_at IS NULL OR expires_at > ?)',
    at,
    public_id,
    at,
  )
}

type ListedRow = Omit<ListedKey, 'scopes' | 'confined_to'> & { scopes: string; confined_to: string | null }

function asListed(row: ListedRow): ListedKey {
  const scopes = row.scopes.split(',') as Scope[]
  return { ...row, scopes, confined_to: readConfinement(row.confined_to) }
}

/** What a key is confined to, from the text that the store has of it. */
export function readConfinement(text: string | null): ConfinedTo | null {
  return text === null ? null : JSON.parse(text)
}
