// Large answers that are kept as files: whoever asks again gets the same bytes, and never those of another version.
import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addHeavyEvaluation } from '../corpus.ts'
import { freshFolder, freshStore, mint, serveStore } from '../harness.ts'
import { ask } from '../wire.ts'
import { JSON_TYPE, scenariosOf } from '../writes.ts'

/** More than is kept in memory. */
const COUNT = 280
const BYTES = 12_000
const NOTHING_KEPT = { max_rendition_bytes: 0, max_rendition_file_bytes: 0 }

const store = await freshStore()
await addHeavyEvaluation(store, 'large', COUNT, BYTES)
const { key } = await mint(store, { scopes: ['read', 'write'] })
const path = scenariosOf('large')

/** The files there are: those that are finished. */
function filesIn(data: string): string[] {
  return readdirSync(join(data, 'renditions')).filter((name) => !name.endsWith('.part'))
}

test('an answer that is asked for again and again is the same as one that is never kept', async () => {
  const data = freshFolder()
  const { base } = await serveStore(store, { data })
  const uncached = await serveStore(store, NOTHING_KEPT)
  // All formats of ordinary size are held in all codings elsewhere.
  const shapes = [
    ...['identity', 'gzip', 'br', 'zstd'].map((coding) => ({ format: 'json', coding })),
    ...['ndjson', 'csv'].map((format) => ({ format, coding: 'gzip' })),
  ]
  const read = (from: string, { format, coding }: (typeof shapes)[number]) =>
    ask(from, `${path}?format=${format}`, { authorization: key, 'accept-encoding': coding })
  async function compare(rounds: number): Promise<void> {
    for (const shape of shapes) {
      const expected = await read(uncached.base, shape)
      for (let round = 0; round < rounds; round += 1) {
        const answer = await read(base, shape)
        assert.equal(answer.status, 200)
        assert.ok(answer.text === expected.text, `${shape.format} ${shape.coding}, round ${round}`)
        assert.equal(answer.headers.etag, expected.headers.etag)
      }
    }
  }
  await compare(3)
  assert.equal(filesIn(data).length, shapes.length)
  const patch = JSON.stringify({ note: 'changed' })
  const headers = { authorization: key, 'content-type': JSON_TYPE }
  assert.equal((await ask(base, `${path}/s-${COUNT - 1}`, headers, 'PATCH', patch)).status, 200)
  await compare(2)
  // Whatever becomes of the files.
  rmSync(join(data, 'renditions'), { recursive: true })
  await compare(2)
})

test('what is not compressed is a file only once it is asked for again, and if there is room', async () => {
  const fields = { authorization: key, 'accept-encoding': 'identity' }
  for (const [room, kept] of [
    [100_000_000, [0, 1, 1]],
    [16_000_000, [0, 0, 0]],
  ] as const) {
    const data = freshFolder()
    const { base } = await serveStore(store, { data, max_rendition_file_bytes: room })
    // Makes the folder.
    await ask(base, path, { ...fields, 'accept-encoding': 'br' })
    const before = filesIn(data).length
    const counts: number[] = []
    for (const _ of kept) {
      await ask(base, path, fields)
      counts.push(filesIn(data).length - before)
    }
    assert.deepEqual(counts, kept)
  }
})
