// One entry of a ZIP archive, never more of it at a time than a chunk.
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
import { type Bytes, LOCAL_BYTES, wide, type ZipEntry } from './zip.ts'

/** How large an entry may become, and how many times its size in the archive once it is larger than `FREE_BYTES`. */
export const MAX_ENTRY_BYTES = 2 * 1024 ** 3
export const MAX_EXPANSION = 200
export const FREE_BYTES = 8 * 1024 * 1024
/** A frame of zstd may ask for a window of so many bits: 8 MiB, as RFC 8878 recommends. */
const ZSTD_WINDOW_LOG = 23
const CHUNK_BYTES = 256 * 1024
const SMALL_BYTES = 1024 * 1024

const LOCAL = 0x04034b50
const [STORED, DEFLATED, ZSTD] = [0, 8, 93]
/** A bit of the flags: the header is written before the sizes are known. */
const SIZES_BEHIND = 0x0008
const LARGER = 'It is larger than the directory says.'

/** An entry that cannot be read; the others may be. */
export class BadEntry extends Error {
  override name = 'BadEntry'
}

/** What an entry holds. Throws BadEntry, in the end too: what came before must not be used then. */
export async function* readEntryBytes(
  file: Bytes,
  entry: ZipEntry,
  onRead = (_: number) => {},
): AsyncGenerator<Buffer> {
  const { size, packed, crc } = entry
  if (size > MAX_ENTRY_BYTES) throw new BadEntry(`It would become larger than ${MAX_ENTRY_BYTES} bytes.`)
  if (size > Math.max(FREE_BYTES, MAX_EXPANSION * packed))
    throw new BadEntry(`It would become more than ${MAX_EXPANSION} times as large as it is in the archive.`)
  const raw = packedChunks(file, await dataStart(file, entry), packed, onRead)
  let read = 0
  let sum = 0
  for await (const chunk of unpacked(raw, entry)) {
    read += chunk.length
    if (read > size) throw new BadEntry(LARGER)
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (read !== size) throw new BadEntry('It is smaller than the directory says.')
  if (sum !== crc) throw new BadEntry('It is damaged: its checksum is wrong.')
}

/** The header of the entry has to say what the directory says. */
async function dataStart(file: Bytes, entry: ZipEntry): Promise<number> {
  const name = Buffer.from(entry.name)
  const header = await file.bytes(entry.start, LOCAL_BYTES + name.length)
  const extraLength = header.readUInt16LE(28)
  const start = entry.start + header.length + extraLength
  const isSame =
    header.readUInt32LE(0) === LOCAL &&
    header.readUInt16LE(8) === entry.method &&
    header.readUInt16LE(26) === name.length &&
    header.subarray(LOCAL_BYTES).equals(name) &&
    start + entry.packed <= entry.limit
  if (!isSame) throw new BadEntry('It is not where the directory says.')
  const extra = await file.bytes(entry.start + header.length, extraLength)
  const [size, packed] = wide([header.readUInt32LE(22), header.readUInt32LE(18)], extra)
  const isBehind = (header.readUInt16LE(6) & SIZES_BEHIND) !== 0
  const agrees = (said: number | undefined, known: number) => said === known || (isBehind && said === 0)
  if (
    !agrees(size, entry.size) ||
    !agrees(packed, entry.packed) ||
    !agrees(header.readUInt32LE(14), entry.crc)
  )
    throw new BadEntry('Its sizes are not those in the directory.')
  return start
}

async function* packedChunks(file: Bytes, start: number, length: number, onRead: (bytes: number) => void) {
  for (let at = 0; at < length; at += CHUNK_BYTES) {
    const chunk = await file.bytes(start + at, Math.min(CHUNK_BYTES, length - at))
    onRead(chunk.length)
    yield chunk
  }
}

/** Zstd goes from one frame to the next by itself. */
async function* unpacked(
  raw: AsyncIterable<Buffer>,
  { method, packed, size }: ZipEntry,
): AsyncGenerator<Buffer> {
  if (method === STORED) return yield* raw
  if (method !== DEFLATED && method !== ZSTD)
    throw new BadEntry(`It is compressed by a method, ${method}, that is not known.`)
  const how = method === ZSTD ? { params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } } : {}
  try {
    let taken = 0
    if (packed <= CHUNK_BYTES && size <= SMALL_BYTES) {
      const chunks = await Array.fromAsync(raw)
      const bytes = Buffer.concat(chunks)
      const { buffer, engine } = atOnce(bytes, method, { ...how, maxOutputLength: size + 1 })
      taken = engine.bytesWritten
      yield buffer
    } else {
      const unpacker = method === ZSTD ? createZstdDecompress(how) : createInflateRaw()
      const fed = pipeline(Readable.from(raw, { objectMode: true, highWaterMark: 1 }), unpacker)
      // It fails where the loop does, which tells of it.
      fed.catch(() => undefined)
      try {
        for await (const chunk of unpacker) yield chunk as Buffer
      } finally {
        unpacker.destroy()
      }
      taken = unpacker.bytesWritten
    }
    if (taken !== packed) throw new BadEntry('Something follows what is compressed in it.')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof BadEntry) throw error
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new BadEntry(LARGER)
    throw new BadEntry(`It is damaged: ${message}.`)
  }
}

/** A stream costs more than a small entry does. */
function atOnce(
  bytes: Buffer,
  method: number,
  how: object,
): { buffer: Buffer; engine: { bytesWritten: number } } {
  const unpack = method === ZSTD ? zstdDecompressSync : inflateRawSync
  return unpack(bytes, { ...how, info: true }) as unknown as ReturnType<typeof atOnce>
}
