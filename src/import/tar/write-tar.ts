// Writes files that belong together as one tar archive, to upload them in one request.
import { basename } from 'node:path'
import { CommandError } from '../../errors.ts'
import type { Source } from '../source.ts'
import { BLOCK_BYTES, checksumOf, FIELDS, paddedSize } from './format.ts'

/** Two empty blocks. */
const END_BYTES = 2 * BLOCK_BYTES

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

function headersOf({ name, size }: Source): Buffer {
  const entryName = basename(name)
  const header = headerOf(entryName, size, '0')
  if (Buffer.byteLength(entryName) <= FIELDS.name[1]) return header
  const longName = Buffer.from(entryName)
  const content = Buffer.alloc(paddedSize(longName.length))
  longName.copy(content)
  return Buffer.concat([headerOf('././@LongLink', longName.length, 'L'), content, header])
}

function headerOf(name: string, size: number, type: string): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES)
  const write = (field: keyof typeof FIELDS, text: string) => {
    const [start, length] = FIELDS[field]
    header.write(text, start, length)
  }
  write('name', name)
  write('mode', '0000644')
  write('size', size.toString(8).padStart(11, '0'))
  write('type', type)
  write('magic', 'ustar')
  write('version', '00')
  write('checksum', `${checksumOf(header).toString(8).padStart(6, '0')}\0 `)
  return header
}
