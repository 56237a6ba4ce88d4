// Tests GET /api/key, which returns the details of the key of the request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES, type Scope } from '../../../src/schema/keys.ts'
import { addKey, getKey, revokeKey } from '../../../src/store/access/keys.ts'
import { createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, schemaErrors, sendRequest } from '../../support/http.ts'

const store = await createTestStore()
const NOW = Date.parse('2026-11-15T09:15:00.123Z')
let now = NOW
const { base } = await startTestService(store, {}, () => now)

const createKey = (
  scopes: readonly Scope[],
  options: { name?: string; project?: string; expires_at?: string } = {},
) =>
  store.writer.transaction((transaction) =>
    addKey(transaction, { project: 'default', name: null, expires_at: null, scopes, ...options }),
  )

async function get(key: string, headers: Record<string, string> = {}, method = 'GET', path = '/api/key') {
  const response = await sendRequest(base, path, { authorization: key, ...headers }, method)
  checkDocumented('/api/key', response, method)
  return response
}

test('returns the details of a key of any scope, without its secret', async () => {
  const expires_at = '2026-11-16T00:00:00.000Z'
  for (const [scopes, options] of [
    [['read'], {}],
    [['write'], { project: 'ops', name: 'CI — nightly', expires_at }],
    [SCOPES, { name: 'both' }],
  ] as const) {
    const { key, public_id, last_four } = await createKey(scopes, options)
    const response = await get(`Bearer ${key}`)
    assert.equal(response.status, 200, response.text)
    const details = JSON.parse(response.text)
    assert.deepEqual(schemaErrors('OwnKey', details), [])
    const { created_at } = await getKey(store.reader, public_id)
    const defaults = { project: 'default', name: null, confined_to: null, expires_at: null }
    assert.deepEqual(details, {
      ...defaults,
      ...options,
      scopes: [...scopes],
      created_at,
      last_four,
      public_id,
    })
    assert.ok(!response.text.includes(key.slice(19, -4)))
  }
})

test('the response is private and must be revalidated', async () => {
  const { key } = await createKey(['read'])
  const { headers, text } = await get(key)
  assert.equal(headers['cache-control'], 'private, no-cache')
  assert.equal(headers.vary, 'Accept, Accept-Encoding, Authorization')
  assert.equal(headers.etag, undefined)
  assert.equal((await get(key, { 'accept-encoding': 'br' })).text, text)
  const head = await get(key, {}, 'HEAD')
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
})

test('returns errors for missing, expired and revoked keys, other formats, parameters and methods', async () => {
  const { key } = await createKey(['write'], { expires_at: new Date(NOW + 1000).toISOString() })
  checkProblem(await sendRequest(base, '/api/key'), 401, 'unauthorized')
  checkProblem(await get(key, { accept: 'text/csv' }), 406, 'not-acceptable')
  checkProblem(await get(key, {}, 'GET', '/api/key?id=x'), 400, 'invalid-request')
  checkProblem(await get(key, {}, 'DELETE'), 405, 'method-not-allowed')
  now = NOW + 1000
  checkProblem(await get(key), 401, 'unauthorized')
  const revoked = await createKey(SCOPES)
  await store.writer.transaction((transaction) => revokeKey(transaction, revoked.public_id))
  checkProblem(await get(revoked.key), 401, 'unauthorized')
})
