// Tests the PostgreSQL connection pools: large responses leave connections for small ones, and requests that wait too
// long for a connection get 503.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import type { ServiceProcess } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { query } from '../../postgres/cluster.ts'
import { addIncompressibleEvaluation, fillCorpus } from '../../support/corpus.ts'
import { createStoreLocation, createTestKey, NO_CACHE_FLAGS, spawnServer } from '../../support/harness.ts'
import { checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { fullOnly, POSTGRES_ONLY, testOptions } from '../../support/options.ts'
import { waitUntil } from '../../support/worker-service.ts'
import {
  EVALUATIONS,
  FULL_REVISIONS,
  FULL_SCENARIOS,
  JSON_TYPE,
  scenariosPath,
} from '../../support/write-requests.ts'

const skip = POSTGRES_ONLY

/** The response has about 48 MB, more than socket buffers can store: base64 encodes 12,000 bytes as 16,000 characters. */
const LARGE_SCENARIO_COUNT = 3000
const LARGE_NOTE_BYTES = 12_000
const LARGE_PATH = scenariosPath('large')

type TimedResponse = HttpResponse & { ms: number }

function assertUnavailable(response: TimedResponse): void {
  checkProblem(response, 503, 'unavailable')
  assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/)
}

describe('PostgreSQL connection pools', { skip }, async () => {
  const location = await createStoreLocation('postgres')
  const { url } = location
  const flags = [...location.flags, ...NO_CACHE_FLAGS]
  const store = await openStoreAt(url)
  await fillCorpus(store)
  await addIncompressibleEvaluation(store, 'large', LARGE_SCENARIO_COUNT, LARGE_NOTE_BYTES)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()

  async function sendTimed(
    { baseUrl }: ServiceProcess,
    path: string,
    ...requestOptions: [headers?: Record<string, string>, method?: string, body?: string]
  ): Promise<TimedResponse> {
    const start = performance.now()
    const [headers, ...methodAndBody] = requestOptions
    const response = await sendRequest(baseUrl, path, { authorization: key, ...headers }, ...methodAndBody)
    return { ...response, ms: performance.now() - start }
  }

  /** Appends a scenario to a new evaluation. */
  const appendScenario = (service: ServiceProcess, id: string) =>
    sendTimed(service, scenariosPath(id), { 'content-type': JSON_TYPE }, 'POST', '[{"id":"a"}]')

  /** Requests a large response and reads nothing of it. */
  function openStalledReader({ baseUrl }: ServiceProcess): Socket {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`GET ${LARGE_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`)
    after(() => socket.destroy())
    return socket
  }

  /** Returns the state of each connection of the service. */
  async function readConnectionStates(): Promise<string[]> {
    const rows = await query(
      url,
      `SELECT CASE WHEN wait_event_type = 'Lock' THEN 'waiting' ELSE state END AS state FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'assay'`,
    )
    return rows.map(({ state }) => String(state))
  }

  const countConnections = async (wantedState: string) =>
    (await readConnectionStates()).filter((state) => state === wantedState).length

  /** Locks the scenario table. Returns a function that releases the lock. */
  async function lockScenarios(t: TestContext, mode: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    t.after(() => client.end())
    await client.query(`BEGIN; LOCK TABLE scenario IN ${mode} MODE`)
    return async () => void (await client.query('ROLLBACK'))
  }

  /** Asserts that all connections are idle and that there are at most `maxConnections`. */
  async function assertAllIdle(maxConnections: number): Promise<void> {
    await waitUntil(async () => (await readConnectionStates()).every((state) => state === 'idle'))
    const states = await readConnectionStates()
    assert.ok(states.length > 0 && states.length <= maxConnections, `${states.length} connections`)
  }

  const SMALL_READS = [FULL_SCENARIOS, `${LARGE_PATH}?limit=5`, EVALUATIONS, FULL_REVISIONS]

  test('a pool of two connections serves fifty small reads while slow and fast clients read large responses', {
    skip: fullOnly('reads large responses'),
  }, async () => {
    const service = await spawnServer([...flags, '--pool-size', '2', '--pool-timeout', '1m'])
    const sendSmallReads = () =>
      Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          sendTimed(service, SMALL_READS[index % SMALL_READS.length] ?? ''),
        ),
      )
    const stalledSockets = [openStalledReader(service), openStalledReader(service)]
    await Promise.race(stalledSockets.map((socket) => once(socket, 'readable')))
    const fastRequests = [sendTimed(service, LARGE_PATH), sendTimed(service, LARGE_PATH)]
    const smallResponses = await sendSmallReads()
    for (const { bytes, status } of await Promise.all(fastRequests)) {
      assert.equal(status, 200)
      assert.ok(bytes.length > 40_000_000, `${bytes.length} bytes`)
    }
    // The fast requests were sent after the stalled ones. They are complete, so both stalled responses have started.
    for (const socket of stalledSockets) assert.ok(socket.readableLength > 0)
    for (const { status } of [...smallResponses, ...(await sendSmallReads())]) assert.equal(status, 200)
    await assertAllIdle(2)
    assert.equal(service.child.exitCode, null)
  })

  /** Long enough to open a connection on a busy machine. */
  const POOL_TIMEOUT_MS = 2000
  const smallPoolFlags = [
    '--pool-size',
    '2',
    '--pool-timeout',
    `${POOL_TIMEOUT_MS}ms`,
    // The requests that have a connection wait for the lock until the test releases it.
    '--statement-timeout',
    '10m',
  ]
  /** A request waits for a connection twice: to check its key, and to read or write. */
  const MAX_WAIT_MS = 2 * POOL_TIMEOUT_MS + 1000

  function assertPoolTimeout(responses: TimedResponse[], factor = 1): void {
    for (const response of responses) {
      assertUnavailable(response)
      assert.ok(response.ms > factor * POOL_TIMEOUT_MS - 50, `after ${Math.round(response.ms)} ms`)
      if (testOptions.measures)
        assert.ok(response.ms < factor * MAX_WAIT_MS, `after ${Math.round(response.ms)} ms`)
    }
  }

  test('reads get 503 after pool_timeout, and the pool does not leak connections', async (t) => {
    const service = await spawnServer([...flags, ...smallPoolFlags])
    const releaseLock = await lockScenarios(t, 'ACCESS EXCLUSIVE')
    // Equal requests would share one read.
    const requests = Array.from({ length: 20 }, (_, index) =>
      sendTimed(service, `${FULL_SCENARIOS}?limit=${index + 1}`),
    )
    const responses: TimedResponse[] = []
    for (const request of requests) void request.then((response) => responses.push(response))
    await waitUntil(() => responses.length === 18)
    assertPoolTimeout(responses)
    assert.equal(await countConnections('waiting'), 2)
    await releaseLock()
    await Promise.all(requests)
    for (const { status } of responses.slice(18)) assert.equal(status, 200)
    await assertAllIdle(3)
    for (const path of SMALL_READS) assert.equal((await sendTimed(service, path)).status, 200)
  })

  test('writes get 503 after six times pool_timeout, and rejected writes are not stored', async (t) => {
    const service = await spawnServer([...flags, ...smallPoolFlags])
    const releaseLock = await lockScenarios(t, 'SHARE ROW EXCLUSIVE')
    const ids = ['w-0', 'w-1', 'w-2', 'w-3']
    const requests = ids.map((id) => appendScenario(service, id).then((response) => ({ id, ...response })))
    const responses: (TimedResponse & { id: string })[] = []
    for (const request of requests) void request.then((response) => responses.push(response))
    await waitUntil(() => responses.length === 3)
    assertPoolTimeout(responses, 6)
    assert.equal((await sendTimed(service, FULL_SCENARIOS)).status, 200, 'reads do not use the write pool')
    await releaseLock()
    await Promise.all(requests)
    assert.equal(responses[3]?.status, 201)
    for (const { id, status } of responses) {
      assert.equal((await sendTimed(service, scenariosPath(id))).status, status === 201 ? 200 : 404)
    }
    await assertAllIdle(3)
  })

  test('processes one large read at a time and returns 503 for the others after pool_timeout', async () => {
    // Without disk buffers a slow client occupies its database connection.
    const service = await spawnServer([...flags, ...smallPoolFlags, '--max-buffer-bytes', '0'])
    const stalledSockets = Array.from({ length: 4 }, () => openStalledReader(service))
    await Promise.all(stalledSockets.map((socket) => once(socket, 'readable')))
    const heads = stalledSockets.map((socket) => String(socket.read()))
    assert.equal(heads.filter((head) => head.startsWith('HTTP/1.1 200 ')).length, 1)
    const rejectedHeads = heads.filter((head) => head.startsWith('HTTP/1.1 503 '))
    assert.equal(rejectedHeads.length, 3)
    for (const head of rejectedHeads) assert.match(head, /\r\nretry-after: [1-9]/i)
    for (const path of SMALL_READS) assert.equal((await sendTimed(service, path)).status, 200)
    for (const socket of stalledSockets) socket.destroy()
    await assertAllIdle(3)
  })
})
