// Writes valid and invalid ZIP archives for tests.
import { constants, crc32, deflateRawSync, zstdCompressSync } from 'node:zlib'

export interface Entry {
  name: string
  data: Uint8Array | string
  /** 0 stored, 8 deflated, 93 zstd. */
  method?: number
  /** Override the actual values. */
  packed?: Buffer
  crc?: number
  size?: number
  packedSize?: number
  flags?: number
  /** Override values only in the header of the entry or only in the directory. */
  localName?: string
  localSize?: number
  start?: number
}

export interface ZipOptions {
  comment?: Buffer
  count?: number
  directoryStart?: number
  directoryLength?: number
  /** Writes all sizes and offsets in ZIP64 fields. */
  isZip64?: boolean
}

export function zip(entries: Entry[], options: ZipOptions = {}): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const { file, listed } = writeEntry(entry, at, options.isZip64 === true)
    files.push(file)
    directory.push(listed)
    at += file.length
  }
  const listed = Buffer.concat(directory)
  return Buffer.concat([...files, listed, ...endRecords(entries.length, at, listed.length, options)])
}

function writeEntry(entry: Entry, at: number, isZip64: boolean): { file: Buffer; listed: Buffer } {
  const { method = 8, flags = 0, start = at } = entry
  const data = Buffer.from(entry.data as Uint8Array)
  const packed = entry.packed ?? pack(data, method)
  const [crc, size] = [entry.crc ?? crc32(data), entry.size ?? data.length]
  const packedSize = entry.packedSize ?? packed.length
  const [name, localName] = [Buffer.from(entry.name), Buffer.from(entry.localName ?? entry.name)]
  const isLarge = isZip64 || size > 0xfffffffe
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(flags, 6)
  local.writeUInt16LE(method, 8)
  local.writeUInt32LE(crc, 14)
  const localSize = entry.localSize ?? size
  local.writeUInt32LE(isLarge ? 0xffffffff : packedSize, 18)
  local.writeUInt32LE(isLarge ? 0xffffffff : localSize, 22)
  local.writeUInt16LE(localName.length, 26)
  const localExtra = isLarge ? zip64Extra(localSize, packedSize) : Buffer.alloc(0)
  local.writeUInt16LE(localExtra.length, 28)
  const listed = Buffer.alloc(46)
  listed.writeUInt32LE(0x02014b50, 0)
  listed.writeUInt16LE(flags, 8)
  listed.writeUInt16LE(method, 10)
  listed.writeUInt32LE(crc, 16)
  listed.writeUInt32LE(isLarge ? 0xffffffff : packedSize, 20)
  listed.writeUInt32LE(isLarge ? 0xffffffff : size, 24)
  listed.writeUInt16LE(name.length, 28)
  const extra = isLarge ? zip64Extra(size, packedSize, start) : Buffer.alloc(0)
  listed.writeUInt16LE(extra.length, 30)
  listed.writeUInt32LE(isLarge ? 0xffffffff : start, 42)
  return {
    file: Buffer.concat([local, localName, localExtra, packed]),
    listed: Buffer.concat([listed, name, extra]),
  }
}

function pack(data: Buffer, method: number): Buffer {
  if (method === 8) return deflateRawSync(data)
  return method === 93 ? zstdCompressSync(data) : data
}

function zip64Extra(...values: number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  return extra
}

function endRecords(entries: number, at: number, length: number, options: ZipOptions): Buffer[] {
  const {
    comment = Buffer.alloc(0),
    count = entries,
    directoryStart = at,
    directoryLength = length,
  } = options
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  const isZip64 = options.isZip64 || count > 0xfffe
  for (const offset of [8, 10]) end.writeUInt16LE(isZip64 ? 0xffff : count, offset)
  end.writeUInt32LE(isZip64 ? 0xffffffff : directoryLength, 12)
  end.writeUInt32LE(isZip64 ? 0xffffffff : directoryStart, 16)
  end.writeUInt16LE(comment.length, 20)
  if (!isZip64) return [end, comment]
  const long = Buffer.alloc(56)
  long.writeUInt32LE(0x06064b50, 0)
  long.writeBigUInt64LE(44n, 4)
  for (const offset of [24, 32]) long.writeBigUInt64LE(BigInt(count), offset)
  long.writeBigUInt64LE(BigInt(directoryLength), 40)
  long.writeBigUInt64LE(BigInt(directoryStart), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(at + length), 8)
  locator.writeUInt32LE(1, 16)
  return [long, locator, end, comment]
}

/** Deflated zeros: 16 MiB per repetition, compressed to 16 kB. */
export function bomb(times: number): Buffer {
  const flushed = deflateRawSync(Buffer.alloc(16 * 1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([...Array<Buffer>(times).fill(flushed), Buffer.from([3, 0])])
}
