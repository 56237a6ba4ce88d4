// Writes files that belong together as one tar archive, to upload them in one request.
import { basename } from 'node:path'
import { CommandError } from '../../errors.ts'
import type { Source } from '../source.ts'
import { END_BYTES, paddedSize, tarHeaders } from './format.ts'

/** The number of bytes that writeTar yields. */
export function tarSize(files: Source[]): number {
  const sizes = files.map((file) => headersOf(file).length + paddedSize(file.size))
  return sizes.reduce((sum, size) => sum + size, END_BYTES)
}

/** An archive of the files, without their folders. Throws CommandError if a file changes meanwhile. */
export async function* writeTar(files: Source[]): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield headersOf(file)
    yield* readUnchanged(file)
    yield new Uint8Array(paddedSize(file.size) - file.size)
  }
  yield new Uint8Array(END_BYTES)
}

/** All bytes of a file, in chunks that stay valid. Throws CommandError if the file changes meanwhile. */
export async function* readUnchanged(file: Source): AsyncGenerator<Uint8Array> {
  for await (const chunk of file.chunks()) yield new Uint8Array(chunk)
  if (await file.hasChanged())
    throw new CommandError(`${file.name} changed while it was being sent.`, 'Import it again.')
}

function headersOf({ name, size }: Source): Uint8Array {
  return tarHeaders(basename(name), size)
}
