// What is set aside comes back as it was, from memory and from a file, and a full disk is noticed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { written } from '../../src/schema/written.ts'
import { SCENARIO_PACKING, scenarioRow } from '../../src/store/scenario-rows.ts'
import { Spool } from '../../src/store/spool.ts'
import { scenario } from '../corpus.ts'
import { freshFolder } from '../harness.ts'
import { JsonTexts } from '../json-texts.ts'

const rowOf = (index: number, text = '') => {
  const extra = text === '' ? null : { text }
  return scenarioRow(
    'e',
    written({ ...scenario('e', index), extra }),
    index % 2 === 0 ? null : { index, line: index },
  )
}

/** Bytes and strings of the same text are the same. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (typeof value === 'string') return Buffer.from(value).toString('latin1')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

for (const [where, count] of [
  ['memory', 20],
  ['a file', 5000],
] as const) {
  test(`rows come back from ${where} as they were, in order`, async () => {
    const folder = join(freshFolder(), 'made when needed')
    const texts = new JsonTexts(3)
    const rows = Array.from({ length: count }, (_, index) => rowOf(index, JSON.parse(texts.string())))
    // Larger than a frame.
    rows.splice(7, 0, rowOf(count, 'ä'.repeat(3_000_000)))
    if (where === 'memory') rows.splice(7, 1)
    const spool = new Spool(folder, SCENARIO_PACKING)
    for (const row of rows) await spool.add(row)
    assert.equal(statSync(folder, { throwIfNoEntry: false }) !== undefined, where === 'a file')
    let at = 0
    for await (const batch of spool.batches()) {
      for (const row of batch) {
        assert.deepEqual(plain(row), plain(rows[at]))
        at += 1
      }
    }
    assert.equal(at, rows.length)
    if (where === 'a file') assert.deepEqual(readdirSync(folder), [], 'the file has no name')
    await spool.close()
  })
}

test('a disk that fills up is told, to the byte', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-small-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
  t.after(() => {
    spawnSync('umount', [folder])
    rmdirSync(folder)
  })
  if (mounted.status !== 0) return t.skip('mounting a small disk takes root')
  for (const taken of [0, 100_000, 500_000, 523_000, 524_288, 700_000, 1_000_001]) {
    writeFileSync(join(folder, 'other'), Buffer.alloc(taken))
    const spool = new Spool(folder, SCENARIO_PACKING)
    const fill = async () => {
      for (let index = 0; index < 2000; index += 1) await spool.add(rowOf(index, 'x'.repeat(2000)))
    }
    await assert.rejects(fill(), { code: 'insufficient-storage' })
    await spool.close()
  }
})
