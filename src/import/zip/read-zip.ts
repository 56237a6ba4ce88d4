// Reads ZIP archives with limits: the central directory, and entries as streams of chunks. Decision 31 says why this is our
// own code. Nothing is extracted to disk, and no entry name is used as a path.
import { isUtf8 } from 'node:buffer'
import { crc32, inflateRawSync, zstdDecompressSync } from 'node:zlib'
import { UnreadableFile } from '../../errors.ts'
import {
  type Compression,
  decompress,
  EXPANSION_CHECK_BYTES,
  MAX_EXPANSION,
  ZSTD_OPTIONS,
} from '../decompress.ts'

export const MAX_ENTRIES = 99_999
const MAX_NAME_BYTES = 4096
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024

const END_SIGNATURE = 'PK\x05\x06'
const [END_64_SIGNATURE, LOCATOR_64_SIGNATURE] = [0x06064b50, 0x07064b50]
const ENTRY_SIGNATURE = 0x02014b50
const END_BYTES = 22
const LOCATOR_BYTES = 20
const LOCAL_HEADER_BYTES = 30
/** Bits of an entry's flags. */
const ENCRYPTED_FLAGS = 0x2041
const [MAX_16, MAX_32] = [0xffff, 0xffffffff]

export interface RandomAccessFile {
  size: number
  readBytes(start: number, length: number): Promise<Buffer>
}

export interface ZipEntry {
  readonly name: string
  /** The uncompressed size. */
  readonly size: number
  readonly compressedSize: number
  readonly crc: number
  readonly method: number
  readonly flags: number
  /** Where its header begins, and where the next entry begins. */
  readonly start: number
  readonly limit: number
}

/** All entries in the order of the directory. Throws UnreadableFile if the archive is damaged or inconsistent. */
export async function readDirectory(file: RandomAccessFile): Promise<ZipEntry[]> {
  const { start, length, count } = await findDirectory(file)
  if (count > MAX_ENTRIES) fail(`it has ${count} entries, more than ${MAX_ENTRIES}`)
  if (length > MAX_DIRECTORY_BYTES) fail(`its directory is larger than ${MAX_DIRECTORY_BYTES} bytes`)
  const bytes = await file.readBytes(start, length)
  const entries: Omit<ZipEntry, 'limit'>[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    const end = at + 46
    if (end > length || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) fail('its directory is damaged')
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as Sizes
    if (end + name + extra + comment > length) fail('its directory is damaged')
    entries.push(readEntry(bytes.subarray(at, end + name + extra), name))
    at = end + name + extra + comment
  }
  if (at !== length) fail('its directory is larger than its entries')
  return addLimits(entries, start)
}

type Sizes = [name: number, extra: number, comment: number]

/** Finds the only end record whose length matches the end of the file. Two of them would mean two archives. */
async function findDirectory(
  file: RandomAccessFile,
): Promise<{ start: number; length: number; count: number }> {
  const tailStart = Math.max(0, file.size - END_BYTES - MAX_16)
  const tail = await file.readBytes(tailStart, file.size - tailStart)
  const endOffsets: number[] = []
  for (let at = tail.indexOf(END_SIGNATURE); at >= 0; at = tail.indexOf(END_SIGNATURE, at + 1)) {
    const recordEnd = at + END_BYTES
    if (recordEnd <= tail.length && recordEnd + tail.readUInt16LE(at + 20) === tail.length)
      endOffsets.push(at)
  }
  const [endOffset] = endOffsets
  if (endOffset === undefined) fail('its end record is missing; it may be truncated')
  if (endOffsets.length > 1) fail('it has two end records')
  const end = tail.subarray(endOffset, endOffset + END_BYTES)
  const disks = [4, 6].map((offset) => end.readUInt16LE(offset))
  if (disks.some((disk) => disk !== 0 && disk !== MAX_16) || end.readUInt16LE(8) !== end.readUInt16LE(10))
    fail('it is one part of a multi-part archive')
  const range32 = { count: end.readUInt16LE(10), length: end.readUInt32LE(12), start: end.readUInt32LE(16) }
  const { expectedEnd, ...range } = await readZip64End(file, tailStart + endOffset, range32)
  if (range.start + range.length !== expectedEnd) fail('its directory is not at the offset in its end record')
  return range
}

type DirectoryRange = { count: number; length: number; start: number }

/** Reads the ZIP64 fields, if present. `expectedEnd` is where the directory must end. */
async function readZip64End(
  file: RandomAccessFile,
  end: number,
  range32: DirectoryRange,
): Promise<DirectoryRange & { expectedEnd: number }> {
  const needsZip64 = range32.count === MAX_16 || range32.length === MAX_32 || range32.start === MAX_32
  const locator = end >= LOCATOR_BYTES ? await file.readBytes(end - LOCATOR_BYTES, LOCATOR_BYTES) : undefined
  if (locator?.readUInt32LE(0) !== LOCATOR_64_SIGNATURE) {
    if (needsZip64) fail('its directory is missing')
    return { ...range32, expectedEnd: end }
  }
  const at = toSafeNumber(locator.readBigUInt64LE(8))
  if (at + 56 > end - LOCATOR_BYTES) fail('its directory is not at the offset in its end record')
  const record = await file.readBytes(at, 56)
  if (
    record.readUInt32LE(0) !== END_64_SIGNATURE ||
    at + 12 + toSafeNumber(record.readBigUInt64LE(4)) !== end - LOCATOR_BYTES
  )
    fail('its end record is damaged')
  const [count, length, start] = [32, 40, 48].map((offset) =>
    toSafeNumber(record.readBigUInt64LE(offset)),
  ) as Sizes
  const agrees = (value32: number, value64: number, max32: number) => value32 === max32 || value32 === value64
  if (
    !agrees(range32.count, count, MAX_16) ||
    !agrees(range32.length, length, MAX_32) ||
    !agrees(range32.start, start, MAX_32)
  )
    fail('its two end records do not agree')
  return { count, length, start, expectedEnd: at }
}

function readEntry(bytes: Buffer, nameLength: number): Omit<ZipEntry, 'limit'> {
  const name = readName(bytes.subarray(46, 46 + nameLength))
  const flags = bytes.readUInt16LE(8)
  if ((flags & ENCRYPTED_FLAGS) !== 0) fail(`its entry ${JSON.stringify(name)} is encrypted`)
  const fields = [bytes.readUInt32LE(24), bytes.readUInt32LE(20), bytes.readUInt32LE(42)]
  const [size, compressedSize, start] = readZip64Fields(fields, bytes.subarray(46 + nameLength)) as Sizes
  if ([size, compressedSize, start].includes(Number.NaN)) fail('its directory is damaged')
  return {
    name,
    flags,
    method: bytes.readUInt16LE(10),
    crc: bytes.readUInt32LE(16),
    size,
    compressedSize,
    start,
  }
}

/** Names are not used as paths, but an archive with path traversal is malicious and rejected. */
function readName(bytes: Buffer): string {
  if (bytes.length === 0 || bytes.length > MAX_NAME_BYTES)
    fail(`the name of an entry has ${bytes.length} bytes; 1 to ${MAX_NAME_BYTES} are allowed`)
  if (!isUtf8(bytes)) fail('the name of an entry is not UTF-8')
  const name = bytes.toString()
  if (/^[/\\]|^[A-Za-z]:|\0|(^|[/\\])\.\.([/\\]|$)/.test(name))
    fail(`the name of its entry ${JSON.stringify(name.slice(0, 100))} is a path outside of the archive`)
  return name
}

/** Replaces fields with the maximum value by those in the ZIP64 extra field. NaN if they are missing. */
export function readZip64Fields(fields: number[], extra: Buffer): number[] {
  let zip64Bytes = extra.subarray(0, 0)
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 1) zip64Bytes = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  let at = 0
  return fields.map((field) => {
    if (field !== MAX_32) return field
    at += 8
    return at > zip64Bytes.length ? Number.NaN : Number(zip64Bytes.readBigUInt64LE(at - 8))
  })
}

/** Rejects overlapping entries, so that an archive cannot expand the same bytes many times. */
function addLimits(entries: Omit<ZipEntry, 'limit'>[], directory: number): ZipEntry[] {
  const limits = new Map<object, number>()
  const byStart = entries.toSorted((a, b) => a.start - b.start)
  for (const [index, entry] of byStart.entries()) {
    const limit = byStart[index + 1]?.start ?? directory
    const minimumEnd = entry.start + LOCAL_HEADER_BYTES + Buffer.byteLength(entry.name) + entry.compressedSize
    if (minimumEnd > limit) fail(`its entry ${JSON.stringify(entry.name)} overlaps the next entry`)
    limits.set(entry, limit)
  }
  return entries.map((entry) => ({ ...entry, limit: limits.get(entry) ?? 0 }))
}

function toSafeNumber(value: bigint): number {
  if (value > Number.MAX_SAFE_INTEGER) fail('it declares a size larger than any file')
  return Number(value)
}

function fail(reason: string): never {
  throw new UnreadableFile(`The ZIP archive cannot be read: ${reason}.`)
}

const MAX_ENTRY_BYTES = 2 * 1024 ** 3
const CHUNK_BYTES = 256 * 1024
const MAX_SMALL_ENTRY_BYTES = 1024 * 1024

const LOCAL_HEADER_SIGNATURE = 0x04034b50
const STORED = 0
const METHODS = new Map<number, Compression>([
  [8, 'deflate-raw'],
  [93, 'zstd'],
])
/** A flag: the header was written before the sizes were known. They follow the data. */
const SIZES_AFTER_DATA = 0x0008
const LARGER_THAN_DECLARED = 'The entry is larger than declared in the directory.'

/** One entry cannot be read. The others may be readable. */
export class UnreadableEntry extends Error {
  override name = 'UnreadableEntry'
}

/** The content of an entry. Can throw UnreadableEntry after the last chunk: discard the chunks before it then. */
export async function* readEntryBytes(file: RandomAccessFile, entry: ZipEntry): AsyncGenerator<Buffer> {
  const { size, compressedSize, crc } = entry
  if (size > MAX_ENTRY_BYTES)
    throw new UnreadableEntry(`The uncompressed entry would be larger than ${MAX_ENTRY_BYTES} bytes.`)
  if (size > Math.max(EXPANSION_CHECK_BYTES, MAX_EXPANSION * compressedSize))
    throw new UnreadableEntry(
      `The uncompressed entry would be more than ${MAX_EXPANSION} times as large as in the archive.`,
    )
  const compressedChunks = readCompressedChunks(file, await findDataStart(file, entry), compressedSize)
  let bytesRead = 0
  let checksum = 0
  for await (const chunk of decompressEntry(compressedChunks, entry)) {
    bytesRead += chunk.length
    if (bytesRead > size) throw new UnreadableEntry(LARGER_THAN_DECLARED)
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (bytesRead !== size) throw new UnreadableEntry('The entry is smaller than declared in the directory.')
  if (checksum !== crc) throw new UnreadableEntry('The entry is damaged: its checksum is wrong.')
}

/** Returns where the data begins. The header of the entry must match the directory. */
async function findDataStart(file: RandomAccessFile, entry: ZipEntry): Promise<number> {
  const name = Buffer.from(entry.name)
  const header = await file.readBytes(entry.start, LOCAL_HEADER_BYTES + name.length)
  const extraLength = header.readUInt16LE(28)
  const start = entry.start + header.length + extraLength
  const matchesDirectory =
    header.readUInt32LE(0) === LOCAL_HEADER_SIGNATURE &&
    header.readUInt16LE(8) === entry.method &&
    header.readUInt16LE(26) === name.length &&
    header.subarray(LOCAL_HEADER_BYTES).equals(name) &&
    start + entry.compressedSize <= entry.limit
  if (!matchesDirectory)
    throw new UnreadableEntry('The entry is not at the offset declared in the directory.')
  const extra = await file.readBytes(entry.start + header.length, extraLength)
  const [size, compressedSize] = readZip64Fields([header.readUInt32LE(22), header.readUInt32LE(18)], extra)
  const hasSizesAfterData = (header.readUInt16LE(6) & SIZES_AFTER_DATA) !== 0
  const agrees = (declared: number | undefined, known: number) =>
    declared === known || (hasSizesAfterData && declared === 0)
  if (
    !agrees(size, entry.size) ||
    !agrees(compressedSize, entry.compressedSize) ||
    !agrees(header.readUInt32LE(14), entry.crc)
  )
    throw new UnreadableEntry('The sizes of the entry differ from those in the directory.')
  return start
}

async function* readCompressedChunks(file: RandomAccessFile, start: number, length: number) {
  for (let offset = 0; offset < length; offset += CHUNK_BYTES)
    yield await file.readBytes(start + offset, Math.min(CHUNK_BYTES, length - offset))
}

async function* decompressEntry(
  compressedChunks: AsyncIterable<Buffer>,
  { method, compressedSize, size }: ZipEntry,
): AsyncGenerator<Buffer> {
  if (method === STORED) return yield* compressedChunks
  const compression = METHODS.get(method)
  if (compression === undefined)
    throw new UnreadableEntry(`The entry uses the unsupported compression method ${method}.`)
  try {
    const isSmall = compressedSize <= CHUNK_BYTES && size <= MAX_SMALL_ENTRY_BYTES
    if (!isSmall) return yield* decompress(compression, compressedChunks)
    const bytes = Buffer.concat(await Array.fromAsync(compressedChunks))
    const { buffer, engine } = decompressAtOnce(bytes, compression, size + 1)
    yield buffer
    if (engine.bytesWritten !== compressedSize)
      throw new UnreadableEntry('The entry has extra bytes after its compressed data.')
  } catch (error) {
    if (error instanceof UnreadableEntry) throw error
    const { code, message, cause } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new UnreadableEntry(LARGER_THAN_DECLARED)
    throw new UnreadableEntry(`The entry is damaged: ${cause instanceof Error ? cause.message : message}.`)
  }
}

/** Faster than a stream for small entries. */
function decompressAtOnce(
  bytes: Buffer,
  compression: Compression,
  maxOutputLength: number,
): { buffer: Buffer; engine: { bytesWritten: number } } {
  const decompressSync = compression === 'zstd' ? zstdDecompressSync : inflateRawSync
  const options = { ...(compression === 'zstd' && ZSTD_OPTIONS), maxOutputLength, info: true }
  return decompressSync(bytes, options) as unknown as ReturnType<typeof decompressAtOnce>
}
