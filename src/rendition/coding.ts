// Content codings for answers that are streamed: compressed on the way, at levels that do not stall.
import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createGzip, createZstdCompress, type Zlib } from 'node:zlib'
import { release } from './chunk.ts'

/** In order of preference where a client likes several equally. */
export const CODINGS = ['zstd', 'br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

/** Chunks come out one by one as they were made, so that it is known which memory they are in. */
const CHUNK = { chunkSize: 64 * 1024, readableObjectMode: true, readableHighWaterMark: 2 }

const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  // Smaller than usual, so that the first bytes come early and many answers fit in memory.
  [constants.BROTLI_PARAM_LGWIN]: 19,
  [constants.BROTLI_PARAM_LGBLOCK]: 18,
}

const ENCODERS = {
  zstd: () => createZstdCompress({ ...CHUNK, params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: () => createBrotliCompress({ ...CHUNK, params: BROTLI }),
  gzip: () => createGzip({ ...CHUNK, level: 1 }),
}

/** A failing source fails the result; a result that is given up ends its source. */
export async function* encode(coding: Coding, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (coding === 'identity') return yield* bytes
  const encoder = ENCODERS[coding]()
  const fed = feed(encoder, bytes).catch((error) => void encoder.destroy(error))
  try {
    for await (const chunk of encoder as AsyncIterable<Buffer<ArrayBuffer>>) {
      // In memory of its own, so that whoever takes it may keep it and give it back.
      yield new Uint8Array(chunk)
      // An encoder fills one stretch of memory with several chunks; behind the last of them nobody needs it.
      const isLast = chunk.byteOffset + chunk.byteLength === CHUNK.chunkSize
      if (isLast && chunk.buffer.byteLength === CHUNK.chunkSize) chunk.buffer.transfer(0)
    }
  } finally {
    // The source is at rest when this is over: what it reads from may be given to somebody else.
    encoder.destroy()
    await fed
  }
}

/**
 * So much is sent on as soon as it is read; by themselves encoders collect more before they give anything. Always the
 * same, however the bytes come in, because what one tag stands for never differs.
 */
const FIRST_BYTES = 16 * 1024

async function feed(encoder: Transform & Zlib, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const { write, flush } = inputOf(encoder)
  let first = FIRST_BYTES
  for await (const chunk of bytes) {
    if (first > 0 && chunk.length >= first) {
      await write(chunk.subarray(0, first))
      await flush()
      await write(chunk.subarray(first))
    } else await write(chunk)
    first -= chunk.length
    release(chunk)
  }
  encoder.end()
}

type Done = (error?: Error | null) => void

/** An encoder that is given up while nobody takes what it made leaves whoever writes to it without a word. */
function inputOf(encoder: Transform & Zlib) {
  let giveUp: Done = () => undefined
  encoder.once('close', () => giveUp(new Error('The encoder was given up')))
  const until = (act: (done: Done) => unknown) =>
    new Promise<void>((resolve, reject) => {
      giveUp = (error) => (error ? reject(error) : resolve())
      act(giveUp)
    })
  return {
    write: (chunk: Uint8Array) => until((done) => encoder.write(chunk, done)),
    flush: () => until((done) => encoder.flush(done)),
  }
}
