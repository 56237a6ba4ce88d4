// Tests the file cache with a large evaluation: which responses it stores, and that cached responses are never stale.
import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { addIncompressibleEvaluation } from '../../support/corpus.ts'
import { createTempFolder, createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { fullOnly } from '../../support/options.ts'
import { JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

/** The response has about 4.5 MB: base64 encodes 12,000 bytes as 16,000 characters. The memory cache accepts up to 4 MiB. */
const SCENARIO_COUNT = 280
const NOTE_BYTES = 12_000
const NO_CACHE = { max_cache_bytes: 0, max_cache_file_bytes: 0 }

const store = await createTestStore()
await addIncompressibleEvaluation(store, 'large', SCENARIO_COUNT, NOTE_BYTES)
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const path = scenariosPath('large')

/** Returns the names of the complete cache files. */
function listCacheFiles(data: string): string[] {
  return readdirSync(join(data, 'response-cache')).filter((name) => !name.endsWith('.part'))
}

test('cached responses equal uncached responses, also after a change and after the files are deleted', {
  skip: fullOnly('repeats every read in every encoding'),
}, async () => {
  const data = createTempFolder()
  const { baseUrl } = await startTestService(store, { data })
  const uncachedService = await startTestService(store, NO_CACHE)
  // response-caches.test.ts checks all formats in all encodings for small responses.
  const variants = [
    ...['identity', 'gzip', 'br', 'zstd'].map((encoding) => ({ format: 'json', encoding })),
    ...['ndjson', 'csv'].map((format) => ({ format, encoding: 'gzip' })),
  ]
  const read = (baseUrl: string, { format, encoding }: (typeof variants)[number]) =>
    sendRequest(baseUrl, `${path}?format=${format}`, { authorization: key, 'accept-encoding': encoding })
  async function assertResponsesEqual(rounds: number): Promise<void> {
    for (const variant of variants) {
      const expected = await read(uncachedService.baseUrl, variant)
      for (let round = 0; round < rounds; round += 1) {
        const response = await read(baseUrl, variant)
        assert.equal(response.status, 200)
        assert.ok(response.text === expected.text, `${variant.format} ${variant.encoding}, round ${round}`)
        assert.equal(response.headers.etag, expected.headers.etag)
      }
    }
  }
  await assertResponsesEqual(3)
  assert.equal(listCacheFiles(data).length, variants.length)
  const patch = JSON.stringify({ note: 'changed' })
  const headers = { authorization: key, 'content-type': JSON_TYPE }
  assert.equal(
    (await sendRequest(baseUrl, `${path}/s-${SCENARIO_COUNT - 1}`, headers, 'PATCH', patch)).status,
    200,
  )
  await assertResponsesEqual(2)
  rmSync(join(data, 'response-cache'), { recursive: true })
  await assertResponsesEqual(2)
})

test('stores an uncompressed response from the second request on, and only if it is not too large', async () => {
  const headers = { authorization: key, 'accept-encoding': 'identity' }
  for (const [maxBytes, expectedCounts] of [
    [100_000_000, [0, 1, 1]],
    [16_000_000, [0, 0, 0]],
  ] as const) {
    const data = createTempFolder()
    const { baseUrl } = await startTestService(store, { data, max_cache_file_bytes: maxBytes })
    // The first compressed response creates the cache folder.
    await sendRequest(baseUrl, path, { ...headers, 'accept-encoding': 'br' })
    const initialCount = listCacheFiles(data).length
    const counts: number[] = []
    for (const _ of expectedCounts) {
      await sendRequest(baseUrl, path, headers)
      counts.push(listCacheFiles(data).length - initialCount)
    }
    assert.deepEqual(counts, expectedCounts)
  }
})
