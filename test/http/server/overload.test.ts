// Sends three times more reads than the service can handle: the service must keep its throughput, reject the rest with
// 429 or 503 and Retry-After, and recover at once.
import assert from 'node:assert/strict'
import { Agent, get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addLargeEvaluation } from '../../../bench/data.ts'
import { stopService } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { timeFullRead } from '../../../bench/timing.ts'
import { sizes } from '../../sizes.ts'
import { createStoreLocation, createTestKey, NO_CACHE_FLAGS, spawnServer } from '../../support/harness.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const SECONDS = sizes.overload_seconds
const CAPACITY_CLIENTS = 16
const OVERLOAD_FACTOR = 3
const MIN_GOODPUT = 0.8
const MAX_RECOVERY_MS = 5000
/** A response that takes longer does not count. */
const DEADLINE_MS = 10_000
/** A service has recovered when a read is this fast again. */
const RECOVERED_MS = 100

interface Counts {
  succeeded: number
  rejected: number
  /** Other statuses, rejections without Retry-After, broken connections and responses after the deadline. */
  failed: number
}

/** Sends one read on a connection of the agent and counts its outcome. */
async function read(url: string, key: string, agent: Agent, counts: Counts): Promise<void> {
  const start = performance.now()
  const response = await new Promise<IncomingMessage | undefined>((resolve) => {
    get(url, { agent, headers: { authorization: key } }, resolve).on('error', () => resolve(undefined))
  })
  try {
    for await (const _chunk of response ?? []);
  } catch {
    counts.failed += 1
    return
  }
  const isRejected = response?.statusCode === 429 || response?.statusCode === 503
  if (response?.statusCode === 200 && performance.now() - start < DEADLINE_MS) counts.succeeded += 1
  else if (isRejected && response.headers['retry-after'] !== undefined) counts.rejected += 1
  else counts.failed += 1
}

test(`keeps its throughput with ${OVERLOAD_FACTOR} times more reads than it can handle, and recovers`, {
  skip: fullOnly('measures the throughput'),
}, async (t) => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  const path = scenariosPath(await addLargeEvaluation(store, 300, { id: 'e' }))
  const { key } = await createTestKey(store)
  await store.close()
  const service = await spawnServer([...flags, ...NO_CACHE_FLAGS, '--log-level', 'silent'])
  const target = `${service.baseUrl}${path}`

  // As many reads as a few clients get that send the next one after each response.
  const agent = new Agent({ keepAlive: true })
  const capacity: Counts = { succeeded: 0, rejected: 0, failed: 0 }
  const capacityEnd = performance.now() + SECONDS * 1000
  await Promise.all(
    Array.from({ length: CAPACITY_CLIENTS }, async () => {
      while (performance.now() < capacityEnd) await read(target, key, agent, capacity)
    }),
  )
  const capacityRate = capacity.succeeded / SECONDS

  // Clients that do not wait for responses.
  const overload: Counts = { succeeded: 0, rejected: 0, failed: 0 }
  const reading: Promise<void>[] = []
  const start = performance.now()
  for (let elapsed = 0; elapsed < SECONDS * 1000; elapsed = performance.now() - start) {
    const dueCount = Math.floor((elapsed / 1000) * capacityRate * OVERLOAD_FACTOR)
    while (reading.length < dueCount) reading.push(read(target, key, agent, overload))
    await delay(5)
  }
  const sentCount = reading.length
  const succeededMeanwhile = overload.succeeded
  const overloadEnd = performance.now()
  const isRecovered = async () => (await timeFullRead(`${target}?limit=1`, key)).ms <= RECOVERED_MS
  while (!(await isRecovered()) && testOptions.measures) await delay(50)
  const recoveryMs = performance.now() - overloadEnd
  await Promise.all(reading)
  agent.destroy()

  const goodput = succeededMeanwhile / SECONDS / capacityRate
  reportMeasurements(t, {
    cases: sentCount,
    capacity_per_second: Math.round(capacityRate),
    goodput_percent: Math.round(goodput * 100),
    rejected: overload.rejected,
    failed: overload.failed,
    recovery_ms: recoveryMs,
  })
  assert.ok(overload.succeeded > 0)
  if (testOptions.measures) {
    assert.equal(capacity.failed + overload.failed, 0)
    assert.ok(goodput >= MIN_GOODPUT, `${Math.round(goodput * 100)} % of the throughput`)
    assert.ok(recoveryMs <= MAX_RECOVERY_MS, `recovered after ${Math.round(recoveryMs)} ms`)
  }
  await stopService(service)
})
