// Shares over HTTP: made, listed and ended by keys of the whole project; what is refused, and when they end.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Scope } from '../../src/schema/keys.ts'
import type { NewShare } from '../../src/schema/shares.ts'
import { addKey, passShares, revokeKey } from '../../src/store/keys.ts'
import { addShareOf } from '../../src/store/shares.ts'
import { fillCorpus } from '../corpus.ts'
import { freshStore, serveStore } from '../harness.ts'
import { ask, checkDocumented, checkProblem, schemaErrors } from '../wire.ts'
import { JSON_TYPE } from '../writes.ts'

let now = Date.parse('2026-11-15T09:15:00.123Z')
const DAY = 86_400_000
/** So many days from now. */
const at = (days: number) => new Date(now + days * DAY).toISOString()

const store = await freshStore()
await fillCorpus(store)
const { base } = await serveStore(store, {}, () => now)

function make(
  scopes: readonly Scope[] = ['read', 'write'],
  expires_at: string | null = null,
  project = 'default',
) {
  return store.writer.transaction((transaction) =>
    addKey(transaction, { project, name: null, scopes, expires_at }),
  )
}
const { key: whole } = await make()

async function call(key: string, method: string, path: string, body?: unknown, headers = {}) {
  const sent = body === undefined ? {} : { 'content-type': JSON_TYPE }
  const text = body === undefined ? undefined : JSON.stringify(body)
  const answer = await ask(base, path, { authorization: `Bearer ${key}`, ...sent, ...headers }, method, text)
  checkDocumented(path, answer, method)
  return answer
}

const EVALUATION = { evaluation_id: 'full' }
const post = (body: unknown, key = whole, headers = {}) => call(key, 'POST', '/api/shares', body, headers)
const status = async (key: string, id = 'full') => (await call(key, 'GET', `/api/evaluations/${id}`)).status
const list = async (key = whole) => JSON.parse((await call(key, 'GET', '/api/shares')).text)

async function share(body: object = { confined_to: EVALUATION }, key = whole): Promise<NewShare> {
  const answer = await post(body, key)
  assert.equal(answer.status, 201, answer.text)
  return JSON.parse(answer.text)
}

test('a share is answered once with its key, is listed without it, and ends from the next request on', async () => {
  const answer = await post({ confined_to: { comparison: ['full', 'shared'] }, name: 'for the review' })
  assert.deepEqual([answer.status, answer.headers['cache-control']], [201, 'no-store'])
  const made: NewShare = JSON.parse(answer.text)
  assert.deepEqual(schemaErrors('NewShare', made), [])
  const { key, ...told } = made
  assert.deepEqual(told, {
    public_id: key.slice(6, 18),
    last_four: key.slice(-4),
    name: 'for the review',
    confined_to: { comparison: ['full', 'shared'] },
    created_at: at(0),
    expires_at: at(7),
  })
  assert.equal(await status(key, 'shared'), 200)
  assert.deepEqual(await list(), [told])
  assert.equal((await call(whole, 'DELETE', `/api/shares/${told.public_id}`)).status, 204)
  checkProblem(await call(key, 'GET', '/api/evaluations/shared'), 401, 'unauthorized')
  assert.deepEqual(await list(), [])
  checkProblem(await call(whole, 'DELETE', `/api/shares/${told.public_id}`), 404, 'share-not-found')
})

test('the newest share is listed first, and only those of the project that work', async () => {
  const other = (await make(['read', 'write'], null, 'other')).key
  const foreign = await share({ confined_to: { evaluation_id: 'foreign' } }, other)
  const first = await share()
  now += 1
  const second = await share({ confined_to: { variant_id: 'full' }, expires_at: at(1) })
  const ids = async (key: string) => (await list(key)).map(({ public_id }: NewShare) => public_id)
  assert.deepEqual(await ids(whole), [second.public_id, first.public_id])
  assert.deepEqual(await ids(other), [foreign.public_id])
  now += DAY
  assert.deepEqual(await ids(whole), [first.public_id])
  const path = `/api/shares/${foreign.public_id}`
  checkProblem(await call(whole, 'DELETE', path), 404, 'share-not-found')
  assert.equal(await status(foreign.key, 'foreign'), 200)
})

test('a key that is no share cannot be ended as one', async () => {
  const { key, public_id } = await make()
  for (const id of [public_id, 'short', '%00', 'aaaaaaaaaaaa'])
    checkProblem(await call(whole, 'DELETE', `/api/shares/${id}`), 404, 'share-not-found')
  assert.equal(await status(key), 200)
})

test('a share ends when it was told to, to the millisecond, and with what it is of', async () => {
  const confined_to = { evaluation_id: 'exact' }
  const [brief, long] = [
    await share({ confined_to, expires_at: at(1).replace('Z', '+00:00') }),
    await share({ confined_to }),
  ]
  now += DAY - 1
  assert.equal(await status(brief.key, 'exact'), 200)
  now += 1
  checkProblem(await call(brief.key, 'GET', '/api/evaluations/exact'), 401, 'unauthorized')
  assert.equal(await status(long.key, 'exact'), 200)
  assert.equal((await call(whole, 'DELETE', '/api/evaluations/exact')).status, 204)
  checkProblem(await call(long.key, 'GET', '/api/evaluations/exact'), 404, 'evaluation-not-found')
  assert.equal((await call(whole, 'POST', '/api/evaluations', { id: 'exact' })).status, 201)
  assert.equal(await status(long.key, 'exact'), 200, 'it is known by its id')
})

describe('a share does not outlive the key that it was made with', () => {
  test('by its time', async () => {
    const maker = (await make(['read', 'write'], at(2))).key
    assert.equal((await share({ confined_to: EVALUATION }, maker)).expires_at, at(2))
    assert.equal((await share({ confined_to: EVALUATION, expires_at: at(2) }, maker)).expires_at, at(2))
    const late = checkProblem(
      await post({ confined_to: EVALUATION, expires_at: at(3) }, maker),
      422,
      'invalid-content',
    )
    assert.deepEqual(
      late.errors?.map(({ pointer }) => pointer),
      ['/expires_at'],
    )
  })

  test('when that is revoked', async () => {
    const [maker, other] = [await make(), await share()]
    const made = await share({ confined_to: EVALUATION }, maker.key)
    await store.writer.transaction((transaction) => revokeKey(transaction, maker.public_id))
    assert.deepEqual([await status(made.key), await status(other.key)], [401, 200])
    const listed = await list()
    assert.ok(!listed.some(({ public_id }: NewShare) => public_id === made.public_id))
    const again = store.writer.transaction((transaction) =>
      addShareOf(transaction, { project: 1, keyId: maker.public_id, now }, { confined_to: EVALUATION }),
    )
    await assert.rejects(again, /revoked meanwhile/)
  })

  test('but goes over to the one that takes its place', async () => {
    const [old, fresh] = [await make(), await make()]
    const made = await share({ confined_to: EVALUATION }, old.key)
    await store.writer.transaction((transaction) => passShares(transaction, old.public_id, fresh.public_id))
    await store.writer.transaction((transaction) => revokeKey(transaction, old.public_id))
    assert.equal(await status(made.key), 200)
    await store.writer.transaction((transaction) => revokeKey(transaction, fresh.public_id))
    assert.equal(await status(made.key), 401)
  })
})

const REFUSED: [body: unknown, pointer: string][] = [
  [{}, ''],
  [{ confined_to: null }, '/confined_to'],
  [{ confined_to: {} }, '/confined_to'],
  [{ confined_to: { evaluation_id: 'full', variant_id: 'full' } }, '/confined_to'],
  [{ confined_to: { project: 'default' } }, '/confined_to'],
  [{ confined_to: { evaluation_id: 'nowhere' } }, '/confined_to/evaluation_id'],
  [{ confined_to: { evaluation_id: 'foreign' } }, '/confined_to/evaluation_id'],
  [{ confined_to: { evaluation_id: '..' } }, '/confined_to/evaluation_id'],
  [{ confined_to: { evaluation_id: 'a\u0000b' } }, '/confined_to/evaluation_id'],
  [{ confined_to: { variant_id: 'exact' } }, '/confined_to/variant_id'],
  [{ confined_to: { comparison: ['full'] } }, '/confined_to/comparison'],
  [{ confined_to: { comparison: ['full', 'full'] } }, '/confined_to/comparison'],
  [{ confined_to: { comparison: ['full', 'shared', 'empty', 'a', 'b'] } }, '/confined_to/comparison'],
  [{ confined_to: { comparison: ['full', 'foreign'] } }, '/confined_to/comparison/1'],
  [{ confined_to: EVALUATION, name: '' }, '/name'],
  [{ confined_to: EVALUATION, name: 'a\nb' }, '/name'],
  [{ confined_to: EVALUATION, expires_at: 'soon' }, '/expires_at'],
  [{ confined_to: EVALUATION, expires_at: at(0) }, '/expires_at'],
  [{ confined_to: EVALUATION, scopes: ['write'] }, '/scopes'],
]

describe('what cannot be shared:', () => {
  for (const [body, pointer] of REFUSED) {
    test(JSON.stringify(body), async () => {
      const before = await list()
      const { errors } = checkProblem(await post(body), 422, 'invalid-content')
      assert.ok(
        errors?.some((error) => error.pointer.startsWith(pointer)),
        JSON.stringify(errors),
      )
      assert.deepEqual(await list(), before)
    })
  }

  test('by keys that do not both read and write, and with an Idempotency-Key', async () => {
    const { public_id } = await share()
    for (const scope of ['read', 'write'] as const) {
      const { key } = await make([scope])
      checkProblem(await post({ confined_to: EVALUATION }, key), 403, 'access-denied')
      checkProblem(await call(key, 'DELETE', `/api/shares/${public_id}`), 403, 'access-denied')
    }
    const repeated = await post({ confined_to: EVALUATION }, whole, { 'idempotency-key': 'once' })
    checkProblem(repeated, 400, 'invalid-request')
  })
})
