// What clients see when PostgreSQL, or the way to it, fails under the service: connections that are cut, backends
// that are ended in the middle of something, a server that is stopped, a network that swallows everything, locks.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type ServiceProcess, startService } from '../../bench/service.ts'
import { openAt } from '../../bench/store.ts'
import { addHeavyEvaluation, fillCorpus, scenario } from '../corpus.ts'
import { ENGINE, freshFolder, mint, NOTHING_KEPT, spawnServer } from '../harness.ts'
import { freshDatabase, startCluster } from '../postgres/cluster.ts'
import { startProxy, type TcpProxy } from '../postgres/tcp-proxy.ts'
import { checkProblem } from '../wire.ts'
import { EVALUATIONS, FULL, JSON_TYPE, scenariosOf } from '../writes.ts'

const skip = ENGINE === 'sqlite' && 'runs with the tests on PostgreSQL'

/** About 24 MB, which compression makes hardly smaller: more than the buffers of a socket take. */
const LARGE_COUNT = 1500
const LARGE_BYTES = 12_000
const LARGE = scenariosOf('large')

/** An attempt that takes longer has failed, whatever it would still become. */
const HANGS_MS = 20_000
/** How soon everything works again once the server does. */
const RECOVERY_MS = 5000

interface Attempt {
  /** Undefined where no head came. */
  status: number | undefined
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** Whether the client takes what it got for all of it. */
  isWhole: boolean
  ms: number
}

interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Awaited when the first bytes are there, while no more are taken. */
  begun?: (status: number) => unknown
}

/** One request on a connection of its own, to whatever end it comes. */
async function attempt(base: string, path: string, asked: Asked): Promise<Attempt> {
  const start = performance.now()
  const { method = 'GET', headers = {}, body, begun } = asked
  const sent = request(base + path, { method, headers, agent: false })
  const signal = AbortSignal.timeout(HANGS_MS)
  signal.addEventListener('abort', () => sent.destroy())
  // Told to who waits for the response, or reads it.
  sent.on('error', () => undefined)
  sent.end(body)
  const response = await once(sent, 'response').then(
    ([response]) => response as IncomingMessage,
    () => undefined,
  )
  const chunks: Buffer[] = []
  const isWhole = await taken(response, chunks, begun)
  assert.ok(!signal.aborted, `${method} ${path} was not answered within ${HANGS_MS} ms`)
  return {
    status: response?.statusCode,
    headers: response?.headers ?? {},
    bytes: Buffer.concat(chunks),
    isWhole,
    ms: performance.now() - start,
  }
}

/** Takes everything there is; whether that seemed to be all. */
async function taken(
  response: IncomingMessage | undefined,
  chunks: Buffer[],
  begun: Asked['begun'],
): Promise<boolean> {
  if (!response) return false
  const rest = response[Symbol.asyncIterator]()
  const next = () => rest.next().catch(() => 'broken' as const)
  for (let chunk = await next(); ; chunk = await next()) {
    if (chunk === 'broken') return false
    if (chunk.done) return true
    chunks.push(chunk.value)
    if (chunks.length === 1) await begun?.(response.statusCode ?? 0)
  }
}

/** The one refusal there is when the store is not to be had. */
function checkUnavailable({ status = 0, headers, bytes, isWhole }: Attempt): void {
  assert.ok(isWhole, `no answer, or half of one: ${status} ${bytes.subarray(0, 200)}`)
  checkProblem({ status, headers, bytes, text: bytes.toString() }, 503, 'unavailable')
  assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/)
}

function checkDone({ status, bytes, isWhole }: Attempt, success: number): void {
  assert.equal(status, success, bytes.subarray(0, 500).toString())
  assert.ok(isWhole)
}

/** What a look finds, as soon as it finds something. */
async function until<Found>(
  what: string,
  look: () => Promise<Found | false | undefined>,
  limitMs = 10_000,
): Promise<Found> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const found = await look()
    if (found) return found
    assert.ok(performance.now() < deadline, `not within ${limitMs} ms: ${what}`)
    await delay(10)
  }
}

const run = promisify(execFile)
const curlExists = await run('curl', ['--version']).then(
  () => true,
  () => false,
)

describe('a store in PostgreSQL', { skip }, async () => {
  const cluster = await startCluster()
  after(() => cluster.remove())
  const url = await freshDatabase(cluster.url())
  const store = await openAt(url)
  await fillCorpus(store)
  await addHeavyEvaluation(store, 'large', LARGE_COUNT, LARGE_BYTES)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  await store.close()
  const authorization = { authorization: key }

  /** A connection of the test's own. */
  async function session(t: TestContext): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    await client.connect()
    t.after(() => client.end())
    return client
  }

  const OURS = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'assay'`

  async function pids(client: pg.Client, where = ''): Promise<number[]> {
    const { rows } = await client.query(`SELECT pid ${OURS} ${where} ORDER BY pid`)
    return rows.map(({ pid }) => pid)
  }

  /** Ends backends of the service; returns how many there were. */
  async function terminate(client: pg.Client, where = ''): Promise<number> {
    const { rows } = await client.query(`SELECT pg_terminate_backend(pid) AS done ${OURS} ${where}`)
    return rows.filter(({ done }) => done).length
  }

  const WAITING = `AND wait_event_type = 'Lock'`

  /** Keeps everybody from a table until it is released. */
  async function lock(t: TestContext, table: string): Promise<() => Promise<unknown>> {
    const client = await session(t)
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    return () => client.query('ROLLBACK')
  }

  async function serve(...flags: string[]): Promise<ServiceProcess> {
    return spawnServer(['--data', freshFolder(), '--database', url, ...flags])
  }

  async function serveThroughProxy(
    t: TestContext,
    ...flags: string[]
  ): Promise<{ service: ServiceProcess; proxy: TcpProxy }> {
    const proxy = await startProxy({ host: '127.0.0.1', port: cluster.port })
    t.after(() => proxy.close())
    const service = await spawnServer(['--data', freshFolder(), '--database', proxy.url(url), ...flags])
    return { service, proxy }
  }

  const read = ({ base }: ServiceProcess, path = FULL, asked: Asked = {}) =>
    attempt(base, path, { ...asked, headers: { ...authorization, ...asked.headers } })

  /** Sends scenarios to an evaluation, as one request that may be repeated. */
  const write = ({ base }: ServiceProcess, id: string, count = 3, begun?: Asked['begun']) =>
    attempt(base, scenariosOf(id), {
      method: 'POST',
      headers: { ...authorization, 'content-type': JSON_TYPE, 'idempotency-key': id },
      ...(begun && { begun }),
      body: JSON.stringify(Array.from({ length: count }, (_, position) => scenario(id, position))),
    })

  let evaluations = 0
  function freshId(): string {
    evaluations += 1
    return `written-${evaluations}`
  }

  /** How many scenarios an evaluation has, as the service says; undefined where there is no such evaluation. */
  async function countOf(service: ServiceProcess, id: string): Promise<number | undefined> {
    const { status, bytes } = await read(service, scenariosOf(id))
    if (status === 404) return undefined
    assert.equal(status, 200)
    return JSON.parse(bytes.toString()).length
  }

  /** Every kind of request is served, by the same process as ever. */
  async function checkServes(service: ServiceProcess): Promise<void> {
    assert.equal(service.child.exitCode, null, service.stderr())
    for (const path of ['/livez', '/readyz', EVALUATIONS, FULL, `${LARGE}?limit=5`]) {
      checkDone(await read(service, path), 200)
    }
    const id = freshId()
    checkDone(await write(service, id), 201)
    assert.equal(await countOf(service, id), 3)
  }

  describe('whose idle connections are cut', () => {
    const ways: [name: string, cut: (proxy: TcpProxy, client: pg.Client) => Promise<unknown>][] = [
      ['by the network', async (proxy) => proxy.cut()],
      ['by the server', (_, client) => terminate(client)],
    ]
    for (const [name, cut] of ways) {
      test(`${name}: no request fails for it`, async (t) => {
        const client = await session(t)
        const { service, proxy } = await serveThroughProxy(t)
        const reads = () => Promise.all(Array.from({ length: 10 }, () => read(service)))
        const writes = () => Promise.all(Array.from({ length: 4 }, () => write(service, freshId())))
        await Promise.all([reads(), writes()])
        for (let round = 0; round < 5; round += 1) {
          const before = await pids(client, `AND state = 'idle'`)
          assert.ok(before.length >= 5, 'there are connections to cut')
          await cut(proxy, client)
          for (const tried of await reads()) checkDone(tried, 200)
          await until('the backends are gone', async () => {
            const left = await pids(client)
            return !before.some((pid) => left.includes(pid))
          })
          for (const tried of await writes()) checkDone(tried, 201)
        }
        await checkServes(service)
      })
    }
  })

  describe('that ends a backend', () => {
    let service: ServiceProcess
    before(async () => {
      service = await startService(['--data', freshFolder(), '--database', url, ...NOTHING_KEPT])
    })
    after(() => service.child.kill('SIGKILL'))

    for (const [when, table] of [
      ['while the key is looked up', 'api_key'],
      ['while scenarios are read', 'scenario'],
    ] as const) {
      test(`${when}: the read is refused until later`, async (t) => {
        const client = await session(t)
        const release = await lock(t, table)
        // Where it was ended at once the connection is taken for a stale one, and the read is tried once more.
        checkUnavailable(await endedWhileWaiting(client, read(service)))
        await release()
        await checkServes(service)
      })
    }

    test('in the middle of an answer: every client notices', async (t) => {
      const client = await session(t)
      for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
        for (const format of ['json', 'ndjson', 'csv']) {
          const tried = await read(service, `${LARGE}?format=${format}`, {
            headers: { 'accept-encoding': coding },
            begun: () => endRead(client),
          })
          assert.equal(tried.status, 200)
          assert.ok(!tried.isWhole, `${coding} ${format}: ${tried.bytes.length} bytes seemed to be all`)
        }
        const { head, error } = await rawRead(service, coding, () => endRead(client))
        assert.match(head, /^HTTP\/1\.1 200 /)
        assert.equal(error, 'ECONNRESET', `HTTP/1.0, ${coding}`)
      }
      await checkServes(service)
    })

    test('in the middle of a download by curl: it says so', {
      skip: !curlExists && 'curl is not installed',
    }, async (t) => {
      const client = await session(t)
      for (const version of ['--http1.1', '--http1.0']) {
        for (const coding of ['identity', 'gzip']) {
          const fields = [`Authorization: ${key}`, `Accept-Encoding: ${coding}`]
          const args = [
            '-s',
            '--max-time',
            '20',
            version,
            ...fields.flatMap((field) => ['-H', field]),
            service.base + LARGE,
          ]
          const curl = spawn('curl', args, { stdio: ['ignore', 'pipe', 'ignore'] })
          const exit = once(curl, 'exit')
          // What it cannot print it does not take.
          await once(curl.stdout, 'readable')
          await endRead(client)
          curl.stdout.resume()
          assert.notEqual((await exit)[0], 0, `${version} ${coding}`)
        }
      }
      await checkServes(service)
    })

    for (const table of ['api_key', 'evaluation', 'scenario', 'evaluation_column', 'search', 'idempotency']) {
      test(`while a write waits for the table ${table}: it is refused, and nothing of it is stored`, async (t) => {
        const client = await session(t)
        const release = await lock(t, table)
        const id = freshId()
        checkUnavailable(await endedWhileWaiting(client, write(service, id, 300)))
        await release()
        assert.equal(await countOf(service, id), undefined)
        await checkRepeats(service, id, 300)
        await checkServes(service)
      })
    }

    test('before it has committed: the write is refused, and nothing of it is stored', async (t) => {
      const client = await session(t)
      await client.query(`
        CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON evaluation
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_at_commit();
        SELECT pg_advisory_lock(1)`)
      const id = freshId()
      const writing = write(service, id)
      await until('COMMIT', async () => (await pids(client, `${WAITING} AND query = 'COMMIT'`)).length === 1)
      await terminate(client, WAITING)
      checkUnavailable(await writing)
      await client.query('DROP FUNCTION wait_at_commit CASCADE; SELECT pg_advisory_unlock(1)')
      assert.equal(await countOf(service, id), undefined)
      await checkRepeats(service, id)
      await checkServes(service)
    })

    test('after it has committed: all of it is stored, and a repeat stores nothing twice', async (t) => {
      const client = await session(t)
      // A commit is in the log, and waits for a replica that never comes.
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`)
      await client.query('SELECT pg_reload_conf()')
      const id = freshId()
      const writing = write(service, id)
      const atCommit = `AND wait_event = 'SyncRep' AND query = 'COMMIT'`
      await until('COMMIT', async () => (await pids(client, atCommit)).length === 1)
      await terminate(client, atCommit)
      checkUnavailable(await writing)
      await client.query('ALTER SYSTEM RESET synchronous_standby_names')
      await client.query('SELECT pg_reload_conf()')
      assert.equal(await countOf(service, id), 3)
      await checkRepeats(service, id)
      await checkServes(service)
    })

    /** Ends the backends that wait for a lock, until what they are asked for is answered. */
    async function endedWhileWaiting(client: pg.Client, asked: Promise<Attempt>): Promise<Attempt> {
      let isAnswered = false
      void asked.finally(() => {
        isAnswered = true
      })
      let ended = 0
      await until('an answer', async () => {
        ended += await terminate(client, `${WAITING} AND backend_type = 'client backend'`)
        return isAnswered
      })
      assert.ok(ended > 0, 'none waited')
      return asked
    }

    /** Ends the backend of the answer that is under way. */
    async function endRead(client: pg.Client): Promise<void> {
      assert.ok((await terminate(client, 'AND xact_start IS NOT NULL')) > 0, 'it is not being read any more')
    }

    /** The same request again is answered as if it were the first, and what it sends is there once. */
    async function checkRepeats(service: ServiceProcess, id: string, count = 3): Promise<void> {
      const again = await write(service, id, count)
      checkDone(again, 201)
      assert.deepEqual(JSON.parse(again.bytes.toString()), { accepted: count, unchanged: 0 })
      assert.equal(await countOf(service, id), count)
    }
  })

  /** By HTTP/1.0, whose answers end with the connection. */
  async function rawRead({ base }: ServiceProcess, coding: string, begun: () => Promise<void>) {
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    const error = new Promise<string | undefined>((resolve) => {
      socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
      socket.on('end', () => resolve(undefined))
    })
    socket.write(`GET ${LARGE} HTTP/1.0\r\nAuthorization: ${key}\r\nAccept-Encoding: ${coding}\r\n\r\n`)
    await once(socket, 'readable')
    const head = String(socket.read()).slice(0, 100)
    await begun()
    socket.resume()
    return { head, error: await error }
  }

  interface Kind {
    name: string
    success: number
    ask(service: ServiceProcess, begun?: Asked['begun']): Promise<Attempt>
  }

  const reads = (path: string) => (service: ServiceProcess, begun?: Asked['begun']) =>
    read(service, path, begun && { begun })

  /** What is asked again and again while something is wrong. */
  const KINDS: Kind[] = [
    { name: 'readyz', success: 200, ask: reads('/readyz') },
    { name: 'read', success: 200, ask: reads(FULL) },
    { name: 'page', success: 200, ask: reads(`${LARGE}?limit=5`) },
    { name: 'list', success: 200, ask: reads(EVALUATIONS) },
    { name: 'whole', success: 200, ask: reads(LARGE) },
    { name: 'write', success: 201, ask: (service, begun) => write(service, freshId(), 3, begun) },
  ]

  const LIVE: Kind = { name: 'livez', success: 200, ask: reads('/livez') }

  /** Asks one kind after the other's answer until it is stopped; each answer is checked. */
  function keepAsking(service: ServiceProcess, { name, success, ask }: Kind, limitMs = HANGS_MS) {
    /** Served is what has begun to be. */
    const tally = { served: 0, done: 0, refused: 0, reset: 0 }
    const begun = (status: number) => {
      if (status === success) tally.served += 1
    }
    let isStopped = false
    let slowest = 0
    async function loop(): Promise<void> {
      while (!isStopped) {
        const tried = await ask(service, begun)
        if (tried.status === success && tried.isWhole) tally.done += 1
        else if (tried.status === success && name === 'whole') tally.reset += 1
        else {
          checkUnavailable(tried)
          tally.refused += 1
          slowest = Math.max(slowest, tried.ms)
        }
        // Others want to be served too.
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
        assert.ok(slowest < limitMs, `${name}: one was refused after ${Math.round(slowest)} ms`)
      },
      /** Fails as soon as an answer was wrong. */
      reaches: (what: 'served' | 'refused', withinMs: number) => {
        const before = tally[what]
        const reached = until(`${name} is ${what}`, async () => tally[what] > before, withinMs)
        return Promise.race([reached, looping])
      },
    }
  }

  for (const how of ['fast', 'immediate'] as const) {
    test(`whose server is stopped (${how}) and started again: 200 or 503 meanwhile, and soon 200 again`, async (t) => {
      const service = await serve()
      const live = keepAsking(service, LIVE)
      const asking = KINDS.map((kind) => keepAsking(service, kind))
      await Promise.all(asking.map(({ reaches }) => reaches('served', 10_000)))
      const broken = await read(service, LARGE, { begun: () => cluster.stop(how) })
      assert.equal(broken.status, 200)
      assert.ok(!broken.isWhole, 'an answer whose server was stopped half way seemed to be whole')
      await Promise.all(asking.map(({ reaches }) => reaches('refused', RECOVERY_MS)))
      await cluster.start()
      await Promise.all(asking.map(({ reaches }) => reaches('served', RECOVERY_MS)))
      for (const { stop } of [...asking, live]) await stop()
      for (const { name, tally } of asking) t.diagnostic(`${name}: ${JSON.stringify(tally)}`)
      assert.equal(live.tally.refused, 0)
      await checkServes(service)
    })
  }

  describe('whose network swallows everything', () => {
    const WAIT_MS = 1000
    const limits = ['--pool-timeout', `${WAIT_MS}ms`, '--statement-timeout', `${WAIT_MS}ms`]
    /** For a connection, for a statement, and then some. */
    const DEADLINE_MS = 2 * WAIT_MS + 1500

    function checkInTime(name: string, ms: number): void {
      assert.ok(ms < DEADLINE_MS, `${name} took ${Math.round(ms)} ms`)
    }

    test('in the middle of requests: each is refused or reset in time, as are those that come then', async (t) => {
      const client = await session(t)
      const { service, proxy } = await serveThroughProxy(t, ...limits)
      await checkServes(service)
      const live = keepAsking(service, LIVE, 1000)

      let sunk = 0
      const streaming = read(service, LARGE, {
        async begun() {
          const release = await lock(t, 'search')
          const writing = write(service, freshId())
          await until('a write waits', async () => (await pids(client, WAITING)).length === 1)
          proxy.hole()
          sunk = performance.now()
          await release()
          checkUnavailable(await writing)
          checkInTime('the write', performance.now() - sunk)
        },
      })
      await until('the hole', async () => sunk > 0)
      const asking = KINDS.map((kind) => keepAsking(service, kind, DEADLINE_MS))
      const broken = await streaming
      assert.equal(broken.status, 200)
      assert.ok(!broken.isWhole, 'an answer that went down half way seemed to be whole')
      checkInTime('the stream', performance.now() - sunk)

      await Promise.all(asking.map(({ reaches }) => reaches('refused', DEADLINE_MS)))
      proxy.pass()
      await Promise.all(asking.map(({ reaches }) => reaches('served', RECOVERY_MS)))
      for (const { stop } of [...asking, live]) await stop()
      assert.equal(live.tally.refused, 0)
      await checkServes(service)
    })

    test('and has forgotten what was idle: after a few refusals everything is served', async (t) => {
      const { service, proxy } = await serveThroughProxy(t, ...limits)
      const warm = [reads(FULL), reads(EVALUATIONS), (service: ServiceProcess) => write(service, freshId())]
      await Promise.all(warm.flatMap((ask) => Array.from({ length: 4 }, () => ask(service))))
      assert.ok(proxy.connections() >= 5, `${proxy.connections()} connections`)
      proxy.hole()
      proxy.pass()
      const asking = KINDS.map((kind) => keepAsking(service, kind, DEADLINE_MS))
      await Promise.all(asking.map(({ reaches }) => reaches('served', RECOVERY_MS)))
      for (const { stop } of asking) await stop()
      await checkServes(service)
    })
  })

  test('where requests wait for a lock: each is refused in time, and its connection is used again', async (t) => {
    const client = await session(t)
    const service = await serve('--statement-timeout', '500ms', '--pool-size', '3', '--write-pool-size', '1')
    const release = await lock(t, 'scenario')
    const asking = Promise.all([read(service), read(service, `${LARGE}?limit=5`), write(service, freshId())])
    await until('three wait', async () => (await pids(client, WAITING)).length === 3)
    const before = await pids(client)
    for (const tried of await asking) {
      checkUnavailable(tried)
      assert.ok(tried.ms > 400 && tried.ms < 1500, `${Math.round(tried.ms)} ms`)
    }
    await release()
    await checkServes(service)
    assert.deepEqual(await pids(client), before)
  })
})
