// Tests share links over HTTP: creation, list, revocation, expiry and errors.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Scope } from '../../../src/schema/keys.ts'
import type { NewShare } from '../../../src/schema/shares.ts'
import { addKey, revokeKey, transferShares } from '../../../src/store/access/keys.ts'
import { addShareWithKey } from '../../../src/store/access/shares.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, schemaErrors, sendRequest } from '../../support/http.ts'
import { JSON_TYPE } from '../../support/write-requests.ts'

let now = Date.parse('2026-11-15T09:15:00.123Z')
const DAY = 86_400_000
/** The time in the given number of days. */
const daysFromNow = (days: number) => new Date(now + days * DAY).toISOString()

const store = await createTestStore()
await fillCorpus(store)
const { base } = await startTestService(store, {}, () => now)

function createKey(
  scopes: readonly Scope[] = ['read', 'write'],
  expires_at: string | null = null,
  project = 'default',
) {
  return store.writer.transaction((transaction) =>
    addKey(transaction, { project, name: null, scopes, expires_at }),
  )
}
const { key: projectKey } = await createKey()

async function send(key: string, method: string, path: string, body?: unknown, headers = {}) {
  const type = body === undefined ? {} : { 'content-type': JSON_TYPE }
  const text = body === undefined ? undefined : JSON.stringify(body)
  const response = await sendRequest(
    base,
    path,
    { authorization: `Bearer ${key}`, ...type, ...headers },
    method,
    text,
  )
  checkDocumented(path, response, method)
  return response
}

const EVALUATION = { evaluation_id: 'full' }
const post = (body: unknown, key = projectKey, headers = {}) =>
  send(key, 'POST', '/api/shares', body, headers)
const status = async (key: string, id = 'full') => (await send(key, 'GET', `/api/evaluations/${id}`)).status
const list = async (key = projectKey) => JSON.parse((await send(key, 'GET', '/api/shares')).text)

async function share(body: object = { confined_to: EVALUATION }, key = projectKey): Promise<NewShare> {
  const response = await post(body, key)
  assert.equal(response.status, 201, response.text)
  return JSON.parse(response.text)
}

test('creating a share returns its key once, the list omits the key, and revoking it takes effect at once', async () => {
  const response = await post({ confined_to: { comparison: ['full', 'shared'] }, name: 'for the review' })
  assert.deepEqual([response.status, response.headers['cache-control']], [201, 'no-store'])
  const created: NewShare = JSON.parse(response.text)
  assert.deepEqual(schemaErrors('NewShare', created), [])
  const { key, ...details } = created
  assert.deepEqual(details, {
    public_id: key.slice(6, 18),
    last_four: key.slice(-4),
    name: 'for the review',
    confined_to: { comparison: ['full', 'shared'] },
    created_at: daysFromNow(0),
    expires_at: daysFromNow(7),
  })
  assert.equal(await status(key, 'shared'), 200)
  assert.deepEqual(await list(), [details])
  assert.equal((await send(projectKey, 'DELETE', `/api/shares/${details.public_id}`)).status, 204)
  checkProblem(await send(key, 'GET', '/api/evaluations/shared'), 401, 'unauthorized')
  assert.deepEqual(await list(), [])
  checkProblem(await send(projectKey, 'DELETE', `/api/shares/${details.public_id}`), 404, 'share-not-found')
})

test('the list contains the active shares of the project, newest first', async () => {
  const other = (await createKey(['read', 'write'], null, 'other')).key
  const foreign = await share({ confined_to: { evaluation_id: 'foreign' } }, other)
  const first = await share()
  now += 1
  const second = await share({ confined_to: { variant_id: 'full' }, expires_at: daysFromNow(1) })
  const ids = async (key: string) => (await list(key)).map(({ public_id }: NewShare) => public_id)
  assert.deepEqual(await ids(projectKey), [second.public_id, first.public_id])
  assert.deepEqual(await ids(other), [foreign.public_id])
  now += DAY
  assert.deepEqual(await ids(projectKey), [first.public_id])
  const path = `/api/shares/${foreign.public_id}`
  checkProblem(await send(projectKey, 'DELETE', path), 404, 'share-not-found')
  assert.equal(await status(foreign.key, 'foreign'), 200)
})

test('a key that is not a share cannot be revoked as one', async () => {
  const { key, public_id } = await createKey()
  for (const id of [public_id, 'short', '%00', 'aaaaaaaaaaaa'])
    checkProblem(await send(projectKey, 'DELETE', `/api/shares/${id}`), 404, 'share-not-found')
  assert.equal(await status(key), 200)
})

test('a share ends exactly at its expiry, and returns 404 after its evaluation is deleted', async () => {
  const confined_to = { evaluation_id: 'exact' }
  const [oneDay, sevenDays] = [
    await share({ confined_to, expires_at: daysFromNow(1).replace('Z', '+00:00') }),
    await share({ confined_to }),
  ]
  now += DAY - 1
  assert.equal(await status(oneDay.key, 'exact'), 200)
  now += 1
  checkProblem(await send(oneDay.key, 'GET', '/api/evaluations/exact'), 401, 'unauthorized')
  assert.equal(await status(sevenDays.key, 'exact'), 200)
  assert.equal((await send(projectKey, 'DELETE', '/api/evaluations/exact')).status, 204)
  checkProblem(await send(sevenDays.key, 'GET', '/api/evaluations/exact'), 404, 'evaluation-not-found')
  assert.equal((await send(projectKey, 'POST', '/api/evaluations', { id: 'exact' })).status, 201)
  assert.equal(
    await status(sevenDays.key, 'exact'),
    200,
    'the share refers to the id, so a new evaluation with this id can be read',
  )
})

describe('a share does not outlive the key that created it', () => {
  test('expires at the latest when the key expires', async () => {
    const creator = (await createKey(['read', 'write'], daysFromNow(2))).key
    assert.equal((await share({ confined_to: EVALUATION }, creator)).expires_at, daysFromNow(2))
    assert.equal(
      (await share({ confined_to: EVALUATION, expires_at: daysFromNow(2) }, creator)).expires_at,
      daysFromNow(2),
    )
    const tooLate = checkProblem(
      await post({ confined_to: EVALUATION, expires_at: daysFromNow(3) }, creator),
      422,
      'invalid-content',
    )
    assert.deepEqual(
      tooLate.errors?.map(({ pointer }) => pointer),
      ['/expires_at'],
    )
  })

  test('is revoked with the key', async () => {
    const [creator, other] = [await createKey(), await share()]
    const created = await share({ confined_to: EVALUATION }, creator.key)
    await store.writer.transaction((transaction) => revokeKey(transaction, creator.public_id))
    assert.deepEqual([await status(created.key), await status(other.key)], [401, 200])
    const listed = await list()
    assert.ok(!listed.some(({ public_id }: NewShare) => public_id === created.public_id))
    const again = store.writer.transaction((transaction) =>
      addShareWithKey(
        transaction,
        { project: 1, keyId: creator.public_id, now },
        { confined_to: EVALUATION },
      ),
    )
    await assert.rejects(again, /has been revoked/)
  })

  test('moves to the replacement when the key is rotated', async () => {
    const [oldKey, newKey] = [await createKey(), await createKey()]
    const created = await share({ confined_to: EVALUATION }, oldKey.key)
    await store.writer.transaction((transaction) =>
      transferShares(transaction, oldKey.public_id, newKey.public_id),
    )
    await store.writer.transaction((transaction) => revokeKey(transaction, oldKey.public_id))
    assert.equal(await status(created.key), 200)
    await store.writer.transaction((transaction) => revokeKey(transaction, newKey.public_id))
    assert.equal(await status(created.key), 401)
  })
})

const INVALID_BODIES: [body: unknown, pointer: string][] = [
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
  [{ confined_to: EVALUATION, expires_at: daysFromNow(0) }, '/expires_at'],
  [{ confined_to: EVALUATION, scopes: ['write'] }, '/scopes'],
]

describe('errors when creating a share', () => {
  for (const [body, pointer] of INVALID_BODIES) {
    test(`returns 422 for ${JSON.stringify(body)}`, async () => {
      const before = await list()
      const { errors } = checkProblem(await post(body), 422, 'invalid-content')
      assert.ok(
        errors?.some((error) => error.pointer.startsWith(pointer)),
        JSON.stringify(errors),
      )
      assert.deepEqual(await list(), before)
    })
  }

  test('returns 403 for keys without both scopes, and 400 with an Idempotency-Key', async () => {
    const { public_id } = await share()
    for (const scope of ['read', 'write'] as const) {
      const { key } = await createKey([scope])
      checkProblem(await post({ confined_to: EVALUATION }, key), 403, 'access-denied')
      checkProblem(await send(key, 'DELETE', `/api/shares/${public_id}`), 403, 'access-denied')
    }
    const repeated = await post({ confined_to: EVALUATION }, projectKey, { 'idempotency-key': 'once' })
    checkProblem(repeated, 400, 'invalid-request')
  })
})
