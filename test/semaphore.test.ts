// Tests that the units of a semaphore are neither lost nor given twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Semaphore } from '../src/semaphore.ts'

test('units that are released when a wait is aborted are not lost', async () => {
  const semaphore = new Semaphore(1)
  assert.ok(semaphore.tryAcquire())
  const abortController = new AbortController()
  const aborted = semaphore.acquire({ signal: abortController.signal })
  abortController.abort()
  semaphore.release()
  assert.equal(await aborted, false)
  assert.equal(semaphore.used, 0)
})

test('a wait that is aborted does not delay one that needs fewer units', async () => {
  const semaphore = new Semaphore(2)
  assert.ok(semaphore.tryAcquire())
  const abortController = new AbortController()
  const large = semaphore.acquire({ units: 2, signal: abortController.signal })
  const small = semaphore.acquire()
  abortController.abort()
  assert.deepEqual(await Promise.all([large, small]), [false, true])
})
