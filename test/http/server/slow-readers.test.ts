// Many clients read one large response very slowly. All of them make progress, and the service stays small and fast.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addLargeEvaluation, addReadKey } from '../../../bench/data.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { sizes } from '../../sizes.ts'
import { createStoreLocation, spawnServer } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import { canReadMemory, memoryMiB } from '../../support/upload.ts'
import { scenariosPath } from '../../support/write-requests.ts'

const READER_COUNT = sizes.slow_readers
const BYTES_PER_SECOND = 2000
const SMALL_READ_INTERVAL_MS = 50
const MAX_MEMORY_MB = 200
const MAX_SMALL_READ_P99_MS = 200
const RECOVERY_MS = 30_000
/** SQLite keeps a few connections open for the next reads. */
const MAX_MORE_DESCRIPTORS = 16

/** A client that reads a response at the pace of `readNext` calls. */
class SlowReader {
  readonly #socket: Socket
  bytesRead = 0
  error: Error | undefined

  constructor(port: number, path: string, key: string) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.on('error', (error) => {
      this.error = error
    })
    // Without a listener, the socket stays paused and `read` returns undefined.
    this.#socket.on('readable', () => undefined)
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nConnection: close\r\n\r\n`,
    )
  }

  readNext(bytes: number): void {
    const chunk: Buffer | null = this.#socket.read(Math.min(bytes, this.#socket.readableLength))
    this.bytesRead += chunk?.length ?? 0
  }

  async disconnect(): Promise<void> {
    if (this.#socket.destroyed) return
    this.#socket.resetAndDestroy()
    await once(this.#socket, 'close')
  }
}

function countDescriptors(pid: number | undefined): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

function percentile(values: number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}

test(`${READER_COUNT} slow clients of one response make progress, and small reads stay fast`, {
  skip: fullOnly('reads for a minute') || (!canReadMemory && 'memory and descriptors are read from /proc'),
}, async (t) => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  const largePath = scenariosPath(await addLargeEvaluation(store, sizes.slow_read_scenarios))
  const smallPath = scenariosPath(await addLargeEvaluation(store, 20))
  const key = await addReadKey(store)
  await store.close()
  const { baseUrl, child } = await spawnServer(flags)
  const port = Number(new URL(baseUrl).port)
  if (testOptions.measures) await delay(2000)
  const idleMb = memoryMiB(child.pid, 'VmRSS')
  await sendRequest(baseUrl, smallPath, { authorization: key })
  const idleDescriptors = countDescriptors(child.pid)

  // Sent at a fixed rate, also while earlier ones wait, so that a long pause counts as many slow reads.
  const smallReads: Promise<number>[] = []
  async function readSmall(): Promise<number> {
    const start = performance.now()
    const { status } = await sendRequest(baseUrl, smallPath, { authorization: key })
    assert.equal(status, 200)
    return performance.now() - start
  }
  const timer = setInterval(() => smallReads.push(readSmall()), SMALL_READ_INTERVAL_MS)

  const readers = Array.from({ length: READER_COUNT }, () => new SlowReader(port, largePath, key))
  let peakRssMb = 0
  const start = performance.now()
  let allStartedMs: number | undefined
  const readDeadline = start + 1000 * sizes.slow_read_seconds
  let firstProgress: number[] = []
  const hasProgress = ({ bytesRead, error }: SlowReader, index: number) =>
    error !== undefined || bytesRead > (firstProgress[index] ?? bytesRead)
  const isDone = () => performance.now() > readDeadline && readers.every(hasProgress)
  while (!isDone()) {
    await delay(1000)
    for (const reader of readers) reader.readNext(BYTES_PER_SECOND)
    peakRssMb = Math.max(peakRssMb, memoryMiB(child.pid, 'VmRSS'))
    if (readers.every(({ bytesRead, error }) => error || bytesRead > 0))
      allStartedMs ??= performance.now() - start
    if (allStartedMs !== undefined && firstProgress.length === 0)
      firstProgress = readers.map(({ bytesRead }) => bytesRead)
  }
  clearInterval(timer)
  const failed = readers.filter(({ error }) => error).length
  const peakMb = memoryMiB(child.pid, 'VmHWM') - idleMb
  const descriptors = countDescriptors(child.pid)
  const smallReadMs = await Promise.all(smallReads)

  await Promise.all(readers.map((reader) => reader.disconnect()))
  const areClosed = () => countDescriptors(child.pid) <= idleDescriptors + MAX_MORE_DESCRIPTORS
  while (!areClosed()) await delay(100)
  if (testOptions.measures) await delay(RECOVERY_MS)
  const recoveredMb = memoryMiB(child.pid, 'VmRSS') - idleMb
  const p99 = percentile(smallReadMs, 0.99)
  reportMeasurements(t, {
    cases: READER_COUNT,
    peak_memory_mb: peakMb,
    small_read_p99_ms: Math.round(p99),
    small_read_max_ms: Math.round(Math.max(...smallReadMs)),
    readers_without_progress: failed,
    all_started_ms: Math.round(allStartedMs ?? Number.NaN),
    idle_memory_mb: idleMb,
    memory_after_mb: recoveredMb,
    descriptors_idle: idleDescriptors,
    descriptors_peak: descriptors,
    descriptors_after: countDescriptors(child.pid),
  })
  assert.equal(failed, 0)
  if (!testOptions.measures) return
  assert.ok(peakMb <= MAX_MEMORY_MB, `${peakMb} MB more than idle`)
  assert.ok(recoveredMb <= MAX_MEMORY_MB, `${recoveredMb} MB more than idle, ${RECOVERY_MS} ms later`)
  assert.ok(p99 <= MAX_SMALL_READ_P99_MS, `${p99} ms`)
})
