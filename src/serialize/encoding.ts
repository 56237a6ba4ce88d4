// Content encodings for streamed responses, with compression levels that are fast enough for streaming.
import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress, type Zlib } from 'node:zlib'
import { releaseChunk } from './release-chunk.ts'

/** In order of preference, if a client accepts several equally. */
export const ENCODINGS = ['zstd', 'br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Object mode emits each chunk as it was allocated, so that its memory can be released. */
const CHUNK = { chunkSize: 64 * 1024, readableObjectMode: true, readableHighWaterMark: 2 }

const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  // Smaller than the default, so that the first bytes come early and many responses fit in memory.
  [constants.BROTLI_PARAM_LGWIN]: 19,
  [constants.BROTLI_PARAM_LGBLOCK]: 18,
}

const ENCODERS = {
  zstd: () => createZstdCompress({ ...CHUNK, params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: () => createBrotliCompress({ ...CHUNK, params: BROTLI }),
  gzip: () => createGzip({ ...CHUNK, level: 1 }),
}

/** Compresses a stream. An error of the source is thrown; ending the iteration early also ends the source. */
export async function* encode(
  encoding: Encoding,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (encoding === 'identity') return yield* bytes
  const encoder = ENCODERS[encoding]()
  const feeding = feed(encoder, bytes).catch((error) => void encoder.destroy(error))
  try {
    for await (const chunk of encoder as AsyncIterable<Buffer<ArrayBuffer>>) {
      // Copied, so that the consumer owns the memory and can release it.
      yield new Uint8Array(chunk)
      // An encoder fills one buffer with several chunks. After the last of them it is released.
      const isLast = chunk.byteOffset + chunk.byteLength === CHUNK.chunkSize
      if (isLast && chunk.buffer.byteLength === CHUNK.chunkSize) chunk.buffer.transfer(0)
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

async function feed(encoder: Transform & Zlib, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const { write, flush } = inputOf(encoder)
  let untilFlush = FIRST_FLUSH_BYTES
  for await (const chunk of bytes) {
    if (untilFlush > 0 && chunk.length >= untilFlush) {
      await write(chunk.subarray(0, untilFlush))
      await flush()
      await write(chunk.subarray(untilFlush))
    } else await write(chunk)
    untilFlush -= chunk.length
    releaseChunk(chunk)
  }
  encoder.end()
}

type Callback = (error?: Error | null) => void

/** A destroyed encoder never calls the callbacks of pending writes. These methods reject when it is closed. */
function inputOf(encoder: Transform & Zlib) {
  let settle: Callback = () => undefined
  encoder.once('close', () => settle(new Error('The encoder was destroyed')))
  const promisify = (operation: (done: Callback) => unknown) =>
    new Promise<void>((resolve, reject) => {
      settle = (error) => (error ? reject(error) : resolve())
      operation(settle)
    })
  return {
    write: (chunk: Uint8Array) => promisify((done) => encoder.write(chunk, done)),
    flush: () => promisify((done) => encoder.flush(done)),
  }
}
