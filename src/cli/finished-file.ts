// A file that appears under its name only when it is complete and on the disk.
import { access, constants, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CommandError } from '../errors.ts'
import type { Store } from '../store/store.ts'

/**
 * `write` fills a file of a temporary name in the same folder, which is there, empty and for its owner alone.
 * Whatever fails leaves what was there. A file of the store itself is never replaced.
 */
export async function finishedFile(
  store: Store,
  path: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const target = await realTarget(path)
  if (isOwn(store, target)) {
    throw new CommandError(`${path} is a file of the store itself.`, 'Name another file.')
  }
  const temporary = `${target}.${process.pid}.part`
  try {
    await access(dirname(target), constants.W_OK)
    await (await open(temporary, 'w', 0o600)).close()
    await write(temporary)
    await sync(temporary)
    await rename(temporary, target)
    await sync(dirname(target))
  } catch (error) {
    await rm(temporary, { force: true })
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new CommandError(
      `Cannot write ${path}: ${(error as Error).message}`,
      'Check that its folder exists, can be written by this user and has room.',
    )
  }
}

/** Where a link leads; refuses what is there and cannot be replaced, such as a folder or a device. */
async function realTarget(path: string): Promise<string> {
  try {
    const target = await realpath(path)
    if ((await stat(target)).isFile()) return target
  } catch {
    const folder = await realpath(dirname(resolve(path))).catch(() => dirname(resolve(path)))
    return join(folder, basename(path))
  }
  throw new CommandError(
    `${path} is there and is not a file.`,
    'Name a file, or leave it out to write to a pipe.',
  )
}

/** Renamed over a file of the store that is open, another would take what is in it and what is written from now on. */
function isOwn({ file }: Store, target: string): boolean {
  return (
    file !== undefined && ['', '-wal', '-shm', '-journal'].some((ending) => target === `${file}${ending}`)
  )
}

/** Without it the name could be on the disk before the content is. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
