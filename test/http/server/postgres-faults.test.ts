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
import { fullOnly, POSTGRES_ONLY } from '../../support/options.ts'
import { EVALUATIONS, FULL_SCENARIOS, JSON_TYPE, scenariosPath } from '../../support/write-requests.ts'

const skip = POSTGRES_ONLY

/** About 24 MB of incompressible data, which is more than socket buffers can store. */
const LARGE_COUNT = 1500
const LARGE_BYTES = 12_000
const LARGE = scenariosPath('large')

/** A request that takes longer has failed. */
const REQUEST_TIMEOUT_MS = 20_000
/** The time within which the service must work again after the server does. */
const RECOVERY_MS = 5000

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

/** Sends one request on a new connection and returns what arrives, also if the request fails. */
async function sendAndReceive(base: string, path: string, options: RequestOptions): Promise<RequestResult> {
  const start = performance.now()
  const { method = 'GET', headers = {}, body, onFirstChunk } = options
  const outgoing = request(base + path, { method, headers, agent: false })
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
  const rest = response[Symbol.asyncIterator]()
  const next = () => rest.next().catch(() => 'broken' as const)
  for (let chunk = await next(); ; chunk = await next()) {
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
async function until<Value>(
  description: string,
  check: () => Promise<Value | false | undefined>,
  limitMs = 10_000,
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
  await addIncompressibleEvaluation(store, 'large', LARGE_COUNT, LARGE_BYTES)
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

  async function pids(client: pg.Client, where = ''): Promise<number[]> {
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

  const WAITING = `AND wait_event_type = 'Lock'`

  /** Locks a table. Returns a function that releases the lock. */
  async function lock(t: TestContext, table: string): Promise<() => Promise<unknown>> {
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

  const read = ({ base }: ServiceProcess, path = FULL_SCENARIOS, options: RequestOptions = {}) =>
    sendAndReceive(base, path, { ...options, headers: { ...authorization, ...options.headers } })

  /** Appends scenarios to an evaluation with an idempotency key. */
  const write = (
    { base }: ServiceProcess,
    id: string,
    count = 3,
    onFirstChunk?: RequestOptions['onFirstChunk'],
  ) =>
    sendAndReceive(base, scenariosPath(id), {
      method: 'POST',
      headers: { ...authorization, 'content-type': JSON_TYPE, 'idempotency-key': id },
      ...(onFirstChunk && { onFirstChunk }),
      body: JSON.stringify(Array.from({ length: count }, (_, position) => scenario(id, position))),
    })

  let evaluations = 0
  function newId(): string {
    evaluations += 1
    return `written-${evaluations}`
  }

  /** Reads the number of scenarios of an evaluation. Undefined if the evaluation does not exist. */
  async function scenarioCount(service: ServiceProcess, id: string): Promise<number | undefined> {
    const { status, bytes } = await read(service, scenariosPath(id))
    if (status === 404) return undefined
    assert.equal(status, 200)
    return JSON.parse(bytes.toString()).length
  }

  /** Asserts that the process still runs and serves every kind of request. */
  async function checkServesAll(service: ServiceProcess): Promise<void> {
    assert.equal(service.child.exitCode, null, service.stderr())
    for (const path of ['/livez', '/readyz', EVALUATIONS, FULL_SCENARIOS, `${LARGE}?limit=5`]) {
      checkSuccess(await read(service, path), 200)
    }
    const id = newId()
    checkSuccess(await write(service, id), 201)
    assert.equal(await scenarioCount(service, id), 3)
  }

  describe('when idle connections are closed', { skip: fullOnly('waits for reconnects') }, () => {
    const causes: [name: string, cut: (proxy: TcpProxy, client: pg.Client) => Promise<unknown>][] = [
      ['by the network', async (proxy) => proxy.cut()],
      ['by the server', (_, client) => terminate(client)],
    ]
    for (const [name, cut] of causes) {
      test(`${name}, no request fails`, async (t) => {
        const client = await openSession(t)
        const { service, proxy } = await serveThroughProxy(t)
        const reads = () => Promise.all(Array.from({ length: 10 }, () => read(service)))
        const writes = () => Promise.all(Array.from({ length: 4 }, () => write(service, newId())))
        await Promise.all([reads(), writes()])
        for (let round = 0; round < 5; round += 1) {
          const before = await pids(client, `AND state = 'idle'`)
          assert.ok(before.length >= 5, 'there are idle connections')
          await cut(proxy, client)
          for (const result of await reads()) checkSuccess(result, 200)
          await until('the backends have exited', async () => {
            const remaining = await pids(client)
            return !before.some((pid) => remaining.includes(pid))
          })
          for (const result of await writes()) checkSuccess(result, 201)
        }
        await checkServesAll(service)
      })
    }
  })

  describe('when a backend is terminated', () => {
    let service: ServiceProcess
    before(async () => {
      service = await startService(['--data', createTempFolder(), '--database', url, ...NO_CACHE_FLAGS])
    })
    after(() => service.child.kill('SIGKILL'))

    for (const [when, table] of [
      ['while the API key is read', 'api_key'],
      ['while scenarios are read', 'scenario'],
    ] as const) {
      test(`${when}, the read gets 503`, async (t) => {
        const client = await openSession(t)
        const release = await lock(t, table)
        // If it is terminated at once, the service assumes a stale connection and retries the read.
        checkUnavailable(await terminateWhileWaiting(client, read(service)))
        await release()
        await checkServesAll(service)
      })
    }

    test('in the middle of a response, every client detects that it is incomplete', async (t) => {
      const client = await openSession(t)
      for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
        for (const format of ['json', 'ndjson', 'csv']) {
          const result = await read(service, `${LARGE}?format=${format}`, {
            headers: { 'accept-encoding': encoding },
            onFirstChunk: () => terminateReader(client),
          })
          assert.equal(result.status, 200)
          assert.ok(!result.isComplete, `${encoding} ${format}: ${result.bytes.length} bytes seemed complete`)
        }
        const { head, error } = await readHttp10(service, encoding, () => terminateReader(client))
        assert.match(head, /^HTTP\/1\.1 200 /)
        assert.equal(error, 'ECONNRESET', `HTTP/1.0, ${encoding}`)
      }
      await checkServesAll(service)
    })

    test('in the middle of a download, curl exits with an error', {
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
            service.base + LARGE,
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
      test(`while a write waits for the table ${table}, the write gets 503 and stores nothing`, async (t) => {
        const client = await openSession(t)
        const release = await lock(t, table)
        const id = newId()
        checkUnavailable(await terminateWhileWaiting(client, write(service, id, 300)))
        await release()
        assert.equal(await scenarioCount(service, id), undefined)
        await checkRepetition(service, id, 300)
        await checkServesAll(service)
      })
    }

    test('before the commit, the write gets 503 and stores nothing', async (t) => {
      const client = await openSession(t)
      await client.query(`
        CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON evaluation
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit();
        SELECT pg_advisory_lock(1)`)
      const id = newId()
      const writing = write(service, id)
      await until('COMMIT', async () => (await pids(client, `${WAITING} AND query = 'COMMIT'`)).length === 1)
      await terminate(client, WAITING)
      checkUnavailable(await writing)
      await client.query('DROP FUNCTION wait_at_commit CASCADE; SELECT pg_advisory_unlock(1)')
      assert.equal(await scenarioCount(service, id), undefined)
      await checkRepetition(service, id)
      await checkServesAll(service)
    })

    test('after the commit, the write is stored completely, and a repetition stores nothing twice', async (t) => {
      const client = await openSession(t)
      // The commit is in the WAL, but waits for a synchronous replica that does not exist.
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = 'missing'`)
      await client.query('SELECT pg_reload_conf()')
      const id = newId()
      const writing = write(service, id)
      const atCommit = `AND wait_event = 'SyncRep' AND query = 'COMMIT'`
      await until('COMMIT', async () => (await pids(client, atCommit)).length === 1)
      await terminate(client, atCommit)
      checkUnavailable(await writing)
      await client.query('ALTER SYSTEM RESET synchronous_standby_names')
      await client.query('SELECT pg_reload_conf()')
      assert.equal(await scenarioCount(service, id), 3)
      await checkRepetition(service, id)
      await checkServesAll(service)
    })

    /** Terminates backends that wait for a lock until the request has a response. */
    async function terminateWhileWaiting(
      client: pg.Client,
      pending: Promise<RequestResult>,
    ): Promise<RequestResult> {
      let isComplete = false
      void pending.finally(() => {
        isComplete = true
      })
      let terminated = 0
      await until('a response', async () => {
        terminated += await terminate(client, `${WAITING} AND backend_type = 'client backend'`)
        return isComplete
      })
      assert.ok(terminated > 0, 'no backend waited for a lock')
      return pending
    }

    /** Terminates the backend that reads the current response. */
    async function terminateReader(client: pg.Client): Promise<void> {
      assert.ok((await terminate(client, 'AND xact_start IS NOT NULL')) > 0, 'no backend is reading')
    }

    /** Asserts that the same request succeeds again, and that its scenarios are stored once. */
    async function checkRepetition(service: ServiceProcess, id: string, count = 3): Promise<void> {
      const again = await write(service, id, count)
      checkSuccess(again, 201)
      assert.deepEqual(JSON.parse(again.bytes.toString()), { accepted: count, unchanged: 0 })
      assert.equal(await scenarioCount(service, id), count)
    }
  })

  /** Reads with HTTP/1.0, where the end of the connection ends the response. */
  async function readHttp10({ base }: ServiceProcess, encoding: string, onFirstChunk: () => Promise<void>) {
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    const error = new Promise<string | undefined>((resolve) => {
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
      socket.on('end', () => resolve(undefined))
    })
    socket.write(`GET ${LARGE} HTTP/1.0\r\nAuthorization: ${key}\r\nAccept-Encoding: ${encoding}\r\n\r\n`)
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

  const reads = (path: string) => (service: ServiceProcess, onFirstChunk?: RequestOptions['onFirstChunk']) =>
    read(service, path, onFirstChunk && { onFirstChunk })

  /** Requests that are repeated during a failure. */
  const REQUEST_KINDS: RequestKind[] = [
    { name: 'readyz', success: 200, send: reads('/readyz') },
    { name: 'read', success: 200, send: reads(FULL_SCENARIOS) },
    { name: 'page', success: 200, send: reads(`${LARGE}?limit=5`) },
    { name: 'list', success: 200, send: reads(EVALUATIONS) },
    { name: 'stream', success: 200, send: reads(LARGE) },
    {
      name: 'write',
      success: 201,
      send: (service, onFirstChunk) => write(service, newId(), 3, onFirstChunk),
    },
  ]

  const LIVENESS: RequestKind = { name: 'livez', success: 200, send: reads('/livez') }

  /** Repeats one kind of request until it is stopped, and checks each response. */
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
    const looping = loop()
    looping.catch(() => undefined)
    return {
      name,
      tally,
      async stop(): Promise<void> {
        isStopped = true
        await looping
        assert.ok(slowest < limitMs, `${name}: a request got 503 after ${Math.round(slowest)} ms`)
      },
      /** Waits for the next response of this outcome. Rejects as soon as a response is wrong. */
      reaches: (outcome: 'started' | 'unavailable', withinMs: number) => {
        const before = tally[outcome]
        const reached = until(`${name} is ${outcome}`, async () => tally[outcome] > before, withinMs)
        return Promise.race([reached, looping])
      },
    }
  }

  for (const stopMode of ['fast', 'immediate'] as const) {
    test(`when the server is stopped (${stopMode}) and restarted, requests get 200 or 503 and soon 200 again`, {
      skip: fullOnly('stops and restarts the server under load'),
    }, async (t) => {
      const service = await serve()
      const live = sendRepeatedly(service, LIVENESS)
      const loops = REQUEST_KINDS.map((kind) => sendRepeatedly(service, kind))
      await Promise.all(loops.map(({ reaches }) => reaches('started', 10_000)))
      const broken = await read(service, LARGE, { onFirstChunk: () => cluster.stop(stopMode) })
      assert.equal(broken.status, 200)
      assert.ok(!broken.isComplete, 'an incomplete response seemed complete after the server stopped')
      await Promise.all(loops.map(({ reaches }) => reaches('unavailable', RECOVERY_MS)))
      await cluster.start()
      await Promise.all(loops.map(({ reaches }) => reaches('started', RECOVERY_MS)))
      for (const { stop } of [...loops, live]) await stop()
      for (const { name, tally } of loops) t.diagnostic(`${name}: ${JSON.stringify(tally)}`)
      assert.equal(live.tally.unavailable, 0)
      await checkServesAll(service)
    })
  }

  describe('when the network drops all packets', { skip: fullOnly('waits for timeouts') }, () => {
    const WAIT_MS = 1000
    const limits = ['--pool-timeout', `${WAIT_MS}ms`, '--statement-timeout', `${WAIT_MS}ms`]
    /** Waiting for a connection, waiting for a statement, and a margin. */
    const DEADLINE_MS = 2 * WAIT_MS + 1500

    function checkInTime(name: string, ms: number): void {
      assert.ok(ms < DEADLINE_MS, `${name} took ${Math.round(ms)} ms`)
    }

    test('in the middle of requests, running and new requests get 503 or a reset in time', async (t) => {
      const client = await openSession(t)
      const { service, proxy } = await serveThroughProxy(t, ...limits)
      await checkServesAll(service)
      const live = sendRepeatedly(service, LIVENESS, 1000)

      let droppedAt = 0
      const streaming = read(service, LARGE, {
        async onFirstChunk() {
          const release = await lock(t, 'search')
          const writing = write(service, newId())
          await until('a write waits', async () => (await pids(client, WAITING)).length === 1)
          proxy.blackhole()
          droppedAt = performance.now()
          await release()
          checkUnavailable(await writing)
          checkInTime('the write', performance.now() - droppedAt)
        },
      })
      await until('the network drops packets', async () => droppedAt > 0)
      const loops = REQUEST_KINDS.map((kind) => sendRepeatedly(service, kind, DEADLINE_MS))
      const broken = await streaming
      assert.equal(broken.status, 200)
      assert.ok(!broken.isComplete, 'an incomplete response seemed complete')
      checkInTime('the stream', performance.now() - droppedAt)

      await Promise.all(loops.map(({ reaches }) => reaches('unavailable', DEADLINE_MS)))
      proxy.pass()
      await Promise.all(loops.map(({ reaches }) => reaches('started', RECOVERY_MS)))
      for (const { stop } of [...loops, live]) await stop()
      assert.equal(live.tally.unavailable, 0)
      await checkServesAll(service)
    })

    test('and idle connections are dead afterwards, everything works again after a few 503 responses', async (t) => {
      const { service, proxy } = await serveThroughProxy(t, ...limits)
      const warmUps = [
        reads(FULL_SCENARIOS),
        reads(EVALUATIONS),
        (service: ServiceProcess) => write(service, newId()),
      ]
      await Promise.all(warmUps.flatMap((send) => Array.from({ length: 4 }, () => send(service))))
      assert.ok(proxy.connections() >= 5, `${proxy.connections()} connections`)
      proxy.blackhole()
      proxy.pass()
      const loops = REQUEST_KINDS.map((kind) => sendRepeatedly(service, kind, DEADLINE_MS))
      await Promise.all(loops.map(({ reaches }) => reaches('started', RECOVERY_MS)))
      for (const { stop } of loops) await stop()
      await checkServesAll(service)
    })
  })

  test('requests that wait for a lock get 503 in time, and their connections are reused', async (t) => {
    const client = await openSession(t)
    const service = await serve('--statement-timeout', '500ms', '--pool-size', '3', '--write-pool-size', '1')
    const release = await lock(t, 'scenario')
    const pending = Promise.all([read(service), read(service, `${LARGE}?limit=5`), write(service, newId())])
    await until('three backends wait', async () => (await pids(client, WAITING)).length === 3)
    const before = await pids(client)
    for (const result of await pending) {
      checkUnavailable(result)
      assert.ok(result.ms > 400 && result.ms < 1500, `${Math.round(result.ms)} ms`)
    }
    await release()
    await checkServesAll(service)
    assert.deepEqual(await pids(client), before)
  })
})
