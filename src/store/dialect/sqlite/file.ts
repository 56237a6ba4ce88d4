// The SQLite file of a store: checks that the file belongs to Assay, creates it, and opens it with verified settings.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../../../errors.ts'
import type { CompactedSizes } from '../dialect.ts'
import { isBusy, isDamaged } from './errors.ts'

/** 'Assy' in ASCII. Identifies a store file by its SQLite header. */
const APPLICATION_ID = 0x41737379
const PAGE_SIZE = 16384

/** Whether the file exists. Throws CommandError if it is not a store. */
export function storeFileExists(path: string): boolean {
  const type = readFileType(path)
  if (type === 'store') return true
  if (type === 'missing') return false
  throw notAStoreError(path)
}

export function notAStoreError(path: string): CommandError {
  return new CommandError(
    `${path} is not an Assay store.`,
    'Nothing was changed. Choose another folder with --data, or move the file. If it was a store, it is damaged: restore a backup with assay restore FILE.',
  )
}

/**
 * Reads the header before SQLite opens the file, so that a foreign file is never changed. An empty file counts as a
 * store. Throws CommandError if the file cannot be read.
 */
export function readFileType(path: string): 'missing' | 'store' | 'other database' | 'other file' {
  let header: Buffer
  try {
    header = readHeader(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    throw cannotOpenError(path, error)
  }
  if (header.length === 0) return 'store'
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return 'other file'
  return header.length >= 72 && header.readUInt32BE(68) === APPLICATION_ID ? 'store' : 'other database'
}

/** Up to 72 bytes. */
function readHeader(path: string): Buffer {
  const header = Buffer.alloc(72)
  const file = openSync(path, 'r')
  try {
    return header.subarray(0, readSync(file, header))
  } finally {
    closeSync(file)
  }
}

/** In the SQLite header: the version of the file format for writes and for reads. 2 is WAL mode. */
const [WRITE_VERSION, READ_VERSION, WAL_VERSION] = [18, 19, 2]

/** Whether the first connection has to write: to a new file, to one without WAL mode such as a backup, or after a crash. */
export function mustBePrepared(path: string): boolean {
  const header = readHeader(path)
  const isWal = header[WRITE_VERSION] === WAL_VERSION && header[READ_VERSION] === WAL_VERSION
  return !isWal || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Deletes the -wal file, which read-only connections leave. The next process deletes it otherwise. */
export function closeStoreFile(path: string): void {
  try {
    openDatabase(path, { readOnly: false, busyTimeoutMs: 0 }).close()
  } catch {}
}

/** Readable by its owner only. SQLite creates the -wal and -shm files with the same mode. */
export function createStoreFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw cannotOpenError(path, error)
  }
}

/** SQLite opens a file without write permission for reading only. Throws CommandError then; ignores a missing file. */
export function checkWritable(path: string): void {
  if (!existsSync(path)) return
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    // SQLite creates the -wal and -shm files in it.
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw cannotOpenError(path, error)
  }
}

/**
 * Whether SQLite must read the file as immutable: it cannot create the -shm file that it reads in WAL mode, or could not delete
 * it afterwards. With a -wal file, a process is using the store, or has crashed.
 */
export function isImmutable(path: string): boolean {
  return !isWritable(path) && !existsSync(`${path}-wal`)
}

/** SQLite needs the folder too: it creates the -wal and -shm files in it. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Changes whenever another process writes to the file. */
export function fileVersion(path: string): string {
  const { mtimeMs, size, ino } = statSync(path)
  return `${mtimeMs} ${size} ${ino} ${existsSync(`${path}-wal`)}`
}

/** A writer waits while another process runs a large import, a reader only while one recovers the file after a crash. */
export const BUSY_TIMEOUT_MS = { writer: 60_000, reader: 10_000 }

/** How long to wait before a locked file is opened again. */
const RETRY_MS = 10

/** Throws CommandError if the file cannot be opened with the required settings, and the SQLite error if it is damaged. */
export function openDatabase(
  path: string,
  options: { readOnly: boolean; busyTimeoutMs?: number },
): DatabaseSync {
  const { readOnly, busyTimeoutMs = BUSY_TIMEOUT_MS[readOnly ? 'reader' : 'writer'] } = options
  const deadline = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      return tryOpen(path, readOnly, busyTimeoutMs)
    } catch (error) {
      if (error instanceof CommandError || isDamaged(error)) throw error
      // SQLite does not wait for a process that changes the file to WAL mode, or closes it as the last one.
      if (!isBusy(error) || performance.now() >= deadline) throw cannotOpenError(path, error)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

function tryOpen(path: string, readOnly: boolean, busyTimeoutMs: number): DatabaseSync {
  const immutable = readOnly && isImmutable(path)
  const location = immutable ? new URL(`${pathToFileURL(path)}?immutable=1`) : path
  const database = new DatabaseSync(location, { readOnly, timeout: busyTimeoutMs })
  try {
    if (!readOnly) prepareNewFile(database)
    setPragmas(database, path, busyTimeoutMs, immutable)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** VACUUM writes the new content to the -wal file. The checkpoint copies it to the file, which then becomes smaller. */
export function compactFile(path: string): CompactedSizes {
  const database = openDatabase(path, { readOnly: false })
  try {
    const bytes_before = sizeOf(database)
    database.exec('VACUUM')
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return { bytes_before, bytes: sizeOf(database) }
  } finally {
    database.close()
  }
}

/** Includes the pages that are only in the -wal file. */
function sizeOf(database: DatabaseSync): number {
  const { page_count } = database.prepare('PRAGMA page_count').get() as { page_count: number }
  return page_count * PAGE_SIZE
}

/** Page size and application id must be set before the first table exists. WAL mode makes the page size final. */
function prepareNewFile(database: DatabaseSync): void {
  const { application_id } = database.prepare('PRAGMA application_id').get() as { application_id: number }
  if (application_id === 0) {
    database.exec(`PRAGMA page_size = ${PAGE_SIZE}`)
    database.exec('BEGIN IMMEDIATE')
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    database.exec('COMMIT')
  }
  database.exec('PRAGMA journal_mode = WAL')
}

const PRAGMAS = {
  synchronous: 2,
  foreign_keys: 1,
  trusted_schema: 0,
  // A checkpoint truncates a -wal file that a large import has left to this size.
  journal_size_limit: 64 * 1024 * 1024,
}

/** SQLite silently ignores a pragma that it does not support, so each value is read back. */
function setPragmas(database: DatabaseSync, path: string, busyTimeoutMs: number, immutable: boolean): void {
  const settings = { ...PRAGMAS, busy_timeout: busyTimeoutMs }
  for (const [name, value] of Object.entries(settings)) database.exec(`PRAGMA ${name} = ${value}`)
  // An immutable file has no journal.
  const journal = immutable ? {} : { journal_mode: 'wal' }
  const expected = { ...settings, ...journal, page_size: PAGE_SIZE, application_id: APPLICATION_ID }
  for (const [name, value] of Object.entries(expected)) {
    const row = database.prepare(`PRAGMA ${name}`).get() ?? {}
    const actual = Object.values(row)[0]
    if (actual !== value) {
      throw new CommandError(
        `The store ${path} has ${name} = ${actual}, but ${value} is required.`,
        'Nothing was changed. Use a local disk: SQLite stores do not work on network file systems.',
      )
    }
  }
}

export function cannotOpenError(path: string, error: unknown): CommandError {
  const reason = error instanceof Error ? error.message : String(error)
  return new CommandError(
    `Cannot open the store ${path}: ${reason}`,
    'Check that the folder exists, that this user can write to it, and that the disk is not full.',
  )
}
