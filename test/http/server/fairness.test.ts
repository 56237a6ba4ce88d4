// Small reads while other clients read whole evaluations and import: they must stay fast, and the write-ahead log bounded.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { addLargeEvaluation, writeScenarios } from '../../../bench/data.ts'
import { stopService } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { quantile, timeFullRead } from '../../../bench/timing.ts'
import { sizes } from '../../sizes.ts'
import {
  createStoreLocation,
  createTempFolder,
  createTestKey,
  NO_CACHE_FLAGS,
  spawnServer,
} from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const COUNT = sizes.fairness_scenarios
const READER_COUNT = 2
const MAX_READ_P99_MS = 100
const MAX_DELAY_P99_MS = 50
/** An import is one transaction: its bodies, the texts for searches and the indexes, about twice the file. Reads must not add to it. */
const MAX_WAL_RATIO = 3
const READER = fileURLToPath(new URL('../../../bench/looping-reader.ts', import.meta.url))
const UPLOADER = fileURLToPath(new URL('../../../bench/uploads.ts', import.meta.url))

test(`small reads stay fast while ${READER_COUNT} clients read ${COUNT} scenarios repeatedly and ${COUNT} are imported`, {
  skip: fullOnly('measures small reads'),
}, async (t) => {
  const { url, data, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  const largePath = scenariosPath(await addLargeEvaluation(store, COUNT, { id: 'large' }))
  await addLargeEvaluation(store, 100, { id: 'small' })
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  const file = join(createTempFolder(), 'scenarios.ndjson')
  await writeScenarios(file, 'imported', COUNT)
  const service = await spawnServer([...flags, ...NO_CACHE_FLAGS, '--log-level', 'silent'])
  const { baseUrl } = service

  // Other processes, so that they do not delay the measurement.
  let fullReadCount = 0
  const readers = Array.from({ length: READER_COUNT }, () =>
    fork(READER, [baseUrl + largePath, key]).on('message', () => {
      fullReadCount += 1
    }),
  )
  t.after(() => {
    for (const reader of readers) reader.kill('SIGKILL')
  })
  await Promise.all(readers.map((reader) => once(reader, 'message')))
  const readDelay = async () => {
    const { text } = await sendRequest(baseUrl, '/metrics')
    return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000
  }
  // The metric covers the time since it was last read.
  await readDelay()
  const uploader = fork(UPLOADER, [`${baseUrl}${scenariosPath('imported')}`, key, file])
  uploader.send('post')
  const uploaded = once(uploader, 'exit')
  let isUploaded = false
  void uploaded.then(() => {
    isUploaded = true
  })
  const times: number[] = []
  let maxWalBytes = 0
  const smallUrl = `${baseUrl}${scenariosPath('small')}?limit=10`
  const walFile = join(data, 'assay.db-wal')
  while (!isUploaded || times.length < 100) {
    const { status, ms } = await timeFullRead(smallUrl, key)
    assert.equal(status, 200)
    times.push(ms)
    maxWalBytes = Math.max(maxWalBytes, statSync(walFile, { throwIfNoEntry: false })?.size ?? 0)
  }
  const delayP99 = await readDelay()
  assert.deepEqual(await uploaded, [0, null])
  assert.ok(fullReadCount >= READER_COUNT)
  const readP99 = quantile(times, 0.99)
  const fileBytes = statSync(file).size
  reportMeasurements(t, {
    cases: times.length,
    small_read_p99_ms: readP99,
    small_read_max_ms: Math.max(...times),
    event_loop_delay_p99_ms: delayP99,
    full_reads: fullReadCount,
    ...(maxWalBytes > 0 && { wal_mb: maxWalBytes / 1e6 }),
  })
  const list = JSON.parse((await sendRequest(baseUrl, '/api/evaluations', { authorization: key })).text)
  assert.deepEqual(
    list
      .map(({ scenario_count }: { scenario_count: number }) => scenario_count)
      .sort((a: number, b: number) => a - b),
    [100, COUNT, COUNT],
  )
  if (testOptions.measures) {
    assert.ok(readP99 <= MAX_READ_P99_MS, `99 % of the small reads took at most ${readP99} ms`)
    assert.ok(delayP99 <= MAX_DELAY_P99_MS, `the event loop was delayed by ${delayP99} ms`)
    assert.ok(maxWalBytes <= MAX_WAL_RATIO * fileBytes, `the write-ahead log had ${maxWalBytes} bytes`)
  }
  for (const reader of readers) reader.kill('SIGKILL')
  await stopService(service)
})
