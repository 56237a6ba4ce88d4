// Tests the row buffer: round trips in memory and through a temporary file, and a full disk.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parsedValue } from '../../../src/schema/validation/parsed-value.ts'
import { RowBuffer } from '../../../src/store/buffer/row-buffer.ts'
import { SCENARIO_ROW_CODEC, scenarioRow } from '../../../src/store/scenarios/row.ts'
import { scenario } from '../../support/corpus.ts'
import { createTempFolder } from '../../support/harness.ts'
import { JsonTexts } from '../../support/json-texts.ts'

const createRow = (index: number, text = '') => {
  const extra = text === '' ? null : { text }
  return scenarioRow(
    'e',
    parsedValue({ ...scenario('e', index), extra }),
    index % 2 === 0 ? null : { index, line: index },
  )
}

/** Converts bytes and strings to the same form, so that they can be compared. */
function toComparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (typeof value === 'string') return Buffer.from(value).toString('latin1')
  if (Array.isArray(value)) return value.map(toComparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toComparable(member)]))
}

for (const [storage, count] of [
  ['memory', 20],
  ['a file', 5000],
] as const) {
  test(`returns unchanged rows in order from ${storage}`, async () => {
    const folder = join(createTempFolder(), 'created-when-needed')
    const texts = new JsonTexts(3)
    const rows = Array.from({ length: count }, (_, index) => createRow(index, JSON.parse(texts.string())))
    // This row is larger than a frame.
    rows.splice(7, 0, createRow(count, 'ä'.repeat(3_000_000)))
    if (storage === 'memory') rows.splice(7, 1)
    const buffer = new RowBuffer(folder, SCENARIO_ROW_CODEC)
    for (const row of rows) await buffer.add(row)
    assert.equal(statSync(folder, { throwIfNoEntry: false }) !== undefined, storage === 'a file')
    let rowIndex = 0
    for await (const batch of buffer.batches()) {
      for (const row of batch) {
        assert.deepEqual(toComparable(row), toComparable(rows[rowIndex]))
        rowIndex += 1
      }
    }
    assert.equal(rowIndex, rows.length)
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
    const buffer = new RowBuffer(folder, SCENARIO_ROW_CODEC)
    const fill = async () => {
      for (let index = 0; index < 2000; index += 1) await buffer.add(createRow(index, 'x'.repeat(2000)))
    }
    await assert.rejects(fill(), { code: 'insufficient-storage' })
    await buffer.close()
  }
})
