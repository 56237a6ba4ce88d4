// Restores a backup of an embedded store, and finds the keys that it would revive.
import { dirname } from 'node:path'
import { CommandError } from '../errors.ts'
import { expireKey, getKey, type ListedKey, revokeKey } from './access/keys.ts'
import { invalidateCursors } from './changes/change-log.ts'
import {
  copyBackup,
  type KeyEnd,
  lockStoreFile,
  removeCopy,
  replaceStoreFile,
} from './dialect/sqlite/restore-file.ts'
import { openStore, type Store, type StoreSettings, sqliteFileOf } from './store.ts'

export interface RestoreResult {
  file: string
  /** The file that contains the replaced store. Undefined if there was none. */
  previous_store: string | undefined
  /** Keys that are active in the backup, but were revoked or expired earlier in the replaced store. */
  revived_keys: ListedKey[]
  /** Why the keys could not be compared. */
  not_compared: string | undefined
}

/** Throws CommandError if the backup cannot be restored. The current store is then unchanged. */
export async function restoreStore(
  settings: StoreSettings,
  backup: string,
  revokesNewerKeys: boolean,
): Promise<RestoreResult> {
  const file = sqliteFileOf(settings)
  if (file === undefined) {
    throw new CommandError(
      'assay restore does not support PostgreSQL.',
      'Restore the database with pg_restore, and revoke keys with assay keys revoke.',
      2,
    )
  }
  try {
    // Checked before the store is locked, so that a damaged backup leaves the store as it is.
    const copy = copyBackup(backup, file)
    try {
      return { file, ...(await replaceByCopy(settings, file, copy, revokesNewerKeys)) }
    } finally {
      removeCopy(copy)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new CommandError(
      `Cannot restore ${backup}: ${(error as Error).message}`,
      `The current store was not replaced. Check the permissions of ${dirname(file)}, and its free space.`,
    )
  }
}

async function replaceByCopy(
  settings: StoreSettings,
  file: string,
  copy: string,
  revokesNewerKeys: boolean,
): Promise<Omit<RestoreResult, 'file'>> {
  const currentFile = lockStoreFile(file)
  try {
    const { keys } = currentFile
    const currentKeys = 'unreadable' in keys ? [] : keys
    const revived_keys = await withCopy(settings, copy, async (store) => {
      await store.writer.transaction(invalidateCursors)
      return findRevivedKeys(store, currentKeys, revokesNewerKeys)
    })
    const previous_store = replaceStoreFile(currentFile, copy)
    const not_compared = 'unreadable' in keys ? keys.unreadable : undefined
    return { previous_store, revived_keys, not_compared }
  } finally {
    currentFile.unlock()
  }
}

/** Opening the copy migrates it. */
async function withCopy<Result>(
  settings: StoreSettings,
  copy: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await openStore({ ...settings, database: `sqlite:${copy}` }, { createIfMissing: false })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** With `endsKeys`, revokes them in the copy, or sets their earlier expiry. */
function findRevivedKeys({ writer }: Store, currentKeys: KeyEnd[], endsKeys: boolean): Promise<ListedKey[]> {
  const now = new Date().toISOString()
  return writer.transaction(async (transaction) => {
    const rows = await transaction.all<KeyEnd>(
      'SELECT public_id, revoked_at, expires_at FROM api_key WHERE revoked_at IS NULL ORDER BY created_at, public_id',
    )
    const currentKeysById = new Map(currentKeys.map((key) => [key.public_id, key]))
    const revivedKeys: ListedKey[] = []
    for (const { public_id, expires_at } of rows) {
      const current = currentKeysById.get(public_id)
      if (current === undefined || (expires_at !== null && expires_at <= now)) continue
      const expiresEarlier =
        current.expires_at !== null && (expires_at === null || current.expires_at < expires_at)
      if (current.revoked_at === null && !expiresEarlier) continue
      const { revoked_at } = current
      const key = await getKey(transaction, public_id)
      revivedKeys.push({ ...key, revoked_at, expires_at: current.expires_at })
      if (!endsKeys) continue
      if (revoked_at !== null) await revokeKey(transaction, public_id)
      else await expireKey(transaction, public_id, current.expires_at ?? now)
    }
    return revivedKeys
  })
}
