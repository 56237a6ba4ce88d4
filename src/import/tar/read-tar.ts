// Reads uploads that are tar archives: files that belong together, such as the samples and the results of one run.
// Nothing is extracted to disk, and no entry name is used as a path.

import { basename } from 'node:path'
import { UnreadableFile } from '../../errors.ts'
import type { Source } from '../source.ts'
import { BLOCK_BYTES, checksumOf, FIELDS, paddedSize } from './format.ts'

const MAX_FILES = 10_000
/** Longer names and lists of properties are damaged. */
const MAX_PROPERTY_BYTES = 64 * 1024

interface TarEntry {
  name: string
  start: number
  size: number
}

export function isTar(head: Buffer): boolean {
  return readText(head, 'magic').startsWith('ustar')
}

/**
 * The file with the last part of `name`, by default the first one, in a folder with the others. Throws UnreadableFile if
 * the archive is damaged, has no such file, or has two files with one name.
 */
export async function openTar(archive: Source, name: string | undefined): Promise<Source> {
  const entries = new Map<string, TarEntry>()
  for await (const entry of readEntries(archive)) {
    if (entries.has(entry.name))
      throw new UnreadableFile(
        `The archive has several files with the name '${entry.name}'. Send the files of one folder.`,
      )
    entries.set(entry.name, entry)
    if (entries.size > MAX_FILES) throw new UnreadableFile(`The archive has more than ${MAX_FILES} files.`)
  }
  const open = ({ start, size }: TarEntry, path: string): Promise<Source> =>
    archive.slice(path, start, size, {
      listNames: async () => [...entries.keys()],
      open: (sibling) => open(entries.get(sibling) as TarEntry, sibling),
    })
  const [first] = entries.values()
  if (!first) throw new UnreadableFile('The archive has no file.')
  const main = name === undefined ? first : entries.get(name.split(/[/\\]/).at(-1) ?? '')
  if (!main)
    throw new UnreadableFile(
      `The archive has no file '${name}'. Set the parameter name to a file in the archive, or omit it.`,
    )
  return open(main, name ?? main.name)
}

/** The regular files by the last part of their names. Names with a leading dot are files of systems, not results. */
async function* readEntries(archive: Source): AsyncGenerator<TarEntry> {
  let longName: string | undefined
  for (let position = 0; position + BLOCK_BYTES <= archive.size; ) {
    const header = await archive.readBytes(position, BLOCK_BYTES)
    // The archive ends with empty blocks.
    if (header.every((byte) => byte === 0)) return
    const start = position + BLOCK_BYTES
    const size = Number.parseInt(readText(header, 'size').trim(), 8)
    const isValid = Number.parseInt(readText(header, 'checksum').trim(), 8) === checksumOf(header)
    if (!isValid || !(size >= 0) || start + size > archive.size)
      throw new UnreadableFile('The tar archive is damaged or incomplete. Create it again.')
    const type = readText(header, 'type')
    const properties = /^[xL]$/.test(type) && size <= MAX_PROPERTY_BYTES
    if (properties) longName = readLongName(await archive.readBytes(start, size), type)
    else {
      const path = longName ?? readText(header, 'name')
      const name = basename(path)
      if (/^[07]?$/.test(type) && !name.startsWith('.')) yield { name, start, size }
      longName = undefined
    }
    position = start + paddedSize(size)
  }
}

/** The name in an entry before a file: a text (GNU), or lines such as `19 path=long/name` (POSIX). */
function readLongName(bytes: Buffer, type: string): string | undefined {
  if (type === 'L') return bytes.toString().replace(/\0+$/, '')
  return /(?:^|\n)\d+ path=(.*)\n/.exec(bytes.toString())?.[1]
}

/** The text of a field, up to the first zero byte. */
function readText(header: Buffer, field: keyof typeof FIELDS): string {
  const [start, length] = FIELDS[field]
  return (
    header
      .subarray(start, start + length)
      .toString()
      .split('\0', 1)[0] ?? ''
  )
}
