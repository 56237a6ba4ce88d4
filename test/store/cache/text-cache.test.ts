// The in-memory text cache: reuse, eviction and concurrent calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextCache } from '../../../src/store/cache/lru-cache.ts'

test('creates a text once, and again after it was evicted as the least recently used one', async () => {
  const cache = new TextCache(4000)
  const created: string[] = []
  const get = (key: string, length = 500) =>
    cache.getOrCreate(key, async () => {
      created.push(key)
      return key.repeat(length)
    })
  assert.equal(await get('a'), 'a'.repeat(500))
  assert.equal(await get('a'), 'a'.repeat(500))
  for (const key of 'bcdef') await get(key)
  await get('a')
  assert.deepEqual(created, [...'abcdef'])
  await get('g')
  await get('a')
  await get('b')
  assert.deepEqual(created, [...'abcdefgb'])
  for (const key of 'xx') await get(key, 2000)
  await get('a')
  assert.deepEqual(created, [...'abcdefgbxx'])
})

test('runs one creation for concurrent calls, and that of the next caller if it fails', async () => {
  const cache = new TextCache(4000)
  const created: string[] = []
  const get = (name: string, fails: boolean) =>
    cache.getOrCreate('key', async () => {
      created.push(name)
      await new Promise(setImmediate)
      if (fails) throw new Error(name)
      return name
    })
  const outcomes = await Promise.allSettled([get('a', true), get('b', false), get('c', false)])
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ['a', 'b', 'b'],
  )
  assert.deepEqual(created, ['a', 'b'])
})
