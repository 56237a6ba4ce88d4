// Tests the ETag cache of the client: unchanged responses are reused, changed ones are read again.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { EtagCache } from '../../client/etag-cache.ts'
import { startServiceWithClient } from '../support/client-service.ts'
import { createTestKey, createTestStore, startTestService } from '../support/harness.ts'

describe('the client against a running service', async () => {
  const { assay, sent: sentRequests } = await startServiceWithClient()
  await assay.appendScenarios('x', [{ id: 'one' }])

  const lastStatus = () => sentRequests.at(-1)?.status

  test('returns the same object until the resource changes', async () => {
    const scenario = await assay.getEvaluationScenario('x', 'one')
    const list = await assay.listEvaluationScenarios('x')
    assert.equal(lastStatus(), 200)
    assert.equal(await assay.listEvaluationScenarios('x'), list)
    assert.equal(lastStatus(), 304)
    assert.equal(await assay.getEvaluationScenario('x', 'one'), scenario)
    assert.equal(lastStatus(), 304)
    await assay.markEvaluationScenario('x', 'one', { note: 'Changed.' })
    assert.equal((await assay.listEvaluationScenarios('x'))[0]?.note, 'Changed.')
    assert.equal(lastStatus(), 200)
    assert.equal((await assay.getEvaluationScenario('x', 'one')).note, 'Changed.')
  })

  test('returns the same page of a list until the project changes', async () => {
    const page = await assay.listEvaluations({ limit: 10 })
    assert.equal(await assay.listEvaluations({ limit: 10 }), page)
    assert.equal(lastStatus(), 304)
    await assay.changeEvaluation('x', { name: 'Renamed.' })
    assert.equal((await assay.listEvaluations({ limit: 10 })).items[0]?.name, 'Renamed.')
    assert.equal(lastStatus(), 200)
  })

  test('caches each query separately', async () => {
    const allRows = await assay.listEvaluationRows('x')
    const noRows = await assay.listEvaluationRows('x', { q: 'nowhere' })
    assert.deepEqual([allRows.total, noRows.total], [1, 0])
    assert.equal(await assay.listEvaluationRows('x', { q: 'nowhere' }), noRows)
    assert.equal(lastStatus(), 304)
  })

  test('throws variant-not-found after a cached variant is deleted', async () => {
    await assay.addVariant({ id: 'gone' })
    await assay.getVariant('gone')
    await assay.deleteVariant('gone')
    await assert.rejects(assay.getVariant('gone'), { code: 'variant-not-found' })
  })
})

test('does not return a cached response of another key', async () => {
  const store = await createTestStore()
  const { baseUrl } = await startTestService(store)
  const ours = await createTestKey(store, { scopes: ['read', 'write'] })
  const theirs = await createTestKey(store, { project: 'other', scopes: ['read', 'write'] })
  let key = ours.key
  const assay = new Assay({ key: () => key, baseUrl: `${baseUrl}/api/` })
  await assay.addEvaluation({ id: 'same', name: 'Ours' })
  assert.equal((await assay.getEvaluation('same')).name, 'Ours')
  key = theirs.key
  await assert.rejects(assay.getEvaluation('same'), { code: 'access-denied' })
  await assay.addEvaluation({ id: 'same', name: 'Theirs' })
  assert.equal((await assay.getEvaluation('same')).name, 'Theirs')
  key = ours.key
  assert.equal((await assay.getEvaluation('same')).name, 'Ours')
})

describe('EtagCache', () => {
  const response = (size: number) => ({ etag: '"1"', value: size, size })
  const cachedKeys = (cache: EtagCache, keys: string) => [...keys].filter((key) => cache.get(key)).join('')

  test('evicts the least recently used entry when there are too many', () => {
    const cache = new EtagCache(2, 100)
    cache.set('a', response(1))
    cache.set('b', response(1))
    cache.get('a')
    cache.set('c', response(1))
    assert.equal(cachedKeys(cache, 'abc'), 'ac')
  })

  test('evicts entries when their total size exceeds the limit, also after a replacement', () => {
    const cache = new EtagCache(10, 100)
    cache.set('a', response(40))
    cache.set('b', response(40))
    cache.set('b', response(60))
    assert.equal(cachedKeys(cache, 'ab'), 'ab')
    cache.set('c', response(60))
    assert.equal(cachedKeys(cache, 'abc'), 'c')
    cache.set('d', response(101))
    assert.equal(cachedKeys(cache, 'cd'), 'c')
  })
})
