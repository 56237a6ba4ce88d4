// Answers are asked for again by their ETag: what has not changed is not sent, and what has is.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Assay } from '../../client/client.ts'
import { Remembered } from '../../client/remembered.ts'
import { freshStore, mint, serveStore } from '../harness.ts'
import { served } from './served.ts'

describe('over the real service', async () => {
  const { assay, sent } = await served()
  await assay.appendScenarios('x', [{ id: 'one' }])

  const last = () => sent.at(-1)?.status

  test('an object and a whole list are the same as before until they change', async () => {
    const scenario = await assay.getEvaluationScenario('x', 'one')
    const list = await assay.listEvaluationScenarios('x')
    assert.equal(last(), 200)
    assert.equal(await assay.listEvaluationScenarios('x'), list)
    assert.equal(last(), 304)
    assert.equal(await assay.getEvaluationScenario('x', 'one'), scenario)
    assert.equal(last(), 304)
    await assay.markEvaluationScenario('x', 'one', { note: 'Changed.' })
    assert.equal((await assay.listEvaluationScenarios('x'))[0]?.note, 'Changed.')
    assert.equal(last(), 200)
    assert.equal((await assay.getEvaluationScenario('x', 'one')).note, 'Changed.')
  })

  test('each query by itself', async () => {
    const all = await assay.listEvaluationRows('x')
    const none = await assay.listEvaluationRows('x', { q: 'nowhere' })
    assert.deepEqual([all.total, none.total], [1, 0])
    assert.equal(await assay.listEvaluationRows('x', { q: 'nowhere' }), none)
    assert.equal(last(), 304)
  })

  test('what is gone is gone', async () => {
    await assay.addVariant({ id: 'gone' })
    await assay.getVariant('gone')
    await assay.deleteVariant('gone')
    await assert.rejects(assay.getVariant('gone'), { code: 'variant-not-found' })
  })
})

test('one key does not see what another was answered', async () => {
  const store = await freshStore()
  const { base } = await serveStore(store)
  const ours = await mint(store, { scopes: ['read', 'write'] })
  const theirs = await mint(store, { project: 'other', scopes: ['read', 'write'] })
  let key = ours.key
  const assay = new Assay({ key: () => key, baseUrl: `${base}/api/` })
  await assay.addEvaluation({ id: 'same', name: 'Ours' })
  assert.equal((await assay.getEvaluation('same')).name, 'Ours')
  key = theirs.key
  await assert.rejects(assay.getEvaluation('same'), { code: 'access-denied' })
  await assay.addEvaluation({ id: 'same', name: 'Theirs' })
  assert.equal((await assay.getEvaluation('same')).name, 'Theirs')
  key = ours.key
  assert.equal((await assay.getEvaluation('same')).name, 'Ours')
})

describe('within bounds', () => {
  const answer = (size: number) => ({ etag: '"1"', value: size, size })
  const kept = (remembered: Remembered, names: string) =>
    [...names].filter((name) => remembered.get(name)).join('')

  test('of their number: what was not asked for the longest goes', () => {
    const remembered = new Remembered(2, 100)
    remembered.set('a', answer(1))
    remembered.set('b', answer(1))
    remembered.get('a')
    remembered.set('c', answer(1))
    assert.equal(kept(remembered, 'abc'), 'ac')
  })

  test('of their size, also when one is replaced', () => {
    const remembered = new Remembered(10, 100)
    remembered.set('a', answer(40))
    remembered.set('b', answer(40))
    remembered.set('b', answer(60))
    assert.equal(kept(remembered, 'ab'), 'ab')
    remembered.set('c', answer(60))
    assert.equal(kept(remembered, 'abc'), 'c')
    remembered.set('d', answer(101))
    assert.equal(kept(remembered, 'cd'), 'c')
  })
})
