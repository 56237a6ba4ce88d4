// Reads one entry of a ZIP archive as a stream of chunks.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  constants,
  crc32,
  createInflateRaw,
  createZstdDecompress,
  inflateRawSync,
  zstdDecompressSync,
} from 'node:zlib'
import { LOCAL_HEADER_BYTES, type RandomAccessFile, readZip64Fields, type ZipEntry } from './directory.ts'

/** Limits of the uncompressed size: absolute, and relative to the compressed size above UNCHECKED_BYTES. */
export const MAX_ENTRY_BYTES = 2 * 1024 ** 3
export const MAX_EXPANSION = 200
export const UNCHECKED_BYTES = 8 * 1024 * 1024
/** The largest zstd window: 8 MiB, as RFC 8878 recommends. */
const ZSTD_WINDOW_LOG = 23
const CHUNK_BYTES = 256 * 1024
const MAX_SMALL_ENTRY_BYTES = 1024 * 1024

const LOCAL_HEADER_SIGNATURE = 0x04034b50
const [STORED, DEFLATED, ZSTD] = [0, 8, 93]
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
  if (size > Math.max(UNCHECKED_BYTES, MAX_EXPANSION * compressedSize))
    throw new UnreadableEntry(
      `The uncompressed entry would be more than ${MAX_EXPANSION} times as large as in the archive.`,
    )
  const compressedChunks = readCompressedChunks(file, await findDataStart(file, entry), compressedSize)
  let bytesRead = 0
  let checksum = 0
  for await (const chunk of decompress(compressedChunks, entry)) {
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

/** Zstd decompression continues with the next frame by itself. */
async function* decompress(
  compressedChunks: AsyncIterable<Buffer>,
  { method, compressedSize, size }: ZipEntry,
): AsyncGenerator<Buffer> {
  if (method === STORED) return yield* compressedChunks
  if (method !== DEFLATED && method !== ZSTD)
    throw new UnreadableEntry(`The entry uses the unsupported compression method ${method}.`)
  const options = method === ZSTD ? { params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } } : {}
  try {
    let bytesRead = 0
    if (compressedSize <= CHUNK_BYTES && size <= MAX_SMALL_ENTRY_BYTES) {
      const chunks = await Array.fromAsync(compressedChunks)
      const bytes = Buffer.concat(chunks)
      const { buffer, engine } = decompressAtOnce(bytes, method, { ...options, maxOutputLength: size + 1 })
      bytesRead = engine.bytesWritten
      yield buffer
    } else {
      const decompressor = method === ZSTD ? createZstdDecompress(options) : createInflateRaw()
      const feeding = pipeline(
        Readable.from(compressedChunks, { objectMode: true, highWaterMark: 1 }),
        decompressor,
      )
      // The loop below throws the same error.
      feeding.catch(() => undefined)
      try {
        for await (const chunk of decompressor) yield chunk as Buffer
      } finally {
        decompressor.destroy()
      }
      bytesRead = decompressor.bytesWritten
    }
    if (bytesRead !== compressedSize)
      throw new UnreadableEntry('The entry has extra bytes after its compressed data.')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof UnreadableEntry) throw error
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new UnreadableEntry(LARGER_THAN_DECLARED)
    throw new UnreadableEntry(`The entry is damaged: ${message}.`)
  }
}

/** Faster than a stream for small entries. */
function decompressAtOnce(
  bytes: Buffer,
  method: number,
  options: object,
): { buffer: Buffer; engine: { bytesWritten: number } } {
  const decompressSync = method === ZSTD ? zstdDecompressSync : inflateRawSync
  return decompressSync(bytes, { ...options, info: true }) as unknown as ReturnType<typeof decompressAtOnce>
}
