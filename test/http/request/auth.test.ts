// Tests authentication: creation, revocation, rotation and expiry of keys, rate limits, and isolation of projects.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStoreAt } from '../../../bench/store.ts'
import { generateKey } from '../../../src/schema/keys.ts'
import { fillCorpus } from '../../support/corpus.ts'
import {
  createStoreLocation,
  createTestKey,
  createTestStore,
  runAssay,
  spawnServer,
  startTestService,
} from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'

test('a running service accepts a new key and rejects a revoked one on the next request', async () => {
  const { flags } = await createStoreLocation()
  const { base, child } = await spawnServer(flags)
  const status = async (key: string) =>
    (await sendRequest(base, '/api/evaluations', { authorization: key })).status
  const key = (await runAssay(['keys', 'create', ...flags])).stdout.trim()
  assert.equal(await status(key), 200)
  assert.equal((await runAssay(['keys', 'revoke', key.slice(6, 18), ...flags])).code, 0)
  assert.equal(await status(key), 401)
  child.kill()
})

test('the old key works in addition to the rotated one until the overlap ends', async () => {
  const { url, flags } = await createStoreLocation()
  const old = (await runAssay(['keys', 'create', ...flags])).stdout.trim()
  const rotated = await runAssay(['keys', 'rotate', old.slice(6, 18), '--overlap', '1h', ...flags])
  const store = await openStoreAt(url)
  let now = Date.now()
  const { base, stop } = await startTestService(store, {}, () => now)
  const status = async (key: string) =>
    (await sendRequest(base, '/api/evaluations', { authorization: key })).status
  assert.deepEqual([await status(old), await status(rotated.stdout.trim())], [200, 200])
  now += 3_601_000
  assert.deepEqual([await status(old), await status(rotated.stdout.trim())], [401, 200])
  await stop()
  await store.close()
})

test('a key is accepted until the millisecond of its expiry', async () => {
  const store = await createTestStore()
  const expires_at = '2027-01-01T00:00:00.000Z'
  const { key } = await createTestKey(store, { expires_at })
  let now = Date.parse(expires_at) - 1
  const { base } = await startTestService(store, {}, () => now)
  assert.equal((await sendRequest(base, '/api/variants', { authorization: key })).status, 200)
  now += 1
  assert.equal((await sendRequest(base, '/api/variants', { authorization: key })).status, 401)
})

test('a key with a wrong checksum is rejected without reading the store', async () => {
  const store = await openStoreAt((await createStoreLocation()).url)
  const { key } = await createTestKey(store)
  const { base } = await startTestService(store)
  await store.close()
  const mistyped = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`
  assert.equal((await sendRequest(base, '/api/evaluations', { authorization: mistyped })).status, 401)
  assert.equal((await sendRequest(base, '/api/evaluations')).status, 401)
  assert.ok((await sendRequest(base, '/api/evaluations', { authorization: key })).status >= 500)
})

test('invalid keys are rate-limited per client address, and valid keys are not affected', async () => {
  const store = await createTestStore()
  const { key } = await createTestKey(store)
  let now = 0
  const { base } = await startTestService(store, { failed_key_limit: 5 }, () => now)
  const sendInvalidKey = async () =>
    sendRequest(base, '/api/evaluations', { authorization: generateKey().key })
  for (let time = 0; time < 5; time += 1) assert.equal((await sendInvalidKey()).status, 401)
  const limited = await sendInvalidKey()
  assert.equal(limited.status, 429)
  assert.equal(JSON.parse(limited.text).code, 'too-many-requests')
  const seconds = Number(limited.headers['retry-after'])
  assert.ok(seconds >= 1 && seconds <= 12, `Retry-After: ${seconds}`)
  assert.equal((await sendRequest(base, '/api/evaluations', { authorization: key })).status, 200)
  assert.equal(
    (await sendRequest(base, '/api/evaluations')).status,
    401,
    'a request without a key does not count',
  )
  now += seconds * 1000
  assert.equal((await sendInvalidKey()).status, 401, 'a request after Retry-After is not limited')
})

test('the client address comes from the connection, and from X-Forwarded-For only with trust_proxy', async () => {
  const store = await createTestStore()
  const sendInvalidKey = (base: string, from: string) =>
    sendRequest(base, '/api/evaluations', { authorization: 'x', 'x-forwarded-for': from })
  const plain = await startTestService(store, { failed_key_limit: 1 })
  assert.equal((await sendInvalidKey(plain.base, '192.0.2.1')).status, 401)
  assert.equal((await sendInvalidKey(plain.base, '192.0.2.2')).status, 429)
  const proxied = await startTestService(store, { failed_key_limit: 1, trust_proxy: true })
  assert.equal((await sendInvalidKey(proxied.base, '192.0.2.1')).status, 401)
  assert.equal((await sendInvalidKey(proxied.base, '192.0.2.2')).status, 401)
  assert.equal((await sendInvalidKey(proxied.base, '192.0.2.2')).status, 429)
})

test('no route returns data of another project', async () => {
  const store = await createTestStore()
  await fillCorpus(store)
  const { key } = await createTestKey(store, { project: 'third' })
  const { base } = await startTestService(store)
  for (const path of ['/api/evaluations', '/api/variants']) {
    assert.equal((await sendRequest(base, path, { authorization: key })).text, '[]')
  }
  for (const id of ['full', 'foreign', 'shared', 'empty']) {
    for (const path of [`/api/evaluations/${id}/evaluation_scenarios`, `/api/variants/${id}/revisions`]) {
      for (const query of ['', '?format=csv', '?limit=1']) {
        for (const method of ['GET', 'HEAD']) {
          const response = await sendRequest(
            base,
            path + query,
            { authorization: key, 'if-none-match': '*' },
            method,
          )
          assert.equal(response.status, 403)
          assert.equal(response.headers.etag, undefined)
        }
      }
    }
  }
})
