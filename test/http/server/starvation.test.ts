// Eight clients with one key repeat expensive queries. Queries of other projects and of other keys, and plain reads, must
// stay fast meanwhile. The test size starvation_rows sets the number of scenarios that the expensive queries read.
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { addLargeEvaluation } from '../../../bench/data.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { quantile } from '../../../bench/timing.ts'
import { sizes } from '../../sizes.ts'
import { createStoreLocation, createTestKey, spawnServer } from '../../support/harness.ts'
import { checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, testOptions } from '../../support/options.ts'

const CLIENTS = 8
const SMALL_ROWS = 20

let baseUrl = ''

/** Sends a request on a connection that stays open. */
function createClient(key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return (path: string, body?: object): Promise<HttpResponse> => {
    const headers = { authorization: key, ...(body && { 'content-type': 'application/json' }) }
    const method = body ? 'POST' : 'GET'
    return sendRequest(baseUrl, `/api${path}`, headers, method, body && JSON.stringify(body), agent)
  }
}

async function addSmallEvaluation(key: string, id: string): Promise<void> {
  const scenarios = Array.from({ length: SMALL_ROWS }, (_, number) => ({
    id: `s${number}`,
    outputs: [{ result: { type: 'text', value: `answer ${number}` }, latency: number }],
  }))
  const { status, text } = await createClient(key)(`/evaluations/${id}/evaluation_scenarios`, scenarios)
  assert.equal(status, 201, text)
}

/** Each one reads every scenario. `number` is different every time, so that no cache helps. */
const EXPENSIVE_QUERIES: ((number: number) => string)[] = [
  (number) => `/evaluations/base/rows?q=missing${number}&limit=20`,
  (number) => `/comparisons/rows?evaluation=base&evaluation=candidate&q=missing${number}&limit=20`,
  (number) => `/evaluations/base/summary?base=candidate&latency=gt.0.00${number}`,
  (number) => `/evaluations/candidate/summary?q=missing${number}`,
  (number) => `/evaluations/candidate/rows?input.question=ne.missing${number}&order=latency.desc&limit=20`,
]

interface Flood {
  responses: Map<number, number>
  stop(): Promise<void>
}

/** Repeats expensive queries with all clients, and ignores Retry-After. Resolves after the first responses. */
async function startFlood(key: string): Promise<Flood> {
  const responses = new Map<number, number>()
  let isRunning = true
  let sent = 0
  const firstResponse = Promise.withResolvers<void>()
  const loops = Array.from({ length: CLIENTS }, async () => {
    const send = createClient(key)
    while (isRunning) {
      sent += 1
      const query = EXPENSIVE_QUERIES[sent % EXPENSIVE_QUERIES.length] as (typeof EXPENSIVE_QUERIES)[number]
      const response = await send(query(sent))
      responses.set(response.status, (responses.get(response.status) ?? 0) + 1)
      firstResponse.resolve()
      if (response.status !== 200) checkRejected(response)
    }
  })
  const end = Promise.all(loops)
  await Promise.race([firstResponse.promise, end])
  return {
    responses,
    async stop() {
      isRunning = false
      await end
    },
  }
}

function checkRejected(response: HttpResponse): void {
  if (response.status === 429) checkProblem(response, 429, 'too-many-queries')
  else checkProblem(response, 503, 'unavailable')
  assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/)
}

/** Repeats a read until it has been measured often enough. Returns the milliseconds of each. */
async function measure(key: string, path: string): Promise<number[]> {
  const send = createClient(key)
  const times: number[] = []
  while (times.length < sizes.starvation_reads) {
    const start = performance.now()
    const { status, text } = await send(path)
    times.push(performance.now() - start)
    assert.equal(status, 200, text)
  }
  return times
}

async function measureDuringFlood(
  t: TestContext,
  key: string,
  { colleagueKey, otherKey }: Record<'colleagueKey' | 'otherKey', string>,
): Promise<void> {
  const smallQuery = 'rows?q=answer&order=latency.desc'
  const flood = await startFlood(key)
  const [otherProject, otherKeys, reads] = await Promise.all([
    measure(otherKey, `/evaluations/other-small/${smallQuery}`),
    measure(colleagueKey, `/evaluations/small/${smallQuery}`),
    measure(colleagueKey, '/evaluations/small/evaluation_scenarios?limit=1'),
  ])
  await flood.stop()
  const { 200: finished = 0, ...rejectedByStatus } = Object.fromEntries(flood.responses)
  const rejected = Object.values(rejectedByStatus).reduce((sum, count) => sum + count, 0)
  reportMeasurements(t, {
    cases: finished + rejected,
    small_query_p99_ms: Math.round(quantile(otherProject, 0.99)),
    small_query_max_ms: Math.round(Math.max(...otherProject)),
    other_key_query_p99_ms: Math.round(quantile(otherKeys, 0.99)),
    other_key_query_max_ms: Math.round(Math.max(...otherKeys)),
    small_read_p99_ms: Math.round(quantile(reads, 0.99)),
    small_read_max_ms: Math.round(Math.max(...reads)),
    small_queries: otherProject.length,
    finished_queries: finished,
    rejected_queries: rejected,
  })
  assert.ok(finished > 0, 'no expensive query has finished')
  if (!testOptions.measures) return
  assert.ok(rejected > 0, 'no expensive query was rejected')
  assert.ok(quantile(otherProject, 0.99) <= 250, 'queries of another project are slow')
  assert.ok(quantile(otherKeys, 0.99) <= 250, 'queries of another key of the same project are slow')
  assert.ok(quantile(reads, 0.99) <= 250, 'small reads are slow')
}

describe('other clients are served while eight clients of one project repeat expensive queries', {
  skip: fullOnly('measures small queries'),
}, async () => {
  const location = await createStoreLocation()
  const store = await openStoreAt(location.url)
  for (const [seed, id] of ['base', 'candidate'].entries())
    await addLargeEvaluation(store, sizes.starvation_rows, { id, seed })
  const { key: floodKey } = await createTestKey(store)
  const { key: colleagueKey } = await createTestKey(store, { scopes: ['read', 'write'] })
  const { key: otherKey } = await createTestKey(store, { project: 'other', scopes: ['read', 'write'] })
  await store.close()
  const service = await spawnServer([...location.flags, '--log-level', 'fatal'])
  baseUrl = service.baseUrl
  await addSmallEvaluation(colleagueKey, 'small')
  await addSmallEvaluation(otherKey, 'other-small')
  const otherKeys = { colleagueKey, otherKey }

  test('with the key of a project', (t) => measureDuringFlood(t, floodKey, otherKeys))

  test('with the key of a share link', async (t) => {
    const share = { confined_to: { comparison: ['base', 'candidate'] } }
    const { status, text } = await createClient(colleagueKey)('/shares', share)
    assert.equal(status, 201, text)
    await measureDuringFlood(t, JSON.parse(text).key, otherKeys)
  })
})
