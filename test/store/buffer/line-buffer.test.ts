// Tests the line buffer: round trips in memory and through a temporary file, and a full disk.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { LineBuffer } from '../../../src/store/buffer/line-buffer.ts'
import { createTempFolder } from '../../support/harness.ts'
import { JsonTexts } from '../../support/json-texts.ts'

for (const [storage, count] of [
  ['memory', 20],
  ['a file', 50_000],
] as const) {
  test(`returns unchanged lines in order from ${storage}`, async () => {
    const folder = join(createTempFolder(), 'created-when-needed')
    const texts = new JsonTexts(3)
    const lines = Array.from({ length: count }, (_, index) => `${index} ${texts.string()}`)
    // This line is larger than a frame.
    if (storage === 'a file') lines.splice(7, 0, 'ä'.repeat(3_000_000))
    const buffer = new LineBuffer(folder)
    const spans: [number, number][] = []
    for (const line of lines) {
      const start = buffer.length
      await buffer.add(line)
      spans.push([start, buffer.length])
    }
    assert.equal(statSync(folder, { throwIfNoEntry: false }) !== undefined, storage === 'a file')
    const found: string[] = []
    for await (const batch of buffer.batches()) found.push(...batch.map(String))
    assert.deepEqual(found, lines)
    const reversed = buffer.read(spans.toReversed())
    assert.deepEqual(reversed.map(String), lines.toReversed())
    if (storage === 'a file')
      assert.deepEqual(readdirSync(folder), [], 'the temporary file has no directory entry')
    await buffer.close()
  })
}

test('throws insufficient-storage wherever in a write the disk becomes full', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-small-'))
  const mountResult = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
  t.after(() => {
    spawnSync('umount', [folder])
    rmdirSync(folder)
  })
  if (mountResult.status !== 0) return t.skip('mounting a small disk needs root')
  for (const usedBytes of [0, 100_000, 500_000, 523_000, 524_288, 700_000, 1_000_001]) {
    writeFileSync(join(folder, 'other'), Buffer.alloc(usedBytes))
    const buffer = new LineBuffer(folder)
    const fill = async () => {
      for (let index = 0; index < 2000; index += 1) await buffer.add('x'.repeat(2000))
    }
    await assert.rejects(fill(), { code: 'insufficient-storage' })
    await buffer.close()
  }
})
