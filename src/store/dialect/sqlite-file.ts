// The file of an embedded store: told from other files before SQLite touches it, made when it is wanted, and
// opened with settings that are read back.
import { closeSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../../errors.ts'

/** 'Assy' in ASCII: marks a file as ours in its header. */
const APPLICATION_ID = 0x41737379
const PAGE_SIZE = 16384

/**
 * Whether there is a file. Looks at its first bytes before SQLite does, so that a file of somebody else is
 * refused and never touched.
 */
export function isStoreFile(path: string): boolean {
  const header = new Uint8Array(72)
  let length = 0
  try {
    const file = openSync(path, 'r')
    length = readSync(file, header)
    closeSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw cannotOpen(path, error)
  }
  if (length === 0) return true
  const isSqlite = new TextDecoder().decode(header.subarray(0, 16)) === 'SQLite format 3\0'
  const applicationId = new DataView(header.buffer).getUint32(68)
  if (!isSqlite || applicationId !== APPLICATION_ID) {
    throw new CommandError(
      `${path} is not a store of Assay.`,
      'Nothing was changed. Name another folder with --data, or move that file away.',
    )
  }
  return true
}

/** For its owner alone; SQLite gives the files beside it the same mode. */
export function makeStoreFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw cannotOpen(path, error)
  }
}

/** Throws CommandError where the file cannot be opened as it must be. */
export function openDatabase(
  path: string,
  options: { readOnly: boolean; busyTimeoutMs: number },
): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: options.busyTimeoutMs })
    if (!options.readOnly) prepareNewFile(database)
    setPragmas(database, path, options.busyTimeoutMs)
    return database
  } catch (error) {
    throw error instanceof CommandError ? error : cannotOpen(path, error)
  }
}

/** The page size and the mark must be there before the first table, and before WAL fixes the page size. */
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
  // A large import leaves a large -wal file; the next checkpoint cuts it back to this.
  journal_size_limit: 64 * 1024 * 1024,
}

/** A pragma that SQLite does not know or cannot honour is ignored in silence, so each is read back. */
function setPragmas(database: DatabaseSync, path: string, busyTimeoutMs: number): void {
  const wanted = { ...PRAGMAS, busy_timeout: busyTimeoutMs }
  for (const [name, value] of Object.entries(wanted)) database.exec(`PRAGMA ${name} = ${value}`)
  const expected = { ...wanted, journal_mode: 'wal', page_size: PAGE_SIZE, application_id: APPLICATION_ID }
  for (const [name, value] of Object.entries(expected)) {
    const row = database.prepare(`PRAGMA ${name}`).get() ?? {}
    const actual = Object.values(row)[0]
    if (actual !== value) {
      throw new CommandError(
        `The store ${path} runs with ${name} = ${actual} where ${value} is needed.`,
        'Nothing was changed. Use a local disk: network file systems cannot hold an embedded store.',
      )
    }
  }
}

export function cannotOpen(path: string, error: unknown): CommandError {
  const reason = error instanceof Error ? error.message : String(error)
  return new CommandError(
    `Cannot open the store ${path}: ${reason}`,
    'Check that the folder exists, can be written by this user and has room.',
  )
}
