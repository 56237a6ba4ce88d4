// Writes a file that appears under its name only when it is complete and synced to disk.
import { access, constants, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandError } from '../../errors.ts'

interface StoreFile {
  /** The path of the store, if it is one file. */
  readonly file?: string | undefined
}

/**
 * `write` fills an existing temporary file in the same folder, which only its owner can read. A failure leaves the
 * previous file unchanged. Files of the store are never replaced.
 */
export async function writeFileAtomically(
  store: StoreFile,
  path: string,
  write: (temporaryPath: string) => Promise<void>,
): Promise<void> {
  const target = await resolveTarget(path)
  if (isStoreFile(store, target)) {
    throw new CommandError(`${path} is a file of the store.`, 'Choose another file.')
  }
  const temporaryPath = `${target}.${process.pid}.part`
  try {
    await access(dirname(target), constants.W_OK)
    await (await open(temporaryPath, 'w', 0o600)).close()
    await write(temporaryPath)
    await sync(temporaryPath)
    await rename(temporaryPath, target)
    await sync(dirname(target))
  } catch (error) {
    await rm(temporaryPath, { force: true })
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new CommandError(
      `Cannot write ${path}: ${(error as Error).message}`,
      'Check that the folder exists and is writable, and that the disk has free space.',
    )
  }
}

/** Resolves symbolic links. Rejects targets that cannot be replaced, such as a folder or a device. */
async function resolveTarget(path: string): Promise<string> {
  try {
    const target = await realpath(path)
    if ((await stat(target)).isFile()) return target
  } catch {
    const folder = await realpath(dirname(resolve(path))).catch(() => dirname(resolve(path)))
    return join(folder, basename(path))
  }
  throw new CommandError(
    `${path} exists and is not a regular file.`,
    'Choose another file. To write to a pipe, use standard output.',
  )
}

/** Replacing an open file of the store would lose its data and all later writes. */
function isStoreFile({ file }: StoreFile, target: string): boolean {
  return (
    file !== undefined && ['', '-wal', '-shm', '-journal'].some((suffix) => target === `${file}${suffix}`)
  )
}

/** Without a sync, the rename could reach the disk before the content. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
