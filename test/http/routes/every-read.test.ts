// Tests what every read has in common: keys, scopes, parameters, formats, HEAD, compression and ETags.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { VERSIONED_READS, writeReadData } from '../../support/every-read.ts'
import { createTestKey, createTestStore, startTestService } from '../../support/harness.ts'
import { checkProblem, sendRequest } from '../../support/http.ts'

const store = await createTestStore()
const { baseUrl } = await startTestService(store)
const { key: authorization } = await createTestKey(store, { scopes: ['read', 'write'] })
const { key: writer } = await createTestKey(store, { scopes: ['write'] })
await writeReadData(baseUrl, authorization)

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  sendRequest(baseUrl, path, { authorization, ...headers }, method)

/** Their responses have no ETag. */
const UNVERSIONED_READS = ['/api/key', '/api/shares']

const withParameter = (path: string, parameter: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${parameter}`

for (const path of [...Object.values(VERSIONED_READS).flat(), ...UNVERSIONED_READS])
  describe(path, () => {
    test('needs a key with the scope read', async () => {
      checkProblem(await sendRequest(baseUrl, path), 401, 'unauthorized')
      const response = await get(path, { authorization: writer })
      if (path === '/api/key') assert.equal(response.status, 200)
      else checkProblem(response, 403, 'access-denied')
    })

    test('rejects unknown parameters and unknown formats', async () => {
      checkProblem(await get(withParameter(path, 'unknown=1')), 400, 'invalid-request')
      checkProblem(await get(withParameter(path, 'format=png')), 400, 'invalid-request')
      if (!path.includes('format='))
        checkProblem(await get(path, { accept: 'image/png' }), 406, 'not-acceptable')
    })

    test('supports HEAD, compression, a trailing slash and If-None-Match', async () => {
      const { status, headers, text } = await get(path)
      assert.equal(status, 200, text)
      assert.equal(headers['cache-control'], 'private, no-cache')
      assert.equal(headers.vary, 'Accept, Accept-Encoding, Authorization')
      const head = await get(path, {}, 'HEAD')
      assert.deepEqual([head.status, head.bytes.length], [200, 0])
      for (const name of ['etag', 'content-type', 'link']) assert.equal(head.headers[name], headers[name])
      const compressed = await get(path, { 'accept-encoding': 'gzip' })
      assert.equal(compressed.headers['content-encoding'], 'gzip')
      assert.equal(compressed.text, text)
      assert.equal((await get(path.replace(/(?=\?|$)/, '/'))).text, text)
      assert.equal(headers.etag === undefined, UNVERSIONED_READS.includes(path))
      if (headers.etag === undefined) return
      for (const method of ['GET', 'HEAD']) {
        const current = await get(path, { 'if-none-match': headers.etag }, method)
        assert.deepEqual([current.status, current.headers.etag, current.bytes.length], [304, headers.etag, 0])
        assert.equal((await get(path, { 'if-none-match': '"other"' }, method)).status, 200)
      }
    })
  })
