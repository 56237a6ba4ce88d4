// A file that appears under its name only when it is complete and on the disk.
import { access, constants, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../errors.ts'

/** `write` fills a file of a temporary name in the same folder. Whatever fails leaves what was there. */
export async function finishedFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${process.pid}.part`
  try {
    await access(dirname(path), constants.W_OK)
    await write(temporary)
    await sync(temporary)
    await rename(temporary, path)
    await sync(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true })
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new CommandError(
      `Cannot write ${path}: ${(error as Error).message}`,
      'Check that its folder exists, can be written by this user and has room.',
    )
  }
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
