// Tests content encodings: deterministic bytes for any chunk size, an early first flush, and closing the source.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { encode } from '../../src/serialize/encoding.ts'

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }
const COMPRESSED_ENCODINGS = ['br', 'gzip', 'zstd'] as const

/** Compresses well, so that an encoder would buffer much data before its first output. */
const TEXT = Buffer.from(
  Array.from({ length: 40_000 }, (_, index) => `{"id":"s-${index}","ok":true}`).join(','),
)

/** Yields copies of the bytes in chunks of this size, because encode() releases its input. */
async function* splitIntoChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield new Uint8Array(bytes.subarray(start, start + size))
  }
}

for (const encoding of COMPRESSED_ENCODINGS) {
  describe(encoding, () => {
    test('produces the same bytes for any chunk size', async () => {
      const expected = Buffer.concat(
        await Array.fromAsync(encode(encoding, splitIntoChunks(TEXT, TEXT.length))),
      )
      assert.ok(DECODERS[encoding](expected).equals(TEXT))
      for (const size of [1000, 16_383, 16_384, 16_385, 65_536, 300_000]) {
        const bytes = Buffer.concat(await Array.fromAsync(encode(encoding, splitIntoChunks(TEXT, size))))
        assert.ok(bytes.equals(expected), `in chunks of ${size} bytes`)
      }
    })

    test('emits 32 bytes before it has read more than 64 kB', async () => {
      let sourceBytes = 0
      async function* readChunks(): AsyncGenerator<Uint8Array> {
        for await (const chunk of splitIntoChunks(TEXT, 4096)) {
          sourceBytes += chunk.length
          yield chunk
        }
      }
      const encoded = encode(encoding, readChunks())[Symbol.asyncIterator]()
      let encodedBytes = 0
      while (encodedBytes < 32) encodedBytes += (await encoded.next()).value?.length ?? 0
      assert.ok(
        sourceBytes <= 64 * 1024,
        `${sourceBytes} bytes were read for the first ${encodedBytes} encoded bytes`,
      )
      await encoded.return?.()
    })

    test('closes a started source when the consumer stops early', async () => {
      for (const readCount of [0, 1, 2, 3]) {
        let isClosed = false
        async function* readForever(): AsyncGenerator<Uint8Array> {
          try {
            for (;;) yield new Uint8Array(randomBytes(65_536))
          } finally {
            isClosed = true
          }
        }
        const encoded = encode(encoding, readForever())[Symbol.asyncIterator]()
        for (let index = 0; index < readCount; index += 1) await encoded.next()
        // Now the encoder waits for the consumer.
        await delay(20)
        await encoded.return?.()
        // A generator that was not started has nothing to close.
        assert.equal(isClosed, readCount > 0)
      }
    })

    test('encodes empty and small inputs completely', async () => {
      for (const text of ['', '[]']) {
        const bytes = Buffer.concat(
          await Array.fromAsync(encode(encoding, splitIntoChunks(Buffer.from(text), 1))),
        )
        assert.equal(String(DECODERS[encoding](bytes)), text)
      }
    })
  })
}
