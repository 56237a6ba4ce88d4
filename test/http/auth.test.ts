// Keys against a running service: what they cost, when they end, and who hears of whom.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAt } from '../../bench/store.ts'
import { mintKey } from '../../src/schema/keys.ts'
import { fillCorpus } from '../corpus.ts'
import { assay, freshPlace, freshStore, mint, serveStore, spawnServer } from '../harness.ts'
import { ask } from '../wire.ts'

test('a key made in one process is good, and a revoked one is refused, on the next request to another', async () => {
  const { flags } = await freshPlace()
  const { base, child } = await spawnServer(flags)
  const status = async (key: string) => (await ask(base, '/api/evaluations', { authorization: key })).status
  const key = (await assay(['keys', 'create', ...flags])).stdout.trim()
  assert.equal(await status(key), 200)
  assert.equal((await assay(['keys', 'revoke', key.slice(6, 18), ...flags])).code, 0)
  assert.equal(await status(key), 401)
  child.kill()
})

test('a rotated key works beside the new one until the overlap is over', async () => {
  const { url, flags } = await freshPlace()
  const old = (await assay(['keys', 'create', ...flags])).stdout.trim()
  const rotated = await assay(['keys', 'rotate', old.slice(6, 18), '--overlap', '1h', ...flags])
  const store = await openAt(url)
  let now = Date.now()
  const { base, stop } = await serveStore(store, {}, () => now)
  const status = async (key: string) => (await ask(base, '/api/evaluations', { authorization: key })).status
  assert.deepEqual([await status(old), await status(rotated.stdout.trim())], [200, 200])
  now += 3_601_000
  assert.deepEqual([await status(old), await status(rotated.stdout.trim())], [401, 200])
  await stop()
  await store.close()
})

test('a key is good until the very millisecond it expires', async () => {
  const store = await freshStore()
  const expires_at = '2027-01-01T00:00:00.000Z'
  const { key } = await mint(store, { expires_at })
  let now = Date.parse(expires_at) - 1
  const { base } = await serveStore(store, {}, () => now)
  assert.equal((await ask(base, '/api/variants', { authorization: key })).status, 200)
  now += 1
  assert.equal((await ask(base, '/api/variants', { authorization: key })).status, 401)
})

test('a key with a wrong checksum is refused without a look into the store', async () => {
  const store = await openAt((await freshPlace()).url)
  const { key } = await mint(store)
  const { base } = await serveStore(store)
  await store.close()
  const mistyped = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`
  assert.equal((await ask(base, '/api/evaluations', { authorization: mistyped })).status, 401)
  assert.equal((await ask(base, '/api/evaluations')).status, 401)
  assert.ok((await ask(base, '/api/evaluations', { authorization: key })).status >= 500)
})

test('refused keys are bounded by address; a good key is served all the same', async () => {
  const store = await freshStore()
  const { key } = await mint(store)
  let now = 0
  const { base } = await serveStore(store, { failed_key_limit: 5 }, () => now)
  const wrong = async () => ask(base, '/api/evaluations', { authorization: mintKey().key })
  for (let time = 0; time < 5; time += 1) assert.equal((await wrong()).status, 401)
  const limited = await wrong()
  assert.equal(limited.status, 429)
  assert.equal(JSON.parse(limited.text).code, 'too-many-requests')
  const seconds = Number(limited.headers['retry-after'])
  assert.ok(seconds >= 1 && seconds <= 12, `Retry-After: ${seconds}`)
  assert.equal((await ask(base, '/api/evaluations', { authorization: key })).status, 200)
  assert.equal((await ask(base, '/api/evaluations')).status, 401, 'no key at all is not a guess')
  now += seconds * 1000
  assert.equal((await wrong()).status, 401, 'Retry-After was honest')
})

test('the address is that of the connection, whatever X-Forwarded-For says, unless a proxy is trusted', async () => {
  const store = await freshStore()
  const wrong = (base: string, from: string) =>
    ask(base, '/api/evaluations', { authorization: 'x', 'x-forwarded-for': from })
  const plain = await serveStore(store, { failed_key_limit: 1 })
  assert.equal((await wrong(plain.base, '192.0.2.1')).status, 401)
  assert.equal((await wrong(plain.base, '192.0.2.2')).status, 429)
  const trusting = await serveStore(store, { failed_key_limit: 1, trust_proxy: true })
  assert.equal((await wrong(trusting.base, '192.0.2.1')).status, 401)
  assert.equal((await wrong(trusting.base, '192.0.2.2')).status, 401)
  assert.equal((await wrong(trusting.base, '192.0.2.2')).status, 429)
})

test('no route gives away a byte of another project', async () => {
  const store = await freshStore()
  await fillCorpus(store)
  const { key } = await mint(store, { project: 'third' })
  const { base } = await serveStore(store)
  for (const path of ['/api/evaluations', '/api/variants']) {
    assert.equal((await ask(base, path, { authorization: key })).text, '[]')
  }
  for (const id of ['full', 'foreign', 'shared', 'empty']) {
    for (const path of [`/api/evaluations/${id}/evaluation_scenarios`, `/api/variants/${id}/revisions`]) {
      for (const query of ['', '?format=csv', '?limit=1']) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await ask(base, path + query, { authorization: key, 'if-none-match': '*' }, method)
          assert.equal(answer.status, 403)
          assert.equal(answer.headers.etag, undefined)
        }
      }
    }
  }
})
