// A file without a name: it goes when it is closed, or with the process, however that ends.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Linux makes a file that never had a name; Node does not name the flag (O_TMPFILE with O_DIRECTORY). */
const NAMELESS = 0o20200000

/** To be written and read again. The folder is made when it is not there. */
export async function openUnnamed(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'linux') {
    try {
      return await open(folder, constants.O_RDWR | NAMELESS, 0o600)
    } catch {
      // Not every file system can.
    }
  }
  const path = join(folder, `.spool-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

/** The system may write less than it was given, a nearly full disk above all. */
export async function writeWhole(file: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, start + at)
    at += bytesWritten
  }
}

export async function readWhole(
  file: FileHandle | undefined,
  bytes: Uint8Array,
  start: number,
): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const read = await file?.read(bytes, at, bytes.length - at, start + at)
    if (!read?.bytesRead) throw new Error('What was set aside is not there any more')
    at += read.bytesRead
  }
}
