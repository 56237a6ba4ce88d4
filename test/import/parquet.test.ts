// Tests the Parquet reader: slices of a row group, and blocks of LZ4.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { decompressLz4 } from '../../src/import/parquet/lz4.ts'
import { openParquet } from '../../src/import/parquet/read-parquet.ts'
import { Source } from '../../src/import/source.ts'
import { createTempFolder } from '../support/harness.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))

test('reads a row group in slices: flat, nested and dictionary columns stay aligned', async (t) => {
  const source = await Source.open(join(FIXTURES, 'parquet/slices.parquet'), createTempFolder())
  t.after(() => source.close())
  const file = await openParquet(source)
  let index = 0
  // The loop also checks the order of the columns, and thousands of rows before and after the limit of a slice.
  for await (const { text } of file.rows()) {
    const list = Array.from({ length: index % 3 }, () => index)
    const expected = { id: index, label: 'abcdefg'[index % 7], list, rest: index % 5 === 0 ? null : index }
    if (text !== JSON.stringify(expected)) assert.deepEqual(JSON.parse(text), expected)
    index += 1
  }
  assert.equal(index, 60_001)
})

/** Sequences as in the specification of LZ4: literals, then a match. */
const block = (...bytes: (number | string)[]) =>
  Buffer.concat(bytes.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))))

test('decompresses LZ4 blocks, with matches that overlap their own output and long lengths', () => {
  const decompress = (input: Uint8Array, length: number) =>
    Buffer.from(decompressLz4(input, length)).toString()
  assert.equal(decompress(block(0x50, 'hello'), 5), 'hello')
  // 3 literals, a match of 4 + 2 at distance 3, then 1 literal.
  assert.equal(decompress(block(0x32, 'abc', 3, 0, 0x10, 'd'), 10), 'abcabcabcd')
  // 1 literal, a match of 4 + 15 + 255 + 1 at distance 1, then no literals.
  assert.equal(decompress(block(0x1f, 'x', 1, 0, 255, 1, 0x00), 276), 'x'.repeat(276))
  const long = 'y'.repeat(15 + 255 + 30)
  assert.equal(decompress(block(0xf0, 255, 30, long), long.length), long)
  assert.equal(decompress(block(0), 0), '')
})

test('rejects damaged LZ4 blocks', () => {
  for (const [input, length] of [
    [block(0x50, 'hell'), 5],
    [block(0x50, 'hello'), 4],
    [block(0x50, 'hello'), 6],
    [block(0x10, 'x', 2, 0, 0x00), 5],
    [block(0x10, 'x', 0, 0, 0x00), 5],
    [block(0x10, 'x', 1), 5],
    [block(0x1f, 'x', 1, 0, 255, 255), 5],
    [block(0xf0, 255), 5],
  ] as const)
    assert.throws(() => decompressLz4(input, length), RangeError)
})
