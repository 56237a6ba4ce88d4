// The memory that reads of large evaluations need.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addLargeEvaluation, addReadKey } from '../../../bench/data.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { sizes } from '../../sizes.ts'
import { createStoreLocation, ENGINE, spawnServer } from '../../support/harness.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import { canReadMemory, memoryMiB } from '../../support/upload.ts'

/** The PostgreSQL driver needs more memory than SQLite, which runs in the process. */
const MAX_GROWTH_MIB = ENGINE === 'sqlite' ? 64 : 96
/** The larger evaluation must need hardly more memory than the smaller one. */
const MAX_LARGER_MIB = 10
/** Enough for a response that is streamed. */
const WARM_UP_COUNT = 2500
const SMALLER_COUNT = sizes.streamed_scenarios
const LARGER_COUNT = 3 * SMALLER_COUNT

test(`reading all of ${SMALLER_COUNT} and ${LARGER_COUNT} scenarios needs at most ${MAX_GROWTH_MIB} MiB more than the idle service`, {
  skip: fullOnly('measures memory') || (!canReadMemory && 'memory is read from /proc'),
}, async (t) => {
  // In a new checkout, the first service loads the compiler of TypeScript and fills the compile cache.
  await measurePeak(WARM_UP_COUNT)
  let [smaller, larger] = await measurePeaks()
  let peak = Math.max(smaller, larger)
  if (testOptions.measures && larger - smaller > MAX_LARGER_MIB) {
    // The young generation of the heap grows by 8 MiB or more at once, at a time that is partly chance. What an evaluation
    // needs is the smaller of two peaks.
    const [secondOfSmaller, secondOfLarger] = await measurePeaks()
    peak = Math.max(peak, secondOfSmaller, secondOfLarger)
    ;[smaller, larger] = [Math.min(smaller, secondOfSmaller), Math.min(larger, secondOfLarger)]
  }
  reportMeasurements(t, {
    cases: LARGER_COUNT,
    peak_memory_mb: peak,
    added_by_larger_mb: larger - smaller,
  })
  if (!testOptions.measures) return
  assert.ok(peak <= MAX_GROWTH_MIB, `${peak} MiB`)
  assert.ok(larger - smaller <= MAX_LARGER_MIB, `${smaller} and ${larger} MiB`)
})

async function measurePeaks(): Promise<[ofSmaller: number, ofLarger: number]> {
  return [await measurePeak(SMALLER_COUNT), await measurePeak(LARGER_COUNT)]
}

/** Returns the peak memory of a new service above its idle memory, in MiB, after reading the evaluation four times. */
async function measurePeak(count: number): Promise<number> {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  const id = await addLargeEvaluation(store, count)
  const key = await addReadKey(store)
  await store.close()
  const { baseUrl, child } = await spawnServer(flags)
  if (testOptions.measures) await delay(2000)
  const idleMiB = memoryMiB(child.pid, 'VmRSS')
  for (const [query, encoding] of [
    ['', 'identity'],
    ['?format=ndjson', 'gzip'],
    ['?format=csv', 'identity'],
    ['', 'zstd'],
  ] as const) {
    const path = `/api/evaluations/${id}/evaluation_scenarios${query}`
    const size = await readAndDiscard(baseUrl + path, key, encoding)
    assert.ok(size > 400 * count, `${size} bytes`)
  }
  const growthMiB = memoryMiB(child.pid, 'VmHWM') - idleMiB
  child.kill()
  await once(child, 'exit')
  return growthMiB
}

/** Reads a response to its end and returns its size. */
async function readAndDiscard(url: string, key: string, encoding: string): Promise<number> {
  const clientRequest = request(url, { headers: { authorization: key, 'accept-encoding': encoding } })
  clientRequest.end()
  const [response] = await once(clientRequest, 'response')
  let size = 0
  for await (const chunk of response) size += chunk.length
  return size
}
