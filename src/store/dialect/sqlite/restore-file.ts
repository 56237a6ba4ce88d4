// Replaces the SQLite file of a store by a backup. The current file is never deleted: it gets another name.
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../../errors.ts'
import { cannotOpenError, notAStoreError, openDatabase, readFileType, storeFileExists } from './file.ts'

/** A short wait, for commands that are about to end. */
const BUSY_TIMEOUT_MS = 1000
const SQLITE_BUSY = 5
/** Result codes of a file whose content cannot be used: I/O error, corrupt, not a database. */
const DAMAGE_CODES = new Set([10, 11, 26])
const SIDE_FILES = ['-wal', '-shm', '-journal']

/** When a key was revoked or expires. */
export interface KeyEnd {
  public_id: string
  revoked_at: string | null
  expires_at: string | null
}

/** The store that is replaced. No other process can open it until `unlock`. */
export interface ReplacedFile {
  path: string
  /** All keys of the store, or why they cannot be read. */
  keys: KeyEnd[] | { unreadable: string }
  unlock(): void
}

/** Throws CommandError if another process uses the store, or the file belongs to another program. */
export function lockStoreFile(path: string): ReplacedFile {
  const type = readFileType(path)
  if (type === 'other database') throw notAStoreError(path)
  const unlocked = (unreadable: string) => ({ path, keys: { unreadable }, unlock: () => undefined })
  if (type === 'missing') return unlocked('there was no store')
  const target = realpathSync(path)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(target, { timeout: BUSY_TIMEOUT_MS })
    // Fails if any other connection is open. Writes the -wal file back, so that the store is one complete file.
    database.exec('PRAGMA journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
    const keys = database.prepare('SELECT public_id, revoked_at, expires_at FROM api_key').all()
    const unlock = database.close.bind(database)
    return { path: target, keys: keys as unknown as KeyEnd[], unlock }
  } catch (error) {
    database?.close()
    const { errcode = 0, message } = error as Error & { errcode?: number }
    const code = errcode & 0xff
    if (DAMAGE_CODES.has(code) || /no such table/.test(message)) return { ...unlocked(message), path: target }
    if (code !== SQLITE_BUSY) throw cannotOpenError(path, error)
    throw new CommandError(
      `The store ${path} is in use.`,
      'Nothing was changed. Stop the service and all other commands, then run assay restore again.',
    )
  }
}

/** Copies a backup to a new file next to the store, and checks it. Throws CommandError if it cannot be restored. */
export function copyBackup(backup: string, path: string): string {
  const target = existsSync(path) ? realpathSync(path) : path
  if (!isStore(backup)) {
    throw new CommandError(`There is no backup at ${backup}.`, 'Nothing was changed. Check the file name.')
  }
  if (existsSync(path) && realpathSync(backup) === target) {
    throw new CommandError(
      `${backup} is the store itself.`,
      'Nothing was changed. Name a file of assay backup.',
    )
  }
  const copy = `${target}.${process.pid}.part`
  try {
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 })
    copyFileSync(backup, copy)
    chmodSync(copy, 0o600)
    // A copy that was made without assay backup can have a -wal file.
    if (existsSync(`${backup}-wal`)) copyFileSync(`${backup}-wal`, `${copy}-wal`)
  } catch (error) {
    removeCopy(copy)
    throw new CommandError(
      `Cannot copy ${backup}: ${(error as Error).message}`,
      'Nothing was changed. Check that the folder of the store is writable and has free space.',
    )
  }
  const problem = findDamage(copy)
  if (problem === undefined) return copy
  removeCopy(copy)
  throw new CommandError(`${backup} is damaged: ${problem}`, 'Nothing was changed. Use another backup.')
}

export function removeCopy(copy: string): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(`${copy}${suffix}`, { force: true })
}

/** `storeFileExists` with a hint about backups. */
function isStore(backup: string): boolean {
  try {
    return storeFileExists(backup)
  } catch (error) {
    throw new CommandError((error as Error).message, 'Nothing was changed. Name a file of assay backup.')
  }
}

function findDamage(file: string): string | undefined {
  try {
    const database = openDatabase(file, { readOnly: false, busyTimeoutMs: BUSY_TIMEOUT_MS })
    try {
      const rows = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[]
      return rows.map(({ integrity_check }) => integrity_check).find((line) => line !== 'ok')
    } finally {
      database.close()
    }
  } catch (error) {
    return (error as Error).message
  }
}

/**
 * Puts the copy in the place of the store. Returns the new name of the replaced store, or undefined if there was
 * none. After a failure, the store has its old name again.
 */
export function replaceStoreFile({ path }: ReplacedFile, copy: string): string | undefined {
  const exists = existsSync(path)
  const owner = statSync(exists ? path : dirname(path))
  // A command that runs as root must not take the store from the user of the service.
  if (owner.uid !== statSync(copy).uid) chownSync(copy, owner.uid, owner.gid)
  if (exists) chmodSync(copy, owner.mode & 0o777)
  sync(copy)
  const aside = exists ? findUnusedName(path) : undefined
  const movedFiles: [from: string, to: string][] = []
  try {
    if (aside !== undefined) {
      linkOrRename(path, aside)
      // A -wal file of the old store would be applied to the restored one.
      for (const suffix of SIDE_FILES.filter((name) => existsSync(path + name))) {
        renameSync(path + suffix, aside + suffix)
        movedFiles.push([path + suffix, aside + suffix])
      }
    }
    renameSync(copy, path)
  } catch (error) {
    for (const [from, to] of movedFiles) renameSync(to, from)
    if (aside !== undefined && existsSync(aside)) renameSync(aside, path)
    throw error
  }
  sync(dirname(path))
  return aside
}

/** Such as assay.db.replaced-20261116T101500Z. */
function findUnusedName(path: string): string {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  for (let count = 1; ; count += 1) {
    const name = `${path}.replaced-${time}${count === 1 ? '' : `-${count}`}`
    if (!existsSync(name)) return name
  }
}

/** With a link, there is a store under the name at every moment. Not every file system supports links. */
function linkOrRename(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    renameSync(from, to)
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
