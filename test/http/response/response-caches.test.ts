// Tests cached responses: they equal uncached ones and are never stale, and the cache stays within its limit.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { LruCache } from '../../../src/store/cache/lru-cache.ts'
import { addIncompressibleEvaluation, fillCorpus } from '../../support/corpus.ts'
import { createTempFolder, createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { type HttpResponse, sendRequest } from '../../support/http.ts'
import { testOptions } from '../../support/options.ts'
import { FULL_REVISIONS, FULL_SCENARIOS, scenariosPath } from '../../support/write-requests.ts'

const NO_CACHE = { max_cache_bytes: 0 }
const ENCODINGS = ['identity', 'gzip', 'br', 'zstd']
const COMPRESSED_ENCODINGS = testOptions.profile === 'full' ? ENCODINGS.slice(1) : ['gzip', 'zstd']

const store = await createTestStore()
await fillCorpus(store)
const { key: authorization } = await createTestKey(store, { scopes: ['read', 'write'] })
const uncachedService = await startTestService(store, NO_CACHE)

function read({ baseUrl }: { baseUrl: string }, path: string, encoding: string): Promise<HttpResponse> {
  return sendRequest(baseUrl, path, { authorization, 'accept-encoding': encoding })
}

/** Returns the parts of a response that must not depend on caching. */
function pickComparableParts({ status, headers, bytes }: HttpResponse) {
  const { date: _, 'x-request-id': id, ...otherHeaders } = headers
  assert.ok(id)
  return { status, headers: otherHeaders, bytes: bytes.toString('base64') }
}

async function write(path: string, method: string, body: string): Promise<void> {
  const headers = { authorization, 'content-type': 'application/json' }
  const { status, text } = await sendRequest(uncachedService.baseUrl, path, headers, method, body)
  assert.ok(status < 300, text)
}

describe('cached responses', async () => {
  const service = await startTestService(store)
  const paths = [
    FULL_SCENARIOS,
    `${FULL_SCENARIOS}?include=extra`,
    scenariosPath('exact'),
    scenariosPath('empty'),
    FULL_REVISIONS,
  ]
  for (const path of paths) {
    test(`returns the same response from ${path} on the first request, the second request and without caches`, async () => {
      for (const format of ['json', 'ndjson', 'csv']) {
        const url = `${path}${path.includes('?') ? '&' : '?'}format=${format}`
        for (const encoding of ['identity', ...COMPRESSED_ENCODINGS]) {
          const first = pickComparableParts(await read(service, url, encoding))
          assert.equal(first.status, 200)
          assert.deepEqual(
            pickComparableParts(await read(service, url, encoding)),
            first,
            `${url} ${encoding}`,
          )
          assert.deepEqual(
            pickComparableParts(await read(uncachedService, url, encoding)),
            first,
            `${url} ${encoding}`,
          )
        }
      }
    })
  }
})

test('serves a cached response without reading rows until the evaluation changes', async () => {
  const service = await startTestService(store)
  const path = scenariosPath('shared')
  const first = await read(service, path, 'gzip')
  // A direct update that does not change the version.
  await store.writer.transaction((transaction) =>
    transaction.run(`UPDATE scenario SET body = replace(body, '"s-3"', '"s-X"')`),
  )
  assert.equal((await read(service, path, 'gzip')).text, first.text)
  assert.match((await read(uncachedService, path, 'gzip')).text, /"s-X"/)
  await write(`${path}/s-1`, 'PATCH', '{"note":"seen"}')
  for (const encoding of ENCODINGS) assert.match((await read(service, path, encoding)).text, /"note":"seen"/)
})

describe('a large response', async () => {
  await addIncompressibleEvaluation(store, 'heavy', 10, 100_000)
  const path = scenariosPath('heavy')
  // So little memory that responses of this size are cached in files.
  const service = await startTestService(store, { max_cache_bytes: 1 })
  const expected = new Map<string, HttpResponse>()

  test('is read from a file on the second request, with Content-Length and the same bytes', async () => {
    for (const encoding of ['identity', ...COMPRESSED_ENCODINGS]) {
      const first = await read(service, path, encoding)
      const second = await read(service, path, encoding)
      const length = String(first.bytes.length)
      assert.equal(first.headers['content-length'], encoding === 'identity' ? length : undefined)
      assert.equal(second.headers['content-length'], length)
      for (const response of [second, await read(uncachedService, path, encoding)]) {
        assert.ok(response.bytes.equals(first.bytes), encoding)
        assert.equal(response.headers.etag, first.headers.etag)
        assert.equal(response.headers['content-encoding'], encoding === 'identity' ? undefined : encoding)
      }
      expected.set(encoding, first)
    }
  })

  test('is read from the database again after a change', async () => {
    await write(`${path}/s-1`, 'PATCH', '{"note":"seen"}')
    for (const encoding of COMPRESSED_ENCODINGS) {
      const { headers, text } = await read(service, path, encoding)
      assert.equal(headers['content-length'], undefined)
      assert.notEqual(headers.etag, expected.get(encoding)?.headers.etag)
      assert.match(text, /"note":"seen"/)
    }
  })

  test('is sent without caching if the file cannot be created or would be too large', async () => {
    const data = createTempFolder()
    writeFileSync(join(data, 'file'), 'a file in the place of the folder')
    const serviceWithoutFolder = await startTestService(store, {
      data: join(data, 'file'),
      max_cache_bytes: 1,
    })
    const serviceWithSmallLimit = await startTestService(store, {
      max_cache_bytes: 1,
      max_buffer_bytes: 10_000_000,
    })
    const { bytes } = await read(uncachedService, path, 'gzip')
    for (const service of [serviceWithoutFolder, serviceWithSmallLimit]) {
      for (let round = 0; round < 2; round += 1) {
        const response = await read(service, path, 'gzip')
        assert.equal(response.headers['content-length'], undefined)
        assert.ok(response.bytes.equals(bytes))
      }
    }
  })
})

describe('the cache limits', () => {
  const HUNDRED_BYTES = new Uint8Array(100)
  const createResponse = () => new ServerResponse(new IncomingMessage(new Socket()))

  /** Returns the names that are cached. Acquires each for a response that closes immediately. */
  function findCachedNames(cache: LruCache<Uint8Array>, names: string): string {
    return [...names]
      .filter((name) => {
        const response = createResponse()
        const isCached = cache.get(name, response) !== undefined
        response.emit('close')
        return isCached
      })
      .join('')
  }

  test('the memory cache evicts the least recently used entries and rejects entries above a quarter of its limit', () => {
    const cache = new LruCache<Uint8Array>(400, ({ length }) => length)
    for (const name of 'abcd') cache.set(name, HUNDRED_BYTES)
    assert.equal(findCachedNames(cache, 'a'), 'a')
    cache.set('e', HUNDRED_BYTES)
    assert.equal(findCachedNames(cache, 'abcde'), 'acde')
    cache.set('f', new Uint8Array(101))
    assert.equal(findCachedNames(cache, 'acdef'), 'acde')
    cache.set('a', HUNDRED_BYTES)
    assert.equal(findCachedNames(cache, 'acde'), 'acde', 'replacing an entry evicts no other entry')
  })

  test('the memory cache counts the bytes of a response and does not evict it while it is being sent', () => {
    const cache = new LruCache<Uint8Array>(400, ({ length }) => length)
    for (const name of 'abcd') cache.set(name, HUNDRED_BYTES)
    const pendingResponses = [...'abcd'].map((name) => {
      const response = createResponse()
      cache.get(name, response)
      return response
    })
    cache.set('e', HUNDRED_BYTES)
    assert.equal(cache.makeSpace(100), false)
    pendingResponses[2]?.emit('close')
    cache.set('f', HUNDRED_BYTES)
    assert.equal(findCachedNames(cache, 'abcdef'), 'abdf')
    for (const response of pendingResponses) response.emit('close')
  })

  test('the memory cache can evict an entry that was acquired for an already closed response', async () => {
    const cache = new LruCache<Uint8Array>(400, ({ length }) => length)
    for (const name of 'abcd') cache.set(name, HUNDRED_BYTES)
    const server = createServer()
    await new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(undefined)))
    const { port } = server.address() as { port: number }
    const socket = connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const [, closedResponse] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
    socket.resetAndDestroy()
    await once(closedResponse, 'close')
    server.close()
    for (const name of 'abcd') cache.get(name, closedResponse)
    assert.equal(cache.makeSpace(100), true)
  })
})
