// Temporary files that the operating system deletes when they are closed or the process exits.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** O_TMPFILE with O_DIRECTORY: opens a file without a directory entry on Linux. Node has no constant for it. */
const O_TMPFILE = 0o20200000

/** Opens a temporary file for reading and writing. Creates the folder if it does not exist. */
export async function openTemporaryFile(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'linux') {
    try {
      return await open(folder, constants.O_RDWR | O_TMPFILE, 0o600)
    } catch {
      // Not every file system supports O_TMPFILE.
    }
  }
  const path = join(folder, `.temporary-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

/** Writes all bytes at `start`. A single write() can be short, for example on a nearly full disk. */
export async function writeFully(file: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, start + at)
    at += bytesWritten
  }
}

/** Fills `bytes` from the file, beginning at `start`. Throws if the file ends earlier. */
export async function readFully(
  file: FileHandle | undefined,
  bytes: Uint8Array,
  start: number,
): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const read = await file?.read(bytes, at, bytes.length - at, start + at)
    if (!read?.bytesRead) throw new Error('The file ended before all bytes were read')
    at += read.bytesRead
  }
}
