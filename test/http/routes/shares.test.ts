// Tests share links over HTTP: creation, list, revocation, expiry and errors.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Scope } from '../../../src/schema/keys.ts'
import type { NewShare } from '../../../src/schema/shares.ts'
import { addKey, revokeKey, transferShares } from '../../../src/store/access/keys.ts'
import { addShare } from '../../../src/store/access/shares.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { createTestStore, startTestService } from '../../support/harness.ts'
import { checkDocumented, checkProblem, schemaErrors, sendRequest } from '../../support/http.ts'
import { JSON_TYPE } from '../../support/write-requests.ts'

let now = Date.parse('2026-11-15T09:15:00.123Z')
const DAY_MS = 86_400_000
/** Returns the time that is the given number of days after `now`. */
const daysFromNow = (days: number) => new Date(now + days * DAY_MS).toISOString()

const store = await createTestStore()
await fillCorpus(store)
const { baseUrl } = await startTestService(store, {}, () => now)

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
    baseUrl,
    path,
    { authorization: `Bearer ${key}`, ...type, ...headers },
    method,
    text,
  )
  checkDocumented(path, response, method)
  return response
}

const ONE_EVALUATION = { evaluation_id: 'full' }
const postShare = (body: unknown, key = projectKey, headers = {}) =>
  send(key, 'POST', '/api/shares', body, headers)
const readStatus = async (key: string, id = 'full') =>
  (await send(key, 'GET', `/api/evaluations/${id}`)).status
const listShares = async (key = projectKey) => JSON.parse((await send(key, 'GET', '/api/shares')).text)

async function createShare(
  body: object = { confined_to: ONE_EVALUATION },
  key = projectKey,
): Promise<NewShare> {
  const response = await postShare(body, key)
  assert.equal(response.status, 201, response.text)
  return JSON.parse(response.text)
}

test('a share grants access from its creation until it is revoked, and only the creation returns its key', async () => {
  const response = await postShare({
    confined_to: { comparison: ['full', 'shared'] },
    name: 'for the review',
  })
  assert.deepEqual([response.status, response.headers['cache-control']], [201, 'no-store'])
  const share: NewShare = JSON.parse(response.text)
  assert.deepEqual(schemaErrors('NewShare', share), [])
  const { key, ...details } = share
  assert.deepEqual(details, {
    public_id: key.slice(6, 18),
    last_four: key.slice(-4),
    name: 'for the review',
    scopes: ['read'],
    confined_to: { comparison: ['full', 'shared'] },
    created_at: daysFromNow(0),
    expires_at: daysFromNow(7),
  })
  assert.equal(await readStatus(key, 'shared'), 200)
  assert.deepEqual(await listShares(), [details])
  assert.equal((await send(projectKey, 'DELETE', `/api/shares/${details.public_id}`)).status, 204)
  checkProblem(await send(key, 'GET', '/api/evaluations/shared'), 401, 'unauthorized')
  assert.deepEqual(await listShares(), [])
  checkProblem(await send(projectKey, 'DELETE', `/api/shares/${details.public_id}`), 404, 'share-not-found')
})

test('a share of a review has the scope review and the name of its reviewer, until it is revoked', async () => {
  const question = { evaluator: 'human_verdict', type: 'verdict' }
  const path = '/api/evaluations/full/reviews'
  const body = { id: 'review', questions: [question] }
  assert.equal((await send(projectKey, 'POST', path, body)).status, 201)
  const confined_to = { review_id: 'review' }
  const share = await createShare({ confined_to, name: 'Maya' })
  assert.deepEqual([share.scopes, share.confined_to], [['review'], confined_to])
  const ownKey = JSON.parse((await send(share.key, 'GET', '/api/key')).text)
  assert.deepEqual([ownKey.scopes, ownKey.confined_to, ownKey.name], [['review'], confined_to, 'Maya'])
  const form = JSON.parse((await send(share.key, 'GET', '/api/reviews/review/form')).text)
  assert.equal(form.reviewer, 'Maya')
  await send(projectKey, 'DELETE', `/api/shares/${share.public_id}`)
  checkProblem(await send(share.key, 'GET', '/api/reviews/review/form'), 401, 'unauthorized')
})

test('lists and revokes only the active shares of the project, newest first', async () => {
  const otherProjectKey = (await createKey(['read', 'write'], null, 'other')).key
  const foreignShare = await createShare({ confined_to: { evaluation_id: 'foreign' } }, otherProjectKey)
  const firstShare = await createShare()
  now += 1
  const secondShare = await createShare({ confined_to: { variant_id: 'full' }, expires_at: daysFromNow(1) })
  const listIds = async (key: string) => (await listShares(key)).map(({ public_id }: NewShare) => public_id)
  assert.deepEqual(await listIds(projectKey), [secondShare.public_id, firstShare.public_id])
  assert.deepEqual(await listIds(otherProjectKey), [foreignShare.public_id])
  now += DAY_MS
  assert.deepEqual(await listIds(projectKey), [firstShare.public_id])
  const path = `/api/shares/${foreignShare.public_id}`
  checkProblem(await send(projectKey, 'DELETE', path), 404, 'share-not-found')
  assert.equal(await readStatus(foreignShare.key, 'foreign'), 200)
})

test('returns 404 when the id is not the id of a share', async () => {
  const { key, public_id } = await createKey()
  for (const id of [public_id, 'short', '%00', 'aaaaaaaaaaaa'])
    checkProblem(await send(projectKey, 'DELETE', `/api/shares/${id}`), 404, 'share-not-found')
  assert.equal(await readStatus(key), 200)
})

test('a share expires exactly at expires_at, and refers to its evaluation by id', async () => {
  const confined_to = { evaluation_id: 'exact' }
  const [oneDayShare, sevenDayShare] = [
    await createShare({ confined_to, expires_at: daysFromNow(1).replace('Z', '+00:00') }),
    await createShare({ confined_to }),
  ]
  now += DAY_MS - 1
  assert.equal(await readStatus(oneDayShare.key, 'exact'), 200)
  now += 1
  checkProblem(await send(oneDayShare.key, 'GET', '/api/evaluations/exact'), 401, 'unauthorized')
  assert.equal(await readStatus(sevenDayShare.key, 'exact'), 200)
  assert.equal((await send(projectKey, 'DELETE', '/api/evaluations/exact')).status, 204)
  checkProblem(await send(sevenDayShare.key, 'GET', '/api/evaluations/exact'), 404, 'evaluation-not-found')
  assert.equal((await send(projectKey, 'POST', '/api/evaluations', { id: 'exact' })).status, 201)
  assert.equal(
    await readStatus(sevenDayShare.key, 'exact'),
    200,
    'the share refers to the id, so a new evaluation with this id can be read',
  )
})

describe('a share does not outlive the key that created it', () => {
  test('a share expires at the latest when the key expires', async () => {
    const creatorKey = (await createKey(['read', 'write'], daysFromNow(2))).key
    assert.equal((await createShare({ confined_to: ONE_EVALUATION }, creatorKey)).expires_at, daysFromNow(2))
    assert.equal(
      (await createShare({ confined_to: ONE_EVALUATION, expires_at: daysFromNow(2) }, creatorKey)).expires_at,
      daysFromNow(2),
    )
    const tooLate = checkProblem(
      await postShare({ confined_to: ONE_EVALUATION, expires_at: daysFromNow(3) }, creatorKey),
      422,
      'invalid-content',
    )
    assert.deepEqual(
      tooLate.errors?.map(({ pointer }) => pointer),
      ['/expires_at'],
    )
  })

  test('revoking the key revokes its shares', async () => {
    const [creatorKey, otherShare] = [await createKey(), await createShare()]
    const share = await createShare({ confined_to: ONE_EVALUATION }, creatorKey.key)
    await store.writer.transaction((transaction) => revokeKey(transaction, creatorKey.public_id))
    assert.deepEqual([await readStatus(share.key), await readStatus(otherShare.key)], [401, 200])
    const remainingShares = await listShares()
    assert.ok(!remainingShares.some(({ public_id }: NewShare) => public_id === share.public_id))
    const secondCreation = store.writer.transaction((transaction) =>
      addShare(
        transaction,
        { project: 1, keyId: creatorKey.public_id, now },
        { confined_to: ONE_EVALUATION },
      ),
    )
    await assert.rejects(secondCreation, /has been revoked/)
  })

  test('transferShares assigns the shares to the new key', async () => {
    const [oldKey, newKey] = [await createKey(), await createKey()]
    const share = await createShare({ confined_to: ONE_EVALUATION }, oldKey.key)
    await store.writer.transaction((transaction) =>
      transferShares(transaction, oldKey.public_id, newKey.public_id),
    )
    await store.writer.transaction((transaction) => revokeKey(transaction, oldKey.public_id))
    assert.equal(await readStatus(share.key), 200)
    await store.writer.transaction((transaction) => revokeKey(transaction, newKey.public_id))
    assert.equal(await readStatus(share.key), 401)
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
  [{ confined_to: ONE_EVALUATION, name: '' }, '/name'],
  [{ confined_to: ONE_EVALUATION, name: 'a\nb' }, '/name'],
  [{ confined_to: ONE_EVALUATION, expires_at: 'soon' }, '/expires_at'],
  [{ confined_to: ONE_EVALUATION, expires_at: daysFromNow(0) }, '/expires_at'],
  [{ confined_to: ONE_EVALUATION, scopes: ['write'] }, '/scopes'],
  [{ confined_to: ONE_EVALUATION, scopes: ['read', 'write'] }, '/scopes'],
  [{ confined_to: ONE_EVALUATION, scopes: ['read', 'read'] }, '/scopes'],
  [{ confined_to: ONE_EVALUATION, scopes: ['review'] }, '/scopes'],
  [{ confined_to: ONE_EVALUATION, scopes: ['read', 'review'] }, '/scopes'],
  [{ confined_to: { review_id: 'review' } }, '/name'],
  [{ confined_to: { review_id: 'review' }, name: 'Maya', scopes: ['read'] }, '/scopes'],
  [{ confined_to: { review_id: 'nowhere' }, name: 'Maya' }, '/confined_to/review_id'],
  [{ confined_to: ONE_EVALUATION, scopes: [] }, '/scopes'],
  [{ confined_to: { variant_id: 'full' }, scopes: ['read', 'review'] }, '/scopes'],
  [{ confined_to: { comparison: ['full', 'shared'] }, scopes: ['read', 'review'] }, '/scopes'],
]

describe('invalid share requests', () => {
  for (const [body, pointer] of INVALID_BODIES) {
    test(`returns 422 for ${JSON.stringify(body)}`, async () => {
      const sharesBefore = await listShares()
      const { errors } = checkProblem(await postShare(body), 422, 'invalid-content')
      assert.ok(
        errors?.some((error) => error.pointer.startsWith(pointer)),
        JSON.stringify(errors),
      )
      assert.deepEqual(await listShares(), sharesBefore)
    })
  }

  test('returns 403 for a key without both scopes, and 400 for a request with an Idempotency-Key', async () => {
    const { public_id } = await createShare()
    for (const scope of ['read', 'write'] as const) {
      const { key } = await createKey([scope])
      checkProblem(await postShare({ confined_to: ONE_EVALUATION }, key), 403, 'access-denied')
      checkProblem(await send(key, 'DELETE', `/api/shares/${public_id}`), 403, 'access-denied')
    }
    const response = await postShare({ confined_to: ONE_EVALUATION }, projectKey, {
      'idempotency-key': 'once',
    })
    checkProblem(response, 400, 'invalid-request')
  })
})
