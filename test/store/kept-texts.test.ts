// What is kept in memory: made once while there is room, and never more than there is room for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeptTexts } from '../../src/store/kept-texts.ts'

test('a text is made once, and again when others that were used since have taken its room', async () => {
  const kept = new KeptTexts(4000)
  const made: string[] = []
  const get = (key: string, length = 500) =>
    kept.get(key, async () => {
      made.push(key)
      return key.repeat(length)
    })
  assert.equal(await get('a'), 'a'.repeat(500))
  assert.equal(await get('a'), 'a'.repeat(500))
  for (const key of 'bcdef') await get(key)
  await get('a')
  assert.deepEqual(made, [...'abcdef'])
  await get('g')
  await get('a')
  await get('b')
  assert.deepEqual(made, [...'abcdefgb'])
  for (const key of 'xx') await get(key, 2000)
  await get('a')
  assert.deepEqual(made, [...'abcdefgbxx'])
})

test('what several ask for at once is made once, and by the next where that fails', async () => {
  const kept = new KeptTexts(4000)
  const made: string[] = []
  const ask = (name: string, fails: boolean) =>
    kept.get('key', async () => {
      made.push(name)
      await new Promise(setImmediate)
      if (fails) throw new Error(name)
      return name
    })
  const asked = await Promise.allSettled([ask('a', true), ask('b', false), ask('c', false)])
  assert.deepEqual(
    asked.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    ['a', 'b', 'b'],
  )
  assert.deepEqual(made, ['a', 'b'])
})
