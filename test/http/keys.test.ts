// GET /api/key: what every key is told about itself, and nobody about another's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES, type Scope } from '../../src/schema/keys.ts'
import { addKey, getKey, revokeKey } from '../../src/store/keys.ts'
import { freshStore, serveStore } from '../harness.ts'
import { ask, checkDocumented, checkProblem, schemaErrors } from '../wire.ts'

const store = await freshStore()
const NOW = Date.parse('2026-11-15T09:15:00.123Z')
let now = NOW
const { base } = await serveStore(store, {}, () => now)

const make = (
  scopes: readonly Scope[],
  more: { name?: string; project?: string; expires_at?: string } = {},
) =>
  store.writer.transaction((transaction) =>
    addKey(transaction, { project: 'default', name: null, expires_at: null, scopes, ...more }),
  )

async function get(key: string, headers: Record<string, string> = {}, method = 'GET', path = '/api/key') {
  const answer = await ask(base, path, { authorization: key, ...headers }, method)
  checkDocumented('/api/key', answer, method)
  return answer
}

test('a key of whatever scope is told what it is, and nothing of its secret', async () => {
  const expires_at = '2026-11-16T00:00:00.000Z'
  for (const [scopes, more] of [
    [['read'], {}],
    [['write'], { project: 'ops', name: 'CI — nightly', expires_at }],
    [SCOPES, { name: 'both' }],
  ] as const) {
    const { key, public_id, last_four } = await make(scopes, more)
    const answer = await get(`Bearer ${key}`)
    assert.equal(answer.status, 200, answer.text)
    const told = JSON.parse(answer.text)
    assert.deepEqual(schemaErrors('OwnKey', told), [])
    const { created_at } = await getKey(store.reader, public_id)
    const unsaid = { project: 'default', name: null, confined_to: null, expires_at: null }
    assert.deepEqual(told, { ...unsaid, ...more, scopes: [...scopes], created_at, last_four, public_id })
    assert.ok(!answer.text.includes(key.slice(19, -4)))
  }
})

test('the answer is for this key alone, and is asked for anew', async () => {
  const { key } = await make(['read'])
  const { headers, text } = await get(key)
  assert.equal(headers['cache-control'], 'private, no-cache')
  assert.equal(headers.vary, 'Accept, Accept-Encoding, Authorization')
  assert.equal(headers.etag, undefined)
  assert.equal((await get(key, { 'accept-encoding': 'br' })).text, text)
  const head = await get(key, {}, 'HEAD')
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
})

test('what is refused: no key, one that has ended, other forms, parameters and methods', async () => {
  const { key } = await make(['write'], { expires_at: new Date(NOW + 1000).toISOString() })
  checkProblem(await ask(base, '/api/key'), 401, 'unauthorized')
  checkProblem(await get(key, { accept: 'text/csv' }), 406, 'not-acceptable')
  checkProblem(await get(key, {}, 'GET', '/api/key?id=x'), 400, 'invalid-request')
  checkProblem(await get(key, {}, 'DELETE'), 405, 'method-not-allowed')
  now = NOW + 1000
  checkProblem(await get(key), 401, 'unauthorized')
  const revoked = await make(SCOPES)
  await store.writer.transaction((transaction) => revokeKey(transaction, revoked.public_id))
  checkProblem(await get(revoked.key), 401, 'unauthorized')
})
