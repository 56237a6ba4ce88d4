// Many clients that read slowly, stop reading or disconnect: memory stays flat, stopped clients are disconnected, and all
// descriptors and snapshots are released.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { stopService } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { sizes } from '../../sizes.ts'
import { addIncompressibleEvaluation } from '../../support/corpus.ts'
import { createStoreLocation, createTestKey, spawnServer } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { hasOpenSnapshots } from '../../support/open-snapshots.ts'
import { fullOnly, testOptions } from '../../support/options.ts'
import { canReadMemory, memoryMiB } from '../../support/upload.ts'
import { waitUntil } from '../../support/worker-service.ts'
import { JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

/** The response has 16 kB per scenario, in total more than the socket buffers of a client. */
const SCENARIO_COUNT = 2500
const NOTE_BYTES = 12_000
const STOPPED_COUNT = 5
/** The system reports what clients have read in steps of 64 kB and more, so the timeout is several times as long. */
const BYTES_PER_SECOND = 10_000
const STALL_SECONDS = 30
const ENCODINGS = ['identity', 'gzip']
/** Memory that may remain above the first measurement, which is taken while the slow clients are connected. */
const MAX_GROWTH_MIB = 48
const MAX_RELEASE_MS = 1000

test(`${sizes.slow_clients} slow, ${STOPPED_COUNT} stopped and ${sizes.aborted_reads} disconnected clients leave nothing open`, {
  skip:
    fullOnly('waits for the stall timeout') ||
    (!canReadMemory && 'memory and descriptors are read from /proc'),
}, async (t) => {
  const { url, flags } = await createStoreLocation()
  const store = await openStoreAt(url)
  await addIncompressibleEvaluation(store, 'large', SCENARIO_COUNT, NOTE_BYTES)
  const path = scenariosPath('large')
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  const service = await spawnServer([
    ...flags,
    '--stall-timeout',
    `${STALL_SECONDS}s`,
    '--log-level',
    'error',
  ])
  const { pid } = service.child
  const port = Number(new URL(service.baseUrl).port)
  const write = (id: string) =>
    sendRequest(
      service.baseUrl,
      scenariosPath('small'),
      { authorization: key, 'content-type': JSON_TYPE },
      'POST',
      `[{"id":"${id}"}]`,
    )

  /** Sends a request and waits for the first bytes of the response. */
  async function open(encoding: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
    )
    await once(socket, 'readable')
    return socket
  }
  const openMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => open(ENCODINGS[index % ENCODINGS.length] ?? '')))

  // The first reads open database connections and files of cached responses, which stay open.
  for (const encoding of ENCODINGS)
    await sendRequest(service.baseUrl, path, { authorization: key, 'accept-encoding': encoding })
  for (const socket of await openMany(8)) socket.destroy()
  assert.equal((await write('first')).status, 201)
  await waitUntil(async () => !(await hasOpenSnapshots(url)))
  const baseline = listDescriptors(pid)

  const slowSockets = await openMany(sizes.slow_clients)
  let isOver = false
  const readBytes = slowSockets.map(() => 0)
  const reading = slowSockets.map(async (socket, index) => {
    while (!isOver && !socket.destroyed) {
      readBytes[index] = (readBytes[index] ?? 0) + (socket.read(BYTES_PER_SECOND / 10)?.length ?? 0)
      await delay(100)
    }
  })
  const stoppedSockets = (await openMany(STOPPED_COUNT)).map((socket) => socket.pause())
  const stoppedAt = performance.now()
  const firstMiB = memoryMiB(pid, 'VmRSS')
  for (let started = 0; started < sizes.aborted_reads; started += 20)
    for (const socket of await openMany(Math.min(20, sizes.aborted_reads - started))) socket.resetAndDestroy()
  const lastMiB = memoryMiB(pid, 'VmRSS')

  // Only the slow clients remain.
  await waitUntil(() => countConnections(port) <= sizes.slow_clients)
  const stalledMs = performance.now() - stoppedAt
  for (const socket of stoppedSockets) {
    const [error] = await once(socket.resume(), 'error')
    assert.equal(error.code, 'ECONNRESET')
  }
  assert.equal(slowSockets.filter(({ destroyed }) => destroyed).length, 0, 'a slow client was disconnected')
  for (const bytes of readBytes)
    assert.ok(bytes > BYTES_PER_SECOND / 10, `a slow client got only ${bytes} bytes`)
  const finalMiB = memoryMiB(pid, 'VmRSS')

  isOver = true
  await Promise.all(reading)
  for (const socket of slowSockets) socket.destroy()
  const closedAt = performance.now()
  assert.equal((await write('last')).status, 201)
  await waitUntil(() => listDescriptors(pid).length <= baseline.length)
  await waitUntil(() => countConnections(port) === 0)
  await waitUntil(async () => !(await hasOpenSnapshots(url)))
  const releaseMs = performance.now() - closedAt
  const growthMiB = Math.max(lastMiB, finalMiB) - firstMiB
  reportMeasurements(t, {
    cases: sizes.slow_clients + STOPPED_COUNT + sizes.aborted_reads,
    memory_growth_mb: growthMiB,
    stalled_ms: stalledMs,
    release_ms: releaseMs,
    leaked_descriptors: 0,
  })
  if (testOptions.measures) {
    assert.ok(growthMiB <= MAX_GROWTH_MIB, `${growthMiB} MiB more than ${firstMiB} MiB`)
    assert.ok(
      stalledMs <= 2 * STALL_SECONDS * 1000 + 5000,
      `stopped clients were disconnected after ${stalledMs} ms`,
    )
    assert.ok(releaseMs <= MAX_RELEASE_MS, `descriptors and snapshots were released after ${releaseMs} ms`)
  }
  await stopService(service)
})

/**
 * The open descriptors without sockets, which are counted as connections, and without those of the SQLite file. SQLite cannot close
 * them while another connection has a lock on the file, and uses them for the next connection.
 */
function listDescriptors(pid: number | undefined): string[] {
  const folder = `/proc/${pid}/fd`
  const targets = readdirSync(folder).map((name) => readLink(`${folder}/${name}`))
  return targets.filter((target) => !/^$|assay\.db|^socket:/.test(target)).sort()
}

function readLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // Closed meanwhile.
    return ''
  }
}

/** The established connections of the service. */
function countConnections(port: number): number {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n'))
  // The second column is the local address, the fourth the state.
  return lines.filter((line) => new RegExp(`^ *\\d+: \\w+:${hexPort} \\w+:\\w+ 01 `).test(line)).length
}
