// Tests what clients see when PostgreSQL or the network fails: closed connections, terminated backends, a stopped
// server, a network that drops all packets, and locks.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type ServiceProcess, startService } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { freshDatabase, startCluster } from '../../postgres/cluster.ts'
import { startProxy, type TcpProxy } from '../../postgres/tcp-proxy.ts'
import { addIncompressibleEvaluation, fillCorpus, scenario } from '../../support/corpus.ts'
import { createTempFolder, createTestKey, NO_CACHE_FLAGS, spawnServer } from '../../support/harness.ts'
import { checkProblem } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, POSTGRES_ONLY, testOptions } from '../../support/options.ts'
import { EVALUATIONS, FULL_SCENARIOS, JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

const skip = POSTGRES_ONLY

/** The response has about 24 MB, more than socket buffers can store: base64 encodes 12,000 bytes as 16,000 characters. */
const LARGE_SCENARIO_COUNT = 1500
const LARGE_NOTE_BYTES = 12_000
const LARGE_PATH = scenariosPath('large')

const FORMATS = ['json', 'ndjson', 'csv']
/** Applies a limit of milliseconds only if times are measured. Otherwise other tests can delay this one. */
const limitIfMeasured = (ms: number) => (testOptions.measures ? ms : 600_000)
/** The test fails if a request takes longer. */
const REQUEST_TIMEOUT_MS = limitIfMeasured(20_000)
/** The maximum time until requests succeed again after the failure ends. */
const RECOVERY_MS = limitIfMeasured(5000)

interface RequestResult {
  /** Undefined if no response headers arrived. */
  status: number | undefined
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** Whether the client considers the response complete. */
  isComplete: boolean
  ms: number
}

interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Called after the first chunk, and awaited before more is read. */
  onFirstChunk?: (status: number) => unknown
}

/** Sends one request on a new connection and returns the received part of the response, also if the request fails. */
async function sendAndReceive(
  baseUrl: string,
  path: string,
  options: RequestOptions,
): Promise<RequestResult> {
  const start = performance.now()
  const { method = 'GET', headers = {}, body, onFirstChunk } = options
  const outgoing = request(baseUrl + path, { method, headers, agent: false })
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  signal.addEventListener('abort', () => outgoing.destroy())
  // Errors also reach the code that waits for the response or reads it.
  outgoing.on('error', () => undefined)
  outgoing.end(body)
  const response = await once(outgoing, 'response').then(
    ([response]) => response as IncomingMessage,
    () => undefined,
  )
  const chunks: Buffer[] = []
  const isComplete = await readAll(response, chunks, onFirstChunk)
  assert.ok(!signal.aborted, `${method} ${path} got no response within ${REQUEST_TIMEOUT_MS} ms`)
  return {
    status: response?.statusCode,
    headers: response?.headers ?? {},
    bytes: Buffer.concat(chunks),
    isComplete,
    ms: performance.now() - start,
  }
}

/** Reads the rest of the response. Returns whether it ended normally. */
async function readAll(
  response: IncomingMessage | undefined,
  chunks: Buffer[],
  onFirstChunk: RequestOptions['onFirstChunk'],
): Promise<boolean> {
  if (!response) return false
  const iterator = response[Symbol.asyncIterator]()
  const readNext = () => iterator.next().catch(() => 'broken' as const)
  for (let chunk = await readNext(); ; chunk = await readNext()) {
    if (chunk === 'broken') return false
    if (chunk.done) return true
    chunks.push(chunk.value)
    if (chunks.length === 1) await onFirstChunk?.(response.statusCode ?? 0)
  }
}

/** Asserts that the result is a 503 with Retry-After, the response for an unavailable store. */
function checkUnavailable({ status = 0, headers, bytes, isComplete }: RequestResult): void {
  assert.ok(isComplete, `no response, or an incomplete one: ${status} ${bytes.subarray(0, 200)}`)
  checkProblem({ status, headers, bytes, text: bytes.toString() }, 503, 'unavailable')
  assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/)
}

function checkSuccess({ status, bytes, isComplete }: RequestResult, success: number): void {
  assert.equal(status, success, bytes.subarray(0, 500).toString())
  assert.ok(isComplete)
}

/** Repeats a check until it returns a value. */
async function waitUntil<Value>(
  description: string,
  check: () => Promise<Value | false | undefined>,
  limitMs = REQUEST_TIMEOUT_MS,
): Promise<Value> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const value = await check()
    if (value) return value
    assert.ok(performance.now() < deadline, `not within ${limitMs} ms: ${description}`)
    await delay(10)
  }
}

const run = promisify(execFile)
const curlExists = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

describe('a service with a PostgreSQL store', { skip }, async () => {
  const cluster = await startCluster()
  after(() => cluster.remove())
  const url = await freshDatabase(cluster.url())
  const store = await openStoreAt(url)
  await fillCorpus(store)
  await addIncompressibleEvaluation(store, 'large', LARGE_SCENARIO_COUNT, LARGE_NOTE_BYTES)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  const authorization = { authorization: key }

  /** Opens a separate connection for the test. */
  async function openSession(t: TestContext): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    t.after(() => client.end())
    return client
  }

  const FROM_SERVICE_BACKENDS = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'assay'`

  async function listBackendPids(client: pg.Client, where = ''): Promise<number[]> {
    const { rows } = await client.query(`SELECT pid ${FROM_SERVICE_BACKENDS} ${where} ORDER BY pid`)
    return rows.map(({ pid }) => pid)
  }

  /** Terminates backends of the service and returns their number. */
  async function terminate(client: pg.Client, where = ''): Promise<number> {
    const { rows } = await client.query(
      `SELECT pg_terminate_backend(pid) AS done ${FROM_SERVICE_BACKENDS} ${where}`,
    )
    return rows.filter(({ done }) => done).length
  }

  const WAITS_FOR_LOCK = `AND wait_event_type = 'Lock'`

  /** Locks a table. Returns a function that releases the lock. */
  async function lockTable(t: TestContext, table: string): Promise<() => Promise<unknown>> {
    const client = await openSession(t)
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    return () => client.query('ROLLBACK')
  }

  async function serve(...flags: string[]): Promise<ServiceProcess> {
    return spawnServer(['--data', createTempFolder(), '--database', url, ...flags])
  }

  async function serveThroughProxy(
    t: TestContext,
    ...flags: string[]
  ): Promise<{ service: ServiceProcess; proxy: TcpProxy }> {
    const proxy = await startProxy({ host: '127.0.0.1', port: cluster.port })
    t.after(() => proxy.close())
    const service = await spawnServer(['--data', createTempFolder(), '--database', proxy.url(url), ...flags])
    return { service, proxy }
  }

  const read = ({ baseUrl }: ServiceProcess, path = FULL_SCENARIOS, options: RequestOptions = {}) =>
    sendAndReceive(baseUrl, path, { ...options, headers: { ...authorization, ...options.headers } })

  /** Appends scenarios to an evaluation with an idempotency key. */
  const write = (
    { baseUrl }: ServiceProcess,
    id: string,
    count = 3,
    onFirstChunk?: RequestOptions['onFirstChunk'],
  ) =>
    sendAndReceive(baseUrl, scenariosPath(id), {
      method: 'POST',
      headers: { ...authorization, 'content-type': JSON_TYPE, 'idempotency-key': id },
      ...(onFirstChunk && { onFirstChunk }),
      body: JSON.stringify(Array.from({ length: count }, (_, position) => scenario(id, position))),
    })

  let evaluationCount = 0
  function newId(): string {
    evaluationCount += 1
    return `written-${evaluationCount}`
  }

  /** Reads the number of scenarios of an evaluation. Undefined if the evaluation does not exist. */
  async function countScenarios(service: ServiceProcess, id: string): Promise<number | undefined> {
    const { status, bytes } = await read(service, scenariosPath(id))
    if (status === 404) return undefined
    assert.equal(status, 200)
    return JSON.parse(bytes.toString()).length
  }

  /** Asserts that the process still runs and serves every kind of request. */
  async function checkServesAll(service: ServiceProcess): Promise<void> {
    assert.equal(service.child.exitCode, null, service.stderr())
    for (const path of ['/livez', '/readyz', EVALUATIONS, FULL_SCENARIOS, `${LARGE_PATH}?limit=5`]) {
      checkSuccess(await read(service, path), 200)
    }
    const id = newId()
    checkSuccess(await write(service, id), 201)
    assert.equal(await countScenarios(service, id), 3)
  }

  describe('closed idle connections', { skip: fullOnly('waits for reconnects') }, () => {
    const causes: [
      name: string,
      closeConnections: (proxy: TcpProxy, client: pg.Client) => Promise<unknown>,
    ][] = [
      ['the network closes idle connections', async (proxy) => proxy.resetConnections()],
      ['the server closes idle connections', (_, client) => terminate(client)],
    ]
    for (const [name, closeConnections] of causes) {
      test(`no request fails after ${name}`, async (t) => {
        const client = await openSession(t)
        const { service, proxy } = await serveThroughProxy(t)
        const sendReads = () => Promise.all(Array.from({ length: 10 }, () => read(service)))
        const sendWrites = () => Promise.all(Array.from({ length: 4 }, () => write(service, newId())))
        await Promise.all([sendReads(), sendWrites()])
        for (let round = 0; round < 5; round += 1) {
          const idlePids = await listBackendPids(client, `AND state = 'idle'`)
          assert.ok(idlePids.length >= 5, 'there are fewer than five idle connections')
          await closeConnections(proxy, client)
          for (const result of await sendReads()) checkSuccess(result, 200)
          await waitUntil('the backends have exited', async () => {
            const remainingPids = await listBackendPids(client)
            return !idlePids.some((pid) => remainingPids.includes(pid))
          })
          for (const result of await sendWrites()) checkSuccess(result, 201)
        }
        await checkServesAll(service)
      })
    }
  })

  describe('a terminated backend', () => {
    let service: ServiceProcess
    before(async () => {
      service = await startService(['--data', createTempFolder(), '--database', url, ...NO_CACHE_FLAGS], {
        readsLog: true,
      })
    })
    after(() => service.child.kill('SIGKILL'))

    for (const [operation, table] of [
      ['the API key is read', 'api_key'],
      ['scenarios are read', 'scenario'],
    ] as const) {
      test(`a read gets 503 when the backend is terminated while ${operation}`, async (t) => {
        const client = await openSession(t)
        const releaseLock = await lockTable(t, table)
        // If the backend is terminated at once, the service assumes a stale connection and retries the read.
        checkUnavailable(await terminateWhileWaiting(client, read(service)))
        await releaseLock()
        await checkServesAll(service)
      })
    }

    test('every client detects an incomplete response when the backend is terminated during the response', async (t) => {
      const client = await openSession(t)
      let interruptedCount = 0
      for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
        for (const format of FORMATS) {
          const result = await read(service, `${LARGE_PATH}?format=${format}`, {
            headers: { 'accept-encoding': encoding },
            onFirstChunk: () => terminateReader(client),
          })
          assert.equal(result.status, 200)
          assert.ok(!result.isComplete, `${encoding} ${format}: ${result.bytes.length} bytes seemed complete`)
        }
        interruptedCount += FORMATS.length + 1
        const { head, error } = await readHttp10(service, encoding, () => terminateReader(client))
        assert.match(head, /^HTTP\/1\.1 200 /)
        assert.equal(error, 'ECONNRESET', `HTTP/1.0, ${encoding}`)
      }
      reportMeasurements(t, { cases: interruptedCount, wrong: 0 })
      await checkServesAll(service)
    })

    test('curl exits with an error when the backend is terminated during the download', {
      skip: !curlExists && 'curl is not installed',
    }, async (t) => {
      const client = await openSession(t)
      for (const version of ['--http1.1', '--http1.0']) {
        for (const encoding of ['identity', 'gzip']) {
          const headers = [`Authorization: ${key}`, `Accept-Encoding: ${encoding}`]
          const args = [
            '-s',
            '--max-time',
            '20',
            version,
            ...headers.flatMap((header) => ['-H', header]),
            service.baseUrl + LARGE_PATH,
          ]
          const curl = spawn('curl', args, { stdio: ['ignore', 'pipe', 'ignore'] })
          const exit = once(curl, 'exit')
          // curl stops reading while its output is not read.
          await once(curl.stdout, 'readable')
          await terminateReader(client)
          curl.stdout.resume()
          assert.notEqual((await exit)[0], 0, `${version} ${encoding}`)
        }
      }
      await checkServesAll(service)
    })

    for (const table of ['api_key', 'evaluation', 'scenario', 'evaluation_column', 'search', 'idempotency']) {
      test(`a write gets 503 and stores nothing when the backend is terminated while it waits for the table ${table}`, async (t) => {
        const client = await openSession(t)
        const releaseLock = await lockTable(t, table)
        const id = newId()
        checkUnavailable(await terminateWhileWaiting(client, write(service, id, 300)))
        await releaseLock()
        assert.equal(await countScenarios(service, id), undefined)
        await checkRetry(service, id, 300)
        await checkServesAll(service)
      })
    }

    test('a write gets 503 and stores nothing when the backend is terminated before the commit', async (t) => {
      const client = await openSession(t)
      await client.query(`
        CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON evaluation
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit();
        SELECT pg_advisory_lock(1)`)
      const id = newId()
      const writing = write(service, id)
      await waitUntil(
        'the write waits at its COMMIT',
        async () =>
          (await listBackendPids(client, `${WAITS_FOR_LOCK} AND query LIKE '%COMMIT'`)).length === 1,
      )
      await terminate(client, WAITS_FOR_LOCK)
      checkUnavailable(await writing)
      await client.query('DROP FUNCTION wait_at_commit CASCADE; SELECT pg_advisory_unlock(1)')
      assert.equal(await countScenarios(service, id), undefined)
      await checkRetry(service, id)
      await checkServesAll(service)
    })

    test('a write gets 503 but is stored once when the backend is terminated after the commit, also if it is retried', async (t) => {
      const client = await openSession(t)
      // The commit is in the WAL, but waits for a synchronous replica that does not exist.
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = 'missing'`)
      await client.query('SELECT pg_reload_conf()')
      const atCommit = `AND wait_event = 'SyncRep' AND query LIKE '%COMMIT'`
      function startWrite() {
        const id = newId()
        const attempt = { id, isComplete: false, result: write(service, id) }
        void attempt.result.then(() => {
          attempt.isComplete = true
        })
        return attempt
      }
      let attempt = startWrite()
      await waitUntil('the write waits at its COMMIT', async () => {
        // The server applies the setting with a delay, so the first write can succeed.
        if (attempt.isComplete) attempt = startWrite()
        return (await listBackendPids(client, atCommit)).length === 1
      })
      await terminate(client, atCommit)
      checkUnavailable(await attempt.result)
      await client.query('ALTER SYSTEM RESET synchronous_standby_names')
      await client.query('SELECT pg_reload_conf()')
      assert.equal(await countScenarios(service, attempt.id), 3)
      await checkRetry(service, attempt.id)
      await checkServesAll(service)
    })

    /** Terminates backends that wait for a lock until the request has a response. */
    async function terminateWhileWaiting(
      client: pg.Client,
      pendingResult: Promise<RequestResult>,
    ): Promise<RequestResult> {
      let isComplete = false
      void pendingResult.finally(() => {
        isComplete = true
      })
      let terminatedCount = 0
      await waitUntil('the request has a response', async () => {
        terminatedCount += await terminate(client, `${WAITS_FOR_LOCK} AND backend_type = 'client backend'`)
        return isComplete
      })
      assert.ok(terminatedCount > 0, 'no backend waited for a lock')
      return pendingResult
    }

    /** Terminates the backend that reads the current response. */
    async function terminateReader(client: pg.Client): Promise<void> {
      assert.ok((await terminate(client, 'AND xact_start IS NOT NULL')) > 0, 'no backend is reading')
    }

    /** Retries the write and asserts that it succeeds and that its scenarios are stored once. */
    async function checkRetry(service: ServiceProcess, id: string, count = 3): Promise<void> {
      const response = await write(service, id, count)
      checkSuccess(response, 201)
      assert.deepEqual(JSON.parse(response.bytes.toString()), { accepted: count, unchanged: 0 })
      assert.equal(await countScenarios(service, id), count)
    }
  })

  /** Reads with HTTP/1.0, where the end of the connection ends the response. */
  async function readHttp10(
    { baseUrl }: ServiceProcess,
    encoding: string,
    onFirstChunk: () => Promise<void>,
  ) {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    const error = new Promise<string | undefined>((resolve) => {
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
      socket.on('end', () => resolve(undefined))
    })
    socket.write(
      `GET ${LARGE_PATH} HTTP/1.0\r\nAuthorization: ${key}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
    )
    await once(socket, 'readable')
    const head = String(socket.read()).slice(0, 100)
    await onFirstChunk()
    socket.resume()
    return { head, error: await error }
  }

  interface RequestKind {
    name: string
    success: number
    send(service: ServiceProcess, onFirstChunk?: RequestOptions['onFirstChunk']): Promise<RequestResult>
  }

  const createReadRequest =
    (path: string) => (service: ServiceProcess, onFirstChunk?: RequestOptions['onFirstChunk']) =>
      read(service, path, onFirstChunk && { onFirstChunk })

  /** Requests that are repeated during a failure. */
  const REQUEST_KINDS: RequestKind[] = [
    { name: 'readyz', success: 200, send: createReadRequest('/readyz') },
    { name: 'read', success: 200, send: createReadRequest(FULL_SCENARIOS) },
    { name: 'page', success: 200, send: createReadRequest(`${LARGE_PATH}?limit=5`) },
    { name: 'list', success: 200, send: createReadRequest(EVALUATIONS) },
    { name: 'stream', success: 200, send: createReadRequest(LARGE_PATH) },
    {
      name: 'write',
      success: 201,
      send: (service, onFirstChunk) => write(service, newId(), 3, onFirstChunk),
    },
  ]

  const LIVENESS: RequestKind = { name: 'livez', success: 200, send: createReadRequest('/livez') }

  /** Repeats one kind of request until `stop` is called, and checks each response. */
  function sendRepeatedly(
    service: ServiceProcess,
    { name, success, send }: RequestKind,
    limitMs = REQUEST_TIMEOUT_MS,
  ) {
    /** `started` counts responses whose first chunk has arrived. */
    const tally = { started: 0, completed: 0, unavailable: 0, reset: 0 }
    const onFirstChunk = (status: number) => {
      if (status === success) tally.started += 1
    }
    let isStopped = false
    let slowest = 0
    async function loop(): Promise<void> {
      while (!isStopped) {
        const result = await send(service, onFirstChunk)
        if (result.status === success && result.isComplete) tally.completed += 1
        else if (result.status === success && name === 'stream') tally.reset += 1
        else {
          checkUnavailable(result)
          tally.unavailable += 1
          slowest = Math.max(slowest, result.ms)
        }
        // Leaves CPU time to the other loops.
        await delay(20)
      }
    }
    const loopPromise = loop()
    loopPromise.catch(() => undefined)
    return {
      name,
      tally,
      async stop(): Promise<void> {
        isStopped = true
        await loopPromise
        assert.ok(slowest < limitMs, `${name}: a request got 503 after ${Math.round(slowest)} ms`)
      },
      /** Waits for the next response with this outcome. Rejects as soon as a response is wrong. */
      waitForOutcome: (outcome: 'started' | 'unavailable', limitMs: number) => {
        const initialCount = tally[outcome]
        const reached = waitUntil(`${name} is ${outcome}`, async () => tally[outcome] > initialCount, limitMs)
        return Promise.race([reached, loopPromise])
      },
    }
  }

  for (const stopMode of ['fast', 'immediate'] as const) {
    test(`requests get 503 while the server is stopped (${stopMode}), and succeed soon after it is restarted`, {
      skip: fullOnly('stops and restarts the server under load'),
    }, async (t) => {
      // With a cache, the service reads a whole response from the server before its client has received it.
      const service = await serve(...NO_CACHE_FLAGS)
      const livenessLoop = sendRepeatedly(service, LIVENESS)
      const loops = REQUEST_KINDS.map((kind) => sendRepeatedly(service, kind))
      await Promise.all(loops.map(({ waitForOutcome }) => waitForOutcome('started', REQUEST_TIMEOUT_MS)))
      const interruptedResult = await read(service, LARGE_PATH, {
        onFirstChunk: () => cluster.stop(stopMode),
      })
      assert.equal(interruptedResult.status, 200)
      assert.ok(
        !interruptedResult.isComplete,
        'an incomplete response seemed complete after the server stopped',
      )
      await Promise.all(loops.map(({ waitForOutcome }) => waitForOutcome('unavailable', RECOVERY_MS)))
      await cluster.start()
      const startedAt = performance.now()
      await Promise.all(loops.map(({ waitForOutcome }) => waitForOutcome('started', RECOVERY_MS)))
      reportMeasurements(t, { rounds: 1, recovery_ms: performance.now() - startedAt })
      for (const { stop } of [...loops, livenessLoop]) await stop()
      for (const { name, tally } of loops) t.diagnostic(`${name}: ${JSON.stringify(tally)}`)
      assert.equal(livenessLoop.tally.unavailable, 0)
      await checkServesAll(service)
    })
  }

  describe('a network that drops all packets', { skip: fullOnly('waits for timeouts') }, () => {
    const WAIT_MS = testOptions.measures ? 1000 : 5000
    const limits = ['--pool-timeout', `${WAIT_MS}ms`, '--statement-timeout', `${WAIT_MS}ms`]
    /** The sum of the connection timeout, the statement timeout and a margin. */
    const DEADLINE_MS = limitIfMeasured(2 * WAIT_MS + 1500)

    function checkInTime(name: string, ms: number): void {
      assert.ok(ms < DEADLINE_MS, `${name} took ${Math.round(ms)} ms`)
    }

    test('running and new requests get 503 or a reset in time when the network fails during requests', async (t) => {
      const client = await openSession(t)
      const { service, proxy } = await serveThroughProxy(t, ...limits)
      await checkServesAll(service)
      const livenessLoop = sendRepeatedly(service, LIVENESS)

      let droppedAt = 0
      const streaming = read(service, LARGE_PATH, {
        async onFirstChunk() {
          const releaseLock = await lockTable(t, 'search')
          const writing = write(service, newId())
          await waitUntil(
            'a write waits',
            async () => (await listBackendPids(client, WAITS_FOR_LOCK)).length === 1,
          )
          proxy.blackhole()
          droppedAt = performance.now()
          await releaseLock()
          checkUnavailable(await writing)
          checkInTime('the write', performance.now() - droppedAt)
        },
      })
      await waitUntil('the network drops packets', async () => droppedAt > 0)
      const loops = REQUEST_KINDS.map((kind) => sendRepeatedly(service, kind, DEADLINE_MS))
      const interruptedResult = await streaming
      assert.equal(interruptedResult.status, 200)
      assert.ok(!interruptedResult.isComplete, 'an incomplete response seemed complete')
      checkInTime('the stream', performance.now() - droppedAt)

      await Promise.all(loops.map(({ waitForOutcome }) => waitForOutcome('unavailable', DEADLINE_MS)))
      proxy.forwardConnections()
      const forwardedAt = performance.now()
      await Promise.all(loops.map(({ waitForOutcome }) => waitForOutcome('started', RECOVERY_MS)))
      reportMeasurements(t, { rounds: 1, recovery_ms: performance.now() - forwardedAt })
      for (const { stop } of [...loops, livenessLoop]) await stop()
      assert.equal(livenessLoop.tally.unavailable, 0)
      await checkServesAll(service)
    })

    test('requests succeed again after a few 503 responses when all idle connections are dead', async (t) => {
      const { service, proxy } = await serveThroughProxy(t, ...limits)
      const warmUps = [
        createReadRequest(FULL_SCENARIOS),
        createReadRequest(EVALUATIONS),
        (service: ServiceProcess) => write(service, newId()),
      ]
      await Promise.all(warmUps.flatMap((send) => Array.from({ length: 4 }, () => send(service))))
      assert.ok(proxy.countConnections() >= 5, `${proxy.countConnections()} connections`)
      proxy.blackhole()
      proxy.forwardConnections()
      const loops = REQUEST_KINDS.map((kind) => sendRepeatedly(service, kind, DEADLINE_MS))
      await Promise.all(loops.map(({ waitForOutcome }) => waitForOutcome('started', RECOVERY_MS)))
      for (const { stop } of loops) await stop()
      await checkServesAll(service)
    })
  })

  test('requests that wait for a lock get 503 in time, and their connections are reused', async (t) => {
    const client = await openSession(t)
    const service = await serve('--statement-timeout', '5s', '--pool-size', '3')
    const releaseLock = await lockTable(t, 'scenario')
    const pendingResults = Promise.all([
      read(service),
      read(service, `${LARGE_PATH}?limit=5`),
      write(service, newId()),
    ])
    await waitUntil(
      'three backends wait',
      async () => (await listBackendPids(client, WAITS_FOR_LOCK)).length === 3,
    )
    const waitingPids = await listBackendPids(client)
    for (const result of await pendingResults) {
      checkUnavailable(result)
      assert.ok(result.ms > 4900 && result.ms < limitIfMeasured(6000), `${Math.round(result.ms)} ms`)
    }
    await releaseLock()
    await checkServesAll(service)
    assert.deepEqual(await listBackendPids(client), waitingPids)
  })

  test('queries that exceed query_timeout get 504 without Retry-After, and succeed later', async (t) => {
    const service = await serve('--query-timeout', '2s')
    const paths = [
      '/api/evaluations/full/summary',
      '/api/evaluations/full/rows?q=a',
      '/api/comparisons?evaluation=full&evaluation=large',
    ]
    const releaseLock = await lockTable(t, 'measure')
    for (const path of paths) {
      const { status = 0, headers, bytes } = await read(service, path)
      const problem = checkProblem({ status, headers, bytes, text: bytes.toString() }, 504, 'query-timeout')
      assert.match(problem.detail, /took longer than 2 s .* will time out again/)
      assert.equal(headers['retry-after'], undefined)
    }
    await releaseLock()
    for (const path of paths) checkSuccess(await read(service, path), 200)
  })
})
