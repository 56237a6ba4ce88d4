// Tests GET /api/key, which returns the details of the key of the request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES, type Scope } from '../../../src/schema/keys.ts'
import { addKey, getKey, revokeKey } from '../../../src/store/access/keys.ts'
import { createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, schemaErrors, sendRequest } from '../../support/http.ts'

const store = await createTestStore()
const START_TIME = Date.parse('2026-11-15T09:15:00.123Z')
let now = START_TIME
const { baseUrl } = await startTestService(store, {}, () => now)

const createKey = (
  scopes: readonly Scope[],
  options: { name?: string; project?: string; expires_at?: string } = {},
) =>
  store.writer.transaction((transaction) =>
    addKey(transaction, { project: 'default', name: null, expires_at: null, scopes, ...options }),
  )

async function readKey(key: string) {
  const response = await sendRequest(baseUrl, '/api/key', { authorization: key })
  checkDocumented('/api/key', response, 'GET')
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
    const response = await readKey(`Bearer ${key}`)
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

test('returns 401 for keys that have expired or were revoked', async () => {
  const { key } = await createKey(['write'], { expires_at: new Date(START_TIME + 1000).toISOString() })
  now = START_TIME + 1000
  checkProblem(await readKey(key), 401, 'unauthorized')
  const revokedKey = await createKey(SCOPES)
  await store.writer.transaction((transaction) => revokeKey(transaction, revokedKey.public_id))
  checkProblem(await readKey(revokedKey.key), 401, 'unauthorized')
})
