// Writes files that belong together as one tar archive, to upload them in one request.
import { basename } from 'node:path'
import { CommandError } from '../../errors.ts'
import type { Source } from '../source.ts'
import { END_BYTES, paddedSize, tarHeaders } from './format.ts'

/** The number of bytes that writeTar yields. */
export function tarSize(files: Source[]): number {
  const sizes = files.map((file) => headersOf(file).length + paddedSize(file.storedSize))
  return sizes.reduce((sum, size) => sum + size, END_BYTES)
}

/** An archive of the files, without their folders. Throws CommandError if a file changes meanwhile. */
export async function* writeTar(files: Source[]): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield headersOf(file)
    yield* readUnchanged(file)
    yield new Uint8Array(paddedSize(file.storedSize) - file.storedSize)
  }
  yield new Uint8Array(END_BYTES)
}

/** All bytes of a file as it is stored. Throws CommandError if the file changes meanwhile. */
export async function* readUnchanged(file: Source): AsyncGenerator<Uint8Array> {
  yield* file.storedChunks()
  if (await file.hasChanged())
    throw new CommandError(`${file.path} changed while it was being sent.`, 'Import it again.')
}

function headersOf({ path, storedSize }: Source): Uint8Array {
  return tarHeaders(basename(path), storedSize)
}
