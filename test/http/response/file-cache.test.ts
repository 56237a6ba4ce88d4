// Large responses are cached as files: later requests get the same bytes, and never those of another version.
import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addIncompressibleEvaluation } from '../../support/corpus.ts'
import { createTempFolder, createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { fullOnly } from '../../support/options.ts'
import { JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

/** More than the memory cache accepts. */
const COUNT = 280
const BYTES = 12_000
const NO_CACHE = { max_cache_bytes: 0, max_cache_file_bytes: 0 }

const store = await createTestStore()
await addIncompressibleEvaluation(store, 'large', COUNT, BYTES)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const path = scenariosPath('large')

/** The finished cache files. */
function filesIn(data: string): string[] {
  return readdirSync(join(data, 'response-cache')).filter((name) => !name.endsWith('.part'))
}

test('a cached response equals the uncached response in every round and after a change', {
  skip: fullOnly('repeats every read in every encoding'),
}, async () => {
  const data = createTempFolder()
  const { base } = await startTestService(store, { data })
  const uncached = await startTestService(store, NO_CACHE)
  // memory-cache.test.ts checks all formats in all encodings for small responses.
  const shapes = [
    ...['identity', 'gzip', 'br', 'zstd'].map((encoding) => ({ format: 'json', encoding })),
    ...['ndjson', 'csv'].map((format) => ({ format, encoding: 'gzip' })),
  ]
  const read = (from: string, { format, encoding }: (typeof shapes)[number]) =>
    sendRequest(from, `${path}?format=${format}`, { authorization: key, 'accept-encoding': encoding })
  async function compare(rounds: number): Promise<void> {
    for (const shape of shapes) {
      const expected = await read(uncached.base, shape)
      for (let round = 0; round < rounds; round += 1) {
        const response = await read(base, shape)
        assert.equal(response.status, 200)
        assert.ok(response.text === expected.text, `${shape.format} ${shape.encoding}, round ${round}`)
        assert.equal(response.headers.etag, expected.headers.etag)
      }
    }
  }
  await compare(3)
  assert.equal(filesIn(data).length, shapes.length)
  const patch = JSON.stringify({ note: 'changed' })
  const headers = { authorization: key, 'content-type': JSON_TYPE }
  assert.equal((await sendRequest(base, `${path}/s-${COUNT - 1}`, headers, 'PATCH', patch)).status, 200)
  await compare(2)
  // Also works after the files are deleted.
  rmSync(join(data, 'response-cache'), { recursive: true })
  await compare(2)
})

test('stores an uncompressed response from the second request on, and only if it is not too large', async () => {
  const headers = { authorization: key, 'accept-encoding': 'identity' }
  for (const [maxBytes, storedCounts] of [
    [100_000_000, [0, 1, 1]],
    [16_000_000, [0, 0, 0]],
  ] as const) {
    const data = createTempFolder()
    const { base } = await startTestService(store, { data, max_cache_file_bytes: maxBytes })
    // Creates the folder.
    await sendRequest(base, path, { ...headers, 'accept-encoding': 'br' })
    const before = filesIn(data).length
    const counts: number[] = []
    for (const _ of storedCounts) {
      await sendRequest(base, path, headers)
      counts.push(filesIn(data).length - before)
    }
    assert.deepEqual(counts, storedCounts)
  }
})
