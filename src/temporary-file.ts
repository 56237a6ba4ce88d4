// Temporary files that the operating system deletes when they are closed or the process exits.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Opens a file without a directory entry on Linux. Node has no constant for it. The flag must be combined with
 * O_DIRECTORY, whose value depends on the CPU architecture.
 */
const O_TMPFILE = constants.O_DIRECTORY | 0o20000000

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

/** Writes all bytes, beginning at `position`. One write() can write fewer bytes, for example on a nearly full disk. */
export async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let offset = 0; offset < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset, position + offset)
    offset += bytesWritten
  }
}

/** Fills `bytes` from the file, beginning at `position`. Throws if there is no file or it ends earlier. */
export async function readFully(
  file: FileHandle | undefined,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  if (!file) throw new Error('There is no temporary file to read from')
  for (let offset = 0; offset < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, offset, bytes.length - offset, position + offset)
    if (bytesRead === 0) throw new Error('The temporary file ended before all bytes were read')
    offset += bytesRead
  }
}
