// Content encodings for streamed responses, with compression levels that are fast enough for streaming, and the memory of
// their chunks.
import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress, type Zlib } from 'node:zlib'

/** In order of preference, if a client accepts several equally. */
export const ENCODINGS = ['zstd', 'br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Object mode emits each chunk as it was allocated, so that its memory can be released. */
const OUTPUT_OPTIONS = { chunkSize: 64 * 1024, readableObjectMode: true, readableHighWaterMark: 2 }

const BROTLI_PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  // Smaller than the default, so that the first bytes come early and many responses fit in memory.
  [constants.BROTLI_PARAM_LGWIN]: 19,
  [constants.BROTLI_PARAM_LGBLOCK]: 18,
}

const ENCODERS = {
  zstd: () => createZstdCompress({ ...OUTPUT_OPTIONS, params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: () => createBrotliCompress({ ...OUTPUT_OPTIONS, params: BROTLI_PARAMS }),
  gzip: () => createGzip({ ...OUTPUT_OPTIONS, level: 1 }),
}

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Compresses a stream. An error of the source is thrown; ending the iteration early also ends the source. */
export function encode(encoding: Encoding, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
export function encode(encoding: Encoding, bytes: Chunks): Chunks
export function encode(encoding: Encoding, bytes: Chunks): Chunks {
  return encoding === 'identity' ? bytes : compress(encoding, bytes)
}

async function* compress(encoding: Exclude<Encoding, 'identity'>, bytes: Chunks): AsyncGenerator<Uint8Array> {
  const encoder = ENCODERS[encoding]()
  const feeding = feedEncoder(encoder, bytes).catch((error) => void encoder.destroy(error))
  try {
    for await (const chunk of encoder as AsyncIterable<Buffer<ArrayBuffer>>) {
      // Copied, so that the consumer owns the memory and can release it.
      yield new Uint8Array(chunk)
      // An encoder fills one buffer with several chunks. After the last of them it is released.
      const isLast = chunk.byteOffset + chunk.byteLength === OUTPUT_OPTIONS.chunkSize
      if (isLast && chunk.buffer.byteLength === OUTPUT_OPTIONS.chunkSize) chunk.buffer.transfer(0)
    }
  } finally {
    // Wait for the source to stop, because its database connection may be reused.
    encoder.destroy()
    await feeding
  }
}

/**
 * Flushed as soon as they are read, because encoders buffer more before they emit data. The flush position does not
 * depend on chunk sizes, so that the same ETag always means the same bytes.
 */
const FIRST_FLUSH_BYTES = 16 * 1024

async function feedEncoder(encoder: Transform & Zlib, bytes: Chunks): Promise<void> {
  // A destroyed encoder never calls the callbacks of pending operations.
  let fail: (error: Error) => void = () => undefined
  encoder.once('close', () => fail(new Error('The encoder was destroyed')))
  /** Without a chunk, flushes. */
  const write = (chunk?: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      fail = reject
      const done = (error?: Error | null) => (error ? reject(error) : resolve())
      if (chunk) encoder.write(chunk, done)
      else encoder.flush(done)
    })
  let bytesUntilFlush = FIRST_FLUSH_BYTES
  for await (const chunk of bytes) {
    if (bytesUntilFlush > 0 && chunk.length >= bytesUntilFlush) {
      await write(chunk.subarray(0, bytesUntilFlush))
      await write()
      await write(chunk.subarray(bytesUntilFlush))
    } else await write(chunk)
    bytesUntilFlush -= chunk.length
    releaseChunk(chunk)
  }
  encoder.end()
}

/** Frees the memory of a used chunk immediately, without waiting for garbage collection. */
export function releaseChunk(chunk: Uint8Array): void {
  const { buffer } = chunk
  // A chunk that is only a part of a buffer can share it with others.
  if (chunk.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
