// Encodings of whole files: gzip, zstd and UTF-16, detected by the first bytes. They are decoded to UTF-8 as a stream.
import { UnreadableFile } from '../errors.ts'
import { type Compression, DecompressionError, decompress, MAX_EXPANSION } from './decompress.ts'

export interface Encoding {
  compression: Compression | undefined
  utf16: 'little-endian' | 'big-endian' | undefined
}

/** The name that a compressed file has without compression. */
export function withoutCompressionSuffix(name: string): string {
  return name.replace(/(?<=[^/\\])\.(gz|zst)$/i, '')
}

/** Undefined if the file is stored as it is. `read` reads the file from the beginning, in chunks that stay valid. */
export async function detectEncoding(
  head: Buffer,
  read: () => AsyncIterable<Buffer>,
): Promise<Encoding | undefined> {
  const compression = detectCompression(head)
  const text = compression ? await readHead(decompress(compression, read()), 16) : { head }
  const utf16 = detectUtf16(text.head)
  return compression || utf16 ? { compression, utf16 } : undefined
}

const GZIP_SIGNATURE = Buffer.from([0x1f, 0x8b, 0x08])
const ZSTD_SIGNATURE = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const SKIPPABLE_FRAME = Buffer.from([0x2a, 0x4d, 0x18])

function detectCompression(head: Buffer): Compression | undefined {
  if (head.subarray(0, 3).equals(GZIP_SIGNATURE)) return 'gzip'
  // Some compressors begin with a skippable frame, whose first byte varies.
  const isSkippable = ((head[0] ?? 0) & 0xf0) === 0x50 && head.subarray(1, 4).equals(SKIPPABLE_FRAME)
  return head.subarray(0, 4).equals(ZSTD_SIGNATURE) || isSkippable ? 'zstd' : undefined
}

/** By the byte order mark. Without it, only if the text begins with at least two ASCII characters. */
function detectUtf16(head: Buffer): Encoding['utf16'] {
  const start = head.toString('latin1', 0, 16)
  if (/^(\xff\xfe|([\t\n\r -~]\0){2,8}$)/.test(start)) return 'little-endian'
  return /^(\xfe\xff|(\0[\t\n\r -~]){2,8}$)/.test(start) ? 'big-endian' : undefined
}

/** The first bytes, and whether there are no more. Ends early if the rest cannot be decoded. */
export async function readHead(
  chunks: AsyncIterable<Buffer>,
  length: number,
): Promise<{ head: Buffer; isComplete: boolean; error?: Error }> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of chunks) {
      parts.push(Buffer.from(chunk))
      bytes += chunk.length
      if (bytes > length) return { head: Buffer.concat(parts, length), isComplete: false }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile || error instanceof DecompressionError)) throw error
    return { head: Buffer.concat(parts), isComplete: false, error }
  }
  return { head: Buffer.concat(parts), isComplete: true }
}

/** The file as UTF-8. `chunks` must stay valid. `maxBytes` limits a file that is compressed. Throws UnreadableFile. */
export async function* decode(
  chunks: AsyncIterable<Buffer>,
  { compression, utf16 }: Encoding,
  maxBytes = Infinity,
): AsyncGenerator<Buffer> {
  const text = compression ? decompressFile(compression, chunks, maxBytes) : chunks
  yield* utf16 ? convertUtf16(text, utf16 === 'big-endian') : text
}

async function* decompressFile(
  compression: Compression,
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of decompress(compression, chunks)) {
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new UnreadableFile(
          `The file is larger than ${maxBytes} bytes after decompression. Decompress it first, or increase the setting max-body-bytes.`,
        )
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof DecompressionError)) throw error
    throw new UnreadableFile(DECOMPRESSION_ERRORS[error.reason](compression))
  }
}

const DECOMPRESSION_ERRORS: Record<DecompressionError['reason'], (compression: Compression) => string> = {
  damaged: (compression) =>
    `The file is compressed with ${compression}, but damaged or incomplete. Compress or copy it again.`,
  window: () => 'The file needs a zstd window of more than 8 MiB. Compress it without --long and --ultra.',
  expanded: () =>
    `The file expands to more than ${MAX_EXPANSION} times its compressed size. Decompress it first.`,
}

/** A byte order mark is removed. */
async function* convertUtf16(chunks: AsyncIterable<Buffer>, isBigEndian: boolean): AsyncGenerator<Buffer> {
  /** An incomplete character at the end of the last chunk. */
  let rest: Buffer = Buffer.alloc(0)
  let [offset, line] = [0, 1]
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([rest, chunk])
    const length = bytes.length - (bytes.length % 2)
    if (isBigEndian) bytes.subarray(0, length).swap16()
    const text = bytes.toString('utf16le', 0, length)
    const end = isHighSurrogate(text, text.length - 1) ? text.length - 1 : text.length
    rest = bytes.subarray(2 * end)
    if (isBigEndian) rest.subarray(0, length - 2 * end).swap16()
    const completeText = text.slice(0, end)
    if (!completeText.isWellFormed()) throw invalidUtf16(completeText, offset, line)
    yield Buffer.from(offset === 0 ? completeText.replace(/^\ufeff/, '') : completeText)
    offset += 2 * end
    line += countLineFeeds(completeText)
  }
  if (rest.length > 0) throw invalidUtf16('', offset, line)
}

function invalidUtf16(text: string, offset: number, line: number): UnreadableFile {
  // With the flag u, only lone surrogates match.
  const valid = text.slice(0, Math.max(0, text.search(/\p{Cs}/u)))
  const position = offset + 2 * valid.length
  return new UnreadableFile(
    `The file is not valid UTF-16: an incomplete character at byte ${position}. Save it as UTF-8.`,
    line + countLineFeeds(valid),
  )
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit >= 0xd800 && unit <= 0xdbff
}

function countLineFeeds(text: string): number {
  let count = 0
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) count += 1
  return count
}
