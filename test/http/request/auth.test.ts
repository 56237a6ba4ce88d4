// Tests authentication: creation, revocation, rotation and expiry of keys, rate limits, and isolation of projects.
import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { Agent } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { StatementSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { crc32 } from 'node:zlib'
import pg from 'pg'
import pino from 'pino'
import { openStoreAt } from '../../../bench/store.ts'
import { median } from '../../../bench/timing.ts'
import { generateKey, publicIdOf } from '../../../src/schema/keys.ts'
import { runAssayCommand as runAssay } from '../../support/command-runner/run.ts'
import { fillCorpus } from '../../support/corpus.ts'
import {
  createStoreLocation,
  createTestKey,
  createTestStore,
  type LogLine,
  spawnServer,
  startTestService,
} from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'

const store = await createTestStore()

test('a running service accepts a new key and rejects a revoked one on the next request', async () => {
  const { flags } = store
  const { baseUrl } = await startTestService(store)
  const readStatus = async (key: string) =>
    (await sendRequest(baseUrl, '/api/evaluations', { authorization: key })).status
  const key = (await runAssay(['keys', 'create', ...flags])).stdout.trim()
  assert.equal(await readStatus(key), 200)
  assert.equal((await runAssay(['keys', 'revoke', key.slice(6, 18), ...flags])).code, 0)
  assert.equal(await readStatus(key), 401)
})

test('the service accepts the old key in addition to the new one until the overlap ends', async () => {
  const { flags } = store
  const oldKey = (await runAssay(['keys', 'create', ...flags])).stdout.trim()
  const rotation = await runAssay(['keys', 'rotate', oldKey.slice(6, 18), '--overlap', '1h', ...flags])
  let now = Date.now()
  const { baseUrl } = await startTestService(store, {}, () => now)
  const readStatus = async (key: string) =>
    (await sendRequest(baseUrl, '/api/evaluations', { authorization: key })).status
  assert.deepEqual([await readStatus(oldKey), await readStatus(rotation.stdout.trim())], [200, 200])
  now += 3_601_000
  assert.deepEqual([await readStatus(oldKey), await readStatus(rotation.stdout.trim())], [401, 200])
})

test('a key expires exactly at expires_at', async () => {
  const expires_at = '2027-01-01T00:00:00.000Z'
  const { key } = await createTestKey(store, { expires_at })
  let now = Date.parse(expires_at) - 1
  const { baseUrl } = await startTestService(store, {}, () => now)
  assert.equal((await sendRequest(baseUrl, '/api/variants', { authorization: key })).status, 200)
  now += 1
  assert.equal((await sendRequest(baseUrl, '/api/variants', { authorization: key })).status, 401)
})

test('a key with a wrong checksum is rejected without reading the store', async () => {
  const store = await openStoreAt((await createStoreLocation()).url)
  const { key } = await createTestKey(store)
  const { baseUrl } = await startTestService(store)
  await store.close()
  const mistypedKey = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`
  assert.equal((await sendRequest(baseUrl, '/api/evaluations', { authorization: mistypedKey })).status, 401)
  assert.equal((await sendRequest(baseUrl, '/api/evaluations')).status, 401)
  assert.ok((await sendRequest(baseUrl, '/api/evaluations', { authorization: key })).status >= 500)
})

/** A key that has the public id of another key, a random secret and a correct checksum. */
function withWrongSecret(key: string): string {
  for (;;) {
    const guess = key.slice(0, 19) + generateKey().key.slice(19, 49)
    let checksum = ''
    for (let rest = crc32(guess); rest > 0; rest = Math.floor(rest / 62)) {
      const digit = rest % 62
      checksum = String.fromCharCode(digit + (digit < 10 ? 48 : digit < 36 ? 55 : 61)) + checksum
    }
    const wrongKey = guess + checksum.padStart(6, '0')
    if (publicIdOf(wrongKey) === key.slice(6, 18)) return wrongKey
  }
}

/** Returns a function that counts the statements about keys since its last call. */
function countKeyStatements({ mock }: TestContext): () => number {
  const sqlite = mock.method(StatementSync.prototype, 'get').mock
  const postgres = mock.method(pg.Client.prototype, 'query').mock
  return () => {
    const statements = [
      ...sqlite.calls.map((call) => (call.this as StatementSync | undefined)?.sourceSQL),
      ...postgres.calls.map((call) => String(call.arguments[0])),
    ]
    sqlite.resetCalls()
    postgres.resetCalls()
    return statements.filter((statement) => statement?.includes('FROM api_key')).length
  }
}

test('an unknown key and a wrong secret are rejected with one statement, also if the key is cached', async (t) => {
  const [{ key: usedKey }, { key: unusedKey }] = [await createTestKey(store), await createTestKey(store)]
  const { baseUrl } = await startTestService(store)
  const countStatements = countKeyStatements(t)
  const sendKey = async (authorization: string, method: string) => {
    const { status, text } = await sendRequest(baseUrl, '/api/evaluations', { authorization }, method)
    return { status, detail: text && JSON.parse(text).detail, statements: countStatements() }
  }
  for (const method of ['GET', 'POST']) {
    await sendKey(usedKey, 'GET')
    const [unknownKey, ...wrongSecrets] = [
      await sendKey(generateKey().key, method),
      await sendKey(withWrongSecret(usedKey), method),
      await sendKey(withWrongSecret(unusedKey), method),
    ]
    assert.deepEqual([unknownKey?.status, unknownKey?.statements], [401, 1])
    assert.deepEqual(wrongSecrets, [unknownKey, unknownKey])
    assert.equal((await sendKey(`${usedKey.slice(0, -6)}000000`, method)).statements, 0)
  }
})

test('the time to reject a key does not show whether its public id exists', {
  skip: fullOnly('measures several thousand requests'),
}, async (t) => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  const { key } = await createTestKey(store)
  await store.close()
  const { baseUrl } = await spawnServer([...flags, '--trust-proxy', '1', '--log-level', 'error'])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  let addressNumber = 0
  const sendKey = async (authorization: string) => {
    // One address could not send so many invalid keys.
    addressNumber += 1
    const headers = { authorization, 'x-forwarded-for': `2001:db8::${addressNumber.toString(16)}` }
    const startTime = performance.now()
    await sendRequest(baseUrl, '/api/evaluations', headers, 'GET', undefined, agent)
    return performance.now() - startTime
  }
  const unknownTimes: number[] = []
  const wrongTimes: number[] = []
  for (let round = 0; round < 4000; round += 1) {
    const [unknownKey, wrongKey] = [generateKey().key, withWrongSecret(key)]
    await sendKey(key)
    // In turn, because the request after an accepted one can be slower.
    if (round % 2 === 0) unknownTimes.push(await sendKey(unknownKey))
    wrongTimes.push(await sendKey(wrongKey))
    if (round % 2 === 1) unknownTimes.push(await sendKey(unknownKey))
  }
  const ratio = median(wrongTimes) / median(unknownTimes)
  reportMeasurements(t, { cases: 8000, wrong_to_unknown_ratio: Number(ratio.toFixed(3)) })
  if (testOptions.measures) assert.ok(ratio > 0.9 && ratio < 1.1, `${ratio}`)
})

test('a wrong secret and an unknown key are hashed and compared in the same way', async (t) => {
  const { key } = await createTestKey(store)
  const { baseUrl } = await startTestService(store)
  const invalidKeys = [withWrongSecret(key), generateKey().key]
  // Both functions are called as usual; their calls are only counted.
  const [hash, compare] = [t.mock.method(crypto, 'hash'), t.mock.method(crypto, 'timingSafeEqual')]
  syncBuiltinESMExports()
  try {
    for (const authorization of invalidKeys) {
      compare.mock.resetCalls()
      assert.equal((await sendRequest(baseUrl, '/api/evaluations', { authorization })).status, 401)
      const hashedKeys = hash.mock.calls.filter(({ arguments: [, text] }) => text === authorization)
      assert.deepEqual([hashedKeys.length, compare.mock.callCount()], [1, 1])
    }
  } finally {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  }
})

test('invalid keys are rate-limited per client address, and valid keys are not affected', async () => {
  const { key } = await createTestKey(store)
  let now = 0
  const { baseUrl } = await startTestService(store, {}, () => now)
  const sendInvalidKey = async () =>
    sendRequest(baseUrl, '/api/evaluations', { authorization: generateKey().key })
  for (let count = 0; count < 300; count += 1) assert.equal((await sendInvalidKey()).status, 401)
  const limitedResponse = await sendInvalidKey()
  assert.equal(limitedResponse.status, 429)
  assert.equal(JSON.parse(limitedResponse.text).code, 'too-many-requests')
  const seconds = Number(limitedResponse.headers['retry-after'])
  assert.equal(seconds, 1)
  assert.equal((await sendRequest(baseUrl, '/api/evaluations', { authorization: key })).status, 200)
  assert.equal(
    (await sendRequest(baseUrl, '/api/evaluations')).status,
    401,
    'a request without a key does not count',
  )
  now += seconds * 1000
  assert.equal((await sendInvalidKey()).status, 401, 'a request after Retry-After is not limited')
})

const CLIENT_ADDRESSES: [
  proxies: number | string[] | undefined,
  forwardedFor: string | string[],
  address: string,
][] = [
  [undefined, '192.0.2.3', '127.0.0.1'],
  [1, '192.0.2.3', '192.0.2.3'],
  [1, '2001:db8::3', '2001:db8::3'],
  [1, '198.51.100.1, 192.0.2.3', '192.0.2.3'],
  [1, 'garbage, 192.0.2.3', '192.0.2.3'],
  [1, ' , ,,192.0.2.3 ', '192.0.2.3'],
  [1, ['198.51.100.1', '192.0.2.3'], '192.0.2.3'],
  [1, '', '127.0.0.1'],
  [1, ' , ', '127.0.0.1'],
  [2, '198.51.100.1, 192.0.2.3, 10.0.0.9', '192.0.2.3'],
  [['127.0.0.1'], '198.51.100.1, 192.0.2.3', '192.0.2.3'],
  [['127.0.0.1'], ['198.51.100.1, 127.0.0.1', '192.0.2.3'], '192.0.2.3'],
  [['127.0.0.1'], '127.0.0.1, garbage, 192.0.2.3', '192.0.2.3'],
  [['127.0.0.0/8', '10.0.0.0/8'], '198.51.100.1, 192.0.2.3, 10.0.0.9', '192.0.2.3'],
  [['127.0.0.0/8', '10.0.0.0/8'], '192.0.2.3, ::ffff:10.0.0.9', '192.0.2.3'],
  [['::ffff:127.0.0.1', '2001:db8::/32'], '192.0.2.3, 2001:db8::9', '192.0.2.3'],
  [['::1', '10.0.0.0/8'], '192.0.2.3', '127.0.0.1'],
]

test('the client address comes from the connection, and from X-Forwarded-For only as far as proxies are trusted', async () => {
  const byProxies = Map.groupBy(CLIENT_ADDRESSES, ([proxies]) => JSON.stringify(proxies))
  for (const cases of byProxies.values()) {
    const lines: LogLine[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    const trust_proxy = cases[0]?.[0]
    const { baseUrl, stop } = await startTestService(store, { trust_proxy }, undefined, undefined, log)
    for (const [, forwardedFor] of cases)
      await sendRequest(baseUrl, '/api/evaluations', { 'x-forwarded-for': forwardedFor })
    await stop()
    assert.deepEqual(
      lines.filter(({ msg }) => msg === 'request').map(({ address }) => address),
      cases.map(([, , address]) => address),
      `trust_proxy: ${JSON.stringify(trust_proxy)}`,
    )
  }
})

test('a client cannot get more attempts or another address in the change log with X-Forwarded-For', async () => {
  const { key } = await createTestKey(store, { scopes: ['write'] })
  const now = Date.now()
  const directService = await startTestService(store, {}, () => now)
  const proxiedService = await startTestService(store, { trust_proxy: 1 }, () => now)
  for (const [{ baseUrl }, proxyEntry, id] of [
    [directService, '', 'direct'],
    [proxiedService, ', 192.0.2.3', 'proxied'],
  ] as const) {
    const statuses: number[] = []
    for (let guess = 1; guess <= 302; guess += 1) {
      const headers = { authorization: 'x', 'x-forwarded-for': `198.51.100.${guess % 256}${proxyEntry}` }
      statuses.push((await sendRequest(baseUrl, '/api/evaluations', headers)).status)
    }
    assert.deepEqual(new Set(statuses.slice(0, 300)), new Set([401]))
    assert.deepEqual(statuses.slice(300), [429, 429])
    const headers = {
      authorization: key,
      'x-forwarded-for': `198.51.100.9${proxyEntry}`,
      'content-type': 'application/json',
    }
    await sendRequest(baseUrl, '/api/variants', headers, 'POST', JSON.stringify({ id }))
  }
  // Another client of the same proxy has its own attempts.
  const otherClient = { authorization: 'x', 'x-forwarded-for': '192.0.2.4' }
  assert.equal((await sendRequest(proxiedService.baseUrl, '/api/evaluations', otherClient)).status, 401)
  const changes = await store.reader.all<{ address: string }>(
    `SELECT address FROM change WHERE action = 'variant.created' ORDER BY sequence`,
  )
  assert.deepEqual(
    changes.map(({ address }) => address),
    ['127.0.0.1', '192.0.2.3'],
  )
})

test('the request log names the key if it lacks the scope of the operation, but not if it is invalid', async () => {
  const { key, public_id } = await createTestKey(store)
  const lines: LogLine[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const { baseUrl, stop } = await startTestService(store, {}, undefined, undefined, log)
  const deleteEvaluation = (authorization: string) =>
    sendRequest(baseUrl, '/api/evaluations/e', { authorization }, 'DELETE')
  assert.equal((await deleteEvaluation(key)).status, 403)
  assert.equal((await deleteEvaluation(generateKey().key)).status, 401)
  await stop()
  assert.deepEqual(
    lines.filter(({ msg }) => msg === 'request').map(({ key, address }) => [key, address]),
    [
      [public_id, '127.0.0.1'],
      [undefined, '127.0.0.1'],
    ],
  )
})

test('no route returns data of another project', async () => {
  await fillCorpus(store)
  const { key } = await createTestKey(store, { project: 'third' })
  const { baseUrl } = await startTestService(store)
  for (const path of ['/api/evaluations', '/api/variants']) {
    assert.equal((await sendRequest(baseUrl, path, { authorization: key })).text, '[]')
  }
  for (const id of ['full', 'foreign', 'shared', 'empty']) {
    for (const path of [`/api/evaluations/${id}/evaluation_scenarios`, `/api/variants/${id}/revisions`]) {
      for (const query of ['', '?format=csv', '?limit=1']) {
        for (const method of ['GET', 'HEAD']) {
          const response = await sendRequest(
            baseUrl,
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
