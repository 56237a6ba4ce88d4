// Tests that concurrent requests share the reads of the primary's state.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareCalls } from '../../../src/store/dialect/postgres/primary-state.ts'

test('calls during a read share the next read, which starts after all of them', async () => {
  const reads: PromiseWithResolvers<string>[] = []
  const read = shareCalls(() => {
    const resolvers = Promise.withResolvers<string>()
    reads.push(resolvers)
    return resolvers.promise
  })
  const started = async (count: number) => {
    while (reads.length < count) await Promise.resolve()
  }

  const first = read()
  await started(1)
  const others = [read(), read(), read()]
  assert.equal(reads.length, 1, 'the next read waits for the first one')
  reads[0]?.resolve('old')
  assert.equal(await first, 'old')
  await started(2)
  const last = read()
  reads[1]?.resolve('new')
  assert.deepEqual(await Promise.all(others), ['new', 'new', 'new'])
  await started(3)
  reads[2]?.reject(new Error('lost'))
  await assert.rejects(last, /lost/)

  const afterFailure = read()
  await started(4)
  reads[3]?.resolve('newest')
  assert.equal(await afterFailure, 'newest')
  assert.equal(reads.length, 4)
})
