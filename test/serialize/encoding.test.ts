// Tests content encodings: deterministic bytes for any chunk sizes, and an early first flush.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { encode } from '../../src/serialize/encoding.ts'

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }
const COMPRESSED_ENCODINGS = ['br', 'gzip', 'zstd'] as const

/** Compresses well, so that an encoder would buffer much data before its first output. */
const TEXT = Buffer.from(
  Array.from({ length: 40_000 }, (_, index) => `{"id":"s-${index}","ok":true}`).join(','),
)

/** A copy of the bytes in chunks of this size, because encode() releases its input. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield new Uint8Array(bytes.subarray(start, start + size))
  }
}

for (const encoding of COMPRESSED_ENCODINGS) {
  describe(encoding, () => {
    test('produces the same bytes for any chunk sizes', async () => {
      const expected = Buffer.concat(await Array.fromAsync(encode(encoding, inPieces(TEXT, TEXT.length))))
      assert.ok(DECODE[encoding](expected).equals(TEXT))
      for (const size of [1000, 16_383, 16_384, 16_385, 65_536, 300_000]) {
        const bytes = Buffer.concat(await Array.fromAsync(encode(encoding, inPieces(TEXT, size))))
        assert.ok(bytes.equals(expected), `in pieces of ${size} bytes`)
      }
    })

    test('emits its first bytes early', async () => {
      let read = 0
      async function* counted(): AsyncGenerator<Uint8Array> {
        for await (const piece of inPieces(TEXT, 4096)) {
          read += piece.length
          yield piece
        }
      }
      const encoded = encode(encoding, counted())
      let given = 0
      while (given < 32) given += (await encoded.next()).value?.length ?? 0
      assert.ok(read <= 64 * 1024, `${read} bytes were read for the first ${given}`)
      await encoded.return(undefined)
    })

    test('ends its source when the consumer stops, in any state', async () => {
      for (const taken of [0, 1, 2, 3]) {
        let isOver = false
        async function* endless(): AsyncGenerator<Uint8Array> {
          try {
            for (;;) yield new Uint8Array(randomBytes(65_536))
          } finally {
            isOver = true
          }
        }
        const encoded = encode(encoding, endless())
        for (let index = 0; index < taken; index += 1) await encoded.next()
        // Now the encoder waits for the consumer.
        await delay(20)
        await encoded.return(undefined)
        assert.equal(isOver, taken > 0)
      }
    })

    test('encodes empty and small inputs completely', async () => {
      for (const text of ['', '[]']) {
        const bytes = Buffer.concat(await Array.fromAsync(encode(encoding, inPieces(Buffer.from(text), 1))))
        assert.equal(String(DECODE[encoding](bytes)), text)
      }
    })
  })
}
