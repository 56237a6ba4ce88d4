// The directory of a ZIP archive. The reader is our own because the libraries do not read zstd and do not bound what
// they hold. Nothing is written, and no name is used as a path.
import { isUtf8 } from 'node:buffer'
import { Unreadable } from './importer.ts'

export const MAX_ENTRIES = 99_999
export const MAX_NAME_BYTES = 4096
export const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024

const END = 'PK\x05\x06'
const [END_64, LOCATOR_64] = [0x06064b50, 0x07064b50]
const DIRECTORY = 0x02014b50
const END_BYTES = 22
const LOCATOR_BYTES = 20
export const LOCAL_BYTES = 30
/** Bits of an entry's flags. */
const ENCRYPTED = 0x2041
const [FULL_16, FULL_32] = [0xffff, 0xffffffff]

export interface Bytes {
  size: number
  bytes(start: number, length: number): Promise<Buffer>
}

export interface ZipEntry {
  readonly name: string
  /** Of what comes out of it. */
  readonly size: number
  readonly packed: number
  readonly crc: number
  readonly method: number
  readonly flags: number
  /** Where its header begins, and where what follows it does. */
  readonly start: number
  readonly limit: number
}

/** Every entry, in the order of the directory. Throws Unreadable where the archive as a whole cannot be trusted. */
export async function readDirectory(file: Bytes): Promise<ZipEntry[]> {
  const { start, length, count } = await findDirectory(file)
  if (count > MAX_ENTRIES) fail(`it has ${count} entries, more than ${MAX_ENTRIES}`)
  if (length > MAX_DIRECTORY_BYTES) fail(`its directory is larger than ${MAX_DIRECTORY_BYTES} bytes`)
  const bytes = await file.bytes(start, length)
  const entries: Omit<ZipEntry, 'limit'>[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    const end = at + 46
    if (end > length || bytes.readUInt32LE(at) !== DIRECTORY) fail('its directory is damaged')
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as Sizes
    if (end + name + extra + comment > length) fail('its directory is damaged')
    entries.push(readEntry(bytes.subarray(at, end + name + extra), name))
    at = end + name + extra + comment
  }
  if (at !== length) fail('its directory is larger than its entries')
  return withLimits(entries, start)
}

type Sizes = [name: number, extra: number, comment: number]

/** The end record is the only one that leads exactly to the end of the file: two of them would be two archives. */
async function findDirectory(file: Bytes): Promise<{ start: number; length: number; count: number }> {
  const from = Math.max(0, file.size - END_BYTES - FULL_16)
  const tail = await file.bytes(from, file.size - from)
  const ends: number[] = []
  for (let at = tail.indexOf(END); at >= 0; at = tail.indexOf(END, at + 1)) {
    const behind = at + END_BYTES
    if (behind <= tail.length && behind + tail.readUInt16LE(at + 20) === tail.length) ends.push(at)
  }
  const [at] = ends
  if (at === undefined) fail('its end is missing; it may be cut off')
  if (ends.length > 1) fail('it has two ends')
  const end = tail.subarray(at, at + END_BYTES)
  const disks = [4, 6].map((offset) => end.readUInt16LE(offset))
  if (disks.some((disk) => disk !== 0 && disk !== FULL_16) || end.readUInt16LE(8) !== end.readUInt16LE(10))
    fail('it is one part of several')
  const short = { count: end.readUInt16LE(10), length: end.readUInt32LE(12), start: end.readUInt32LE(16) }
  const { behind, ...place } = await extended(file, from + at, short)
  if (place.start + place.length !== behind) fail('its directory is not where its end says')
  return place
}

type Found = { count: number; length: number; start: number }

/** With the fields of ZIP64, where there are such. `behind` is where the directory has to end. */
async function extended(file: Bytes, end: number, short: Found): Promise<Found & { behind: number }> {
  const isFull = short.count === FULL_16 || short.length === FULL_32 || short.start === FULL_32
  const locator = end >= LOCATOR_BYTES ? await file.bytes(end - LOCATOR_BYTES, LOCATOR_BYTES) : undefined
  if (locator?.readUInt32LE(0) !== LOCATOR_64) {
    if (isFull) fail('its directory is missing')
    return { ...short, behind: end }
  }
  const at = safe(locator.readBigUInt64LE(8))
  if (at + 56 > end - LOCATOR_BYTES) fail('its directory is not where its end says')
  const record = await file.bytes(at, 56)
  if (record.readUInt32LE(0) !== END_64 || at + 12 + safe(record.readBigUInt64LE(4)) !== end - LOCATOR_BYTES)
    fail('its end is damaged')
  const [count, length, start] = [32, 40, 48].map((offset) => safe(record.readBigUInt64LE(offset))) as Sizes
  const agrees = (brief: number, long: number, full: number) => brief === full || brief === long
  if (
    !agrees(short.count, count, FULL_16) ||
    !agrees(short.length, length, FULL_32) ||
    !agrees(short.start, start, FULL_32)
  )
    fail('its two ends do not agree')
  return { count, length, start, behind: at }
}

function readEntry(bytes: Buffer, nameLength: number): Omit<ZipEntry, 'limit'> {
  const name = nameOf(bytes.subarray(46, 46 + nameLength))
  const flags = bytes.readUInt16LE(8)
  if ((flags & ENCRYPTED) !== 0) fail(`its entry ${JSON.stringify(name)} is encrypted`)
  const fields = [bytes.readUInt32LE(24), bytes.readUInt32LE(20), bytes.readUInt32LE(42)]
  const [size, packed, start] = wide(fields, bytes.subarray(46 + nameLength)) as Sizes
  if ([size, packed, start].includes(Number.NaN)) fail('its directory is damaged')
  return { name, flags, method: bytes.readUInt16LE(10), crc: bytes.readUInt32LE(16), size, packed, start }
}

/** Names lead to nothing here, but an archive that has such names was made to do harm. */
function nameOf(bytes: Buffer): string {
  if (bytes.length === 0 || bytes.length > MAX_NAME_BYTES)
    fail(`the name of an entry has ${bytes.length} bytes; 1 to ${MAX_NAME_BYTES} are allowed`)
  if (!isUtf8(bytes)) fail('the name of an entry is not UTF-8')
  const name = bytes.toString()
  if (/^[/\\]|^[A-Za-z]:|\0|(^|[/\\])\.\.([/\\]|$)/.test(name))
    fail(`the name of its entry ${JSON.stringify(name.slice(0, 100))} leads out of it`)
  return name
}

/** Fields that are full stand in the extra field of ZIP64, in their order; NaN where they do not. */
export function wide(fields: number[], extra: Buffer): number[] {
  let long = extra.subarray(0, 0)
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 1) long = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  let at = 0
  return fields.map((field) => {
    if (field !== FULL_32) return field
    at += 8
    return at > long.length ? Number.NaN : Number(long.readBigUInt64LE(at - 8))
  })
}

/** No byte may belong to two entries: so what comes out cannot be more than the archive holds, many times over. */
function withLimits(entries: Omit<ZipEntry, 'limit'>[], directory: number): ZipEntry[] {
  const limits = new Map<object, number>()
  const inPlace = entries.toSorted((a, b) => a.start - b.start)
  for (const [index, entry] of inPlace.entries()) {
    const limit = inPlace[index + 1]?.start ?? directory
    const least = entry.start + LOCAL_BYTES + Buffer.byteLength(entry.name) + entry.packed
    if (least > limit) fail(`its entry ${JSON.stringify(entry.name)} overlaps what follows it`)
    limits.set(entry, limit)
  }
  return entries.map((entry) => ({ ...entry, limit: limits.get(entry) ?? 0 }))
}

function safe(value: bigint): number {
  if (value > Number.MAX_SAFE_INTEGER) fail('it says that it is larger than any file')
  return Number(value)
}

function fail(why: string): never {
  throw new Unreadable(`The ZIP archive cannot be read: ${why}.`)
}
