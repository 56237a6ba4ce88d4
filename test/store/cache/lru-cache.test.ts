// Tests the in-memory cache: reuse, eviction and concurrent calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LruCache, sizeOfText } from '../../../src/store/cache/lru-cache.ts'

test('creates a text once, and again after it is evicted as the least recently used entry', async () => {
  const cache = new LruCache(4000, sizeOfText)
  const createdTexts: string[] = []
  const get = (key: string, length = 500) =>
    cache.getOrCreate(key, async () => {
      createdTexts.push(key)
      return key.repeat(length)
    })
  assert.equal(await get('a'), 'a'.repeat(500))
  assert.equal(await get('a'), 'a'.repeat(500))
  for (const key of 'bcdef') await get(key)
  await get('a')
  assert.deepEqual(createdTexts, [...'abcdef'])
  await get('g')
  await get('a')
  await get('b')
  assert.deepEqual(createdTexts, [...'abcdefgb'])
  for (const key of 'xx') await get(key, 2000)
  await get('a')
  assert.deepEqual(createdTexts, [...'abcdefgbxx'])
})

test('runs one creation for concurrent calls, and the creation of the next caller if it fails', async () => {
  const cache = new LruCache(4000, sizeOfText)
  const createdTexts: string[] = []
  const get = (name: string, fails: boolean) =>
    cache.getOrCreate('key', async () => {
      createdTexts.push(name)
      await new Promise(setImmediate)
      if (fails) throw new Error(name)
      return name
    })
  const outcomes = await Promise.allSettled([get('a', true), get('b', false), get('c', false)])
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    ['a', 'b', 'b'],
  )
  assert.deepEqual(createdTexts, ['a', 'b'])
})
