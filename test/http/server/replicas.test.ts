// Tests the service with a PostgreSQL primary and a streaming replica: where reads go, read-your-writes consistency,
// and behavior when a server is down or the replica cancels a query. The statement logs show which server was used.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { addLargeEvaluation } from '../../../bench/data.ts'
import type { ServiceProcess } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { type Cluster, freshDatabase, query, startCluster } from '../../postgres/cluster.ts'
import { pauseReplay, resumeReplay, startReplica } from '../../postgres/replica.ts'
import { startProxy } from '../../postgres/tcp-proxy.ts'
import { sizes } from '../../sizes.ts'
import { fillCorpus } from '../../support/corpus.ts'
import {
  createTempFolder,
  createTestKey,
  NO_CACHE_FLAGS,
  runAssay,
  spawnServer,
} from '../../support/harness.ts'
import { checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { fullOnly, POSTGRES_ONLY } from '../../support/options.ts'
import {
  EVALUATIONS,
  FULL_REVISIONS,
  FULL_SCENARIOS,
  OPERATIONS,
  revisionBody,
  revisionsPath,
  scenariosPath,
  VARIANTS,
} from '../../support/write-requests.ts'

const options = { skip: POSTGRES_ONLY }

interface Pair {
  primary: Cluster
  replica: Cluster
}

async function startPair(...settings: string[]): Promise<Pair> {
  // Disables background writes, so that the replica is up to date until a test writes.
  const quiet = ['autovacuum=off', 'log_statement=all', 'log_parameter_max_length=0']
  const flags = [...quiet, ...settings].flatMap((setting) => ['-c', setting])
  const primary = await startCluster({ flags })
  return { primary, replica: await startReplica(primary) }
}

/** Shared by the tests that leave both servers running. */
const shared = options.skip ? undefined : await startPair()

function sharedPair(): Pair {
  assert.ok(shared)
  return shared
}

interface TestDatabase {
  /** The URLs of one database on the primary and on the replica. */
  database: string
  replica: string
  key: string
}

/** Creates a database with the corpus and with evaluations that are too large to be buffered before sending. */
async function createDatabase(pair: Pair, ...counts: number[]): Promise<TestDatabase> {
  const database = await freshDatabase(pair.primary.url())
  const store = await openStoreAt(database)
  await fillCorpus(store)
  for (const count of counts.length === 0 ? [500] : counts) await addLargeEvaluation(store, count)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  await waitForReplica(pair)
  return { database, replica: pair.replica.url(new URL(database).pathname.slice(1)), key }
}

/** Waits until the replica has replayed everything that is committed now. */
async function waitForReplica({ primary, replica }: Pair): Promise<void> {
  const [row] = await query(primary.url(), 'SELECT pg_current_wal_flush_lsn()::text AS lsn')
  const statement = `SELECT pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn AS is_current`
  await eventually(
    'the replica catches up',
    async () => (await query(replica.url(), statement))[0]?.is_current,
  )
}

async function eventually(
  description: string,
  check: () => Promise<unknown>,
  limitMs = 30_000,
): Promise<void> {
  assert.ok(await within(limitMs, check), `${description} within ${limitMs} ms`)
}

/** Returns whether the check becomes true within the limit. */
async function within(limitMs: number, check: () => Promise<unknown>): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; !(await check()); await delay(25)) {
    if (Date.now() > deadline) return false
  }
  return true
}

function startWithReplica({ database, replica }: TestDatabase, ...more: string[]): Promise<ServiceProcess> {
  const flags = ['--data', createTempFolder(), '--database', database, '--replica', replica]
  return spawnServer([...flags, ...NO_CACHE_FLAGS, '--log-level', 'warn', ...more])
}

/** Counts the read and write transactions that a server starts from now on. */
function watchLog({ folder }: Cluster): { reads(): number; writes(): number; log(): string } {
  const file = join(folder, 'log')
  const start = statSync(file).size
  const log = () => readFileSync(file).subarray(start).toString()
  const count = (pattern: RegExp) => log().match(pattern)?.length ?? 0
  return {
    reads: () => count(/statement: BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY/g),
    writes: () => count(/statement: BEGIN [A-Z ]*READ WRITE/g),
    log,
  }
}

interface ReceivedResponse {
  /** 0 if no response arrived. */
  status: number
  headers: IncomingHttpHeaders
  text: string
  isComplete: boolean
}

interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
  agent?: Agent
  /** Awaited between the headers of the response and its body. */
  onHeaders?(): Promise<void>
}

/** Sends a request and returns what arrives of the response, also if it is incomplete. */
function receive(
  url: string,
  { method = 'GET', headers = {}, body, agent, onHeaders }: RequestOptions,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let hasHeaders = false
    const outgoing = request(url, { method, headers, agent: agent ?? false })
    // After the headers, the close event of the response reports the failure.
    outgoing.on('error', () => hasHeaders || resolve({ status: 0, headers: {}, text: '', isComplete: false }))
    outgoing.on('response', async (response) => {
      hasHeaders = true
      const { statusCode: status = 0, headers } = response
      response.on('error', () => undefined)
      response.on('close', () => {
        const text = Buffer.concat(parts).toString()
        resolve({ status, headers, text, isComplete: response.complete })
      })
      await onHeaders?.().catch(reject)
      response.on('data', (part) => parts.push(part))
    })
    outgoing.end(body)
  })
}

/** A client with one keep-alive connection. */
function openConnection(base: string, authorization: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  after(() => agent.destroy())
  return (path: string, { headers, ...options }: RequestOptions = {}) =>
    receive(`${base}${path}`, { ...options, agent, headers: { authorization, ...headers } })
}

function createEvaluation(
  { base }: ServiceProcess,
  authorization: string,
  id: string,
): Promise<HttpResponse> {
  const headers = { authorization, 'content-type': 'application/json' }
  return sendRequest(base, EVALUATIONS, headers, 'POST', JSON.stringify({ id }))
}

/** A key that was never issued. Its checksum is correct, so the service looks it up. */
const UNKNOWN_KEY = 'assay_000000000000_000000000000000000000000000000'

const READS = [FULL_SCENARIOS, FULL_REVISIONS, EVALUATIONS, VARIANTS]

/** Reads the paths and returns the response texts by path. */
async function readTexts({ base }: ServiceProcess, key: string, paths = READS): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const path of paths) {
    const { status, text } = await sendRequest(base, path, { authorization: key })
    assert.equal(status, 200, text)
    texts.set(path, text)
  }
  return texts
}

/** Reads repeatedly until it is stopped, and asserts that every response is the expected one. */
function keepReading({ base }: ServiceProcess, authorization: string, expected: Map<string, string>) {
  let isOver = false
  let [count, longestMs] = [0, 0]
  after(() => {
    isOver = true
  })
  async function read(): Promise<void> {
    const send = openConnection(base, authorization)
    while (!isOver) {
      for (const [path, text] of expected) {
        const start = performance.now()
        const response = await send(path)
        longestMs = Math.max(longestMs, performance.now() - start)
        assert.equal(response.status, 200, `${path}: ${response.text}`)
        assert.equal(response.text, text, path)
        count += 1
        // Leaves CPU time to the servers that stop and start.
        await delay(20)
      }
    }
  }
  const done = Promise.all([read(), read()])
  let failure: unknown
  done.catch((error) => {
    failure = error
  })
  function currentCount(): number {
    if (failure) throw failure
    return count
  }
  async function stop(): Promise<string> {
    isOver = true
    await done
    return `${count} reads, the longest took ${Math.round(longestMs)} ms`
  }
  return { count: currentCount, longestMs: () => longestMs, stop }
}

/** Reads until the given server receives a read. */
async function waitForReadsOn(
  cluster: Cluster,
  { base }: ServiceProcess,
  authorization: string,
): Promise<void> {
  const log = watchLog(cluster)
  await eventually(`the server on port ${cluster.port} receives reads`, async () => {
    assert.equal((await sendRequest(base, FULL_SCENARIOS, { authorization })).status, 200)
    return log.reads() > 0
  })
}

/** Waits until all reads go to the replica. It can lag for a short time because of background writes of the primary. */
async function waitForReplicaReads(
  { primary, replica }: Pair,
  count: number,
  read: () => Promise<unknown>,
): Promise<void> {
  await eventually(`the replica receives ${count} reads and the primary none`, async () => {
    const [onPrimary, onReplica] = [watchLog(primary), watchLog(replica)]
    await read()
    return onPrimary.reads() === 0 && onReplica.reads() === count
  })
}

test('reads go to the replica and writes to the primary', options, async () => {
  const pair = sharedPair()
  const database = await createDatabase(pair)
  const service = await startWithReplica(database)
  await waitForReplicaReads(pair, READS.length, () => readTexts(service, database.key))
  const [onPrimary, onReplica] = [watchLog(pair.primary), watchLog(pair.replica)]
  const others = [`${FULL_SCENARIOS}?format=csv`, `${FULL_SCENARIOS}?limit=3`, scenariosPath('eval-500')]
  // The large evaluation needs two transactions: one to look it up, one to stream it.
  await waitForReplicaReads(pair, 4, () => readTexts(service, database.key, others))
  assert.match(onReplica.log(), /COPY \(SELECT element FROM/)
  assert.deepEqual([onPrimary.writes(), onReplica.writes()], [0, 0])

  const written = await createEvaluation(service, database.key, 'fresh')
  assert.equal(written.status, 201, written.text)
  assert.deepEqual([onPrimary.writes(), onReplica.writes()], [1, 0])
})

const ROUNDS = sizes.replica_rounds

/** Performs one write per round and returns what the next read must contain. */
class WriteRounds {
  readonly #write: ReturnType<typeof openConnection>
  readonly #revisions: string[] = []
  #scenarios: string[] = []
  #round = 0

  constructor(write: ReturnType<typeof openConnection>) {
    this.#write = write
  }

  /** Performs the next write. Returns the path to read and the expected text, undefined for 404. */
  async next(): Promise<{ path: string; text: string | undefined }> {
    const kind = this.#round % 4
    const id = `s-${this.#round - kind}`
    this.#round += 1
    if (kind === 2) {
      const { text } = await this.#send(201, revisionsPath('v'), 'POST', revisionBody())
      this.#revisions.push(text)
      return { path: revisionsPath('v'), text: `[${this.#revisions.join(',')}]` }
    }
    const path = scenariosPath('e')
    if (kind === 3) {
      await this.#send(204, `${EVALUATIONS}/e`, 'DELETE')
      this.#scenarios = []
      return { path, text: undefined }
    }
    if (kind === 0) {
      await this.#send(201, path, 'POST', `[{"id":"first"},{"id":"${id}"}]`)
      this.#scenarios = ['first', id].map(
        (id) =>
          `{"id":"${id}","evaluation_id":"e","inputs":[],"outputs":[],"correct_answers":null,"is_pinned":null,"note":null,"results":[]}`,
      )
    } else {
      const { text } = await this.#send(200, `${path}/${id}`, 'PATCH', `{"note":"in round ${this.#round}"}`)
      this.#scenarios[1] = text
    }
    return { path, text: `[${this.#scenarios.join(',')}]` }
  }

  async #send(status: number, path: string, method: string, body?: string): Promise<ReceivedResponse> {
    const headers = { 'content-type': 'application/json' }
    const response = await this.#write(path, { method, ...(body && { body, headers }) })
    assert.equal(response.status, status, `${method} ${path}: ${response.text}`)
    return response
  }
}

/** A client that reads after every write and sends the ETag of its last read. */
class ConditionalReader {
  readonly #read: ReturnType<typeof openConnection>
  readonly #etags = new Map<string, string>()

  constructor(read: ReturnType<typeof openConnection>) {
    this.#read = read
  }

  async expect(path: string, text: string | undefined, when: string): Promise<string | undefined> {
    const previousEtag = this.#etags.get(path)
    const response = await this.#read(path, {
      headers: previousEtag ? { 'if-none-match': previousEtag } : {},
    })
    assert.equal(response.status, text === undefined ? 404 : 200, `${when}: ${path} ${response.text}`)
    if (text === undefined) return undefined
    assert.equal(response.text, text, when)
    const { etag } = response.headers
    assert.ok(etag && etag !== previousEtag, `${when}: the content has changed but the ETag has not`)
    this.#etags.set(path, etag)
    return etag
  }
}

test('a client reads its own writes on every connection and every instance', options, async (t) => {
  const pair = sharedPair()
  const database = await createDatabase(pair)
  const [one, two] = await Promise.all([startWithReplica(database), startWithReplica(database)])
  const rounds = new WriteRounds(openConnection(one.base, database.key))
  const readers = [one, two].map(({ base }) => new ConditionalReader(openConnection(base, database.key)))
  const list = openConnection(two.base, database.key)

  async function writeAndRead(when: string): Promise<void> {
    const { path, text } = await rounds.next()
    const [etag, otherEtag] = await Promise.all(readers.map((reader) => reader.expect(path, text, when)))
    assert.equal(etag, otherEtag, 'both instances return the same ETag')
    if (path !== scenariosPath('e')) return
    const evaluations = JSON.parse((await list(EVALUATIONS)).text) as {
      id: string
      scenario_count: number
    }[]
    const count = evaluations.find(({ id }) => id === 'e')?.scenario_count
    assert.equal(count, text === undefined ? undefined : 2, `${when}: the list`)
  }

  await t.test(`${ROUNDS} times while the replica is replaying`, async (t) => {
    const [onPrimary, onReplica] = [watchLog(pair.primary), watchLog(pair.replica)]
    for (let round = 0; round < ROUNDS; round += 1) await writeAndRead(`round ${round}`)
    t.diagnostic(`read from the replica: ${onReplica.reads()}, from the primary: ${onPrimary.reads()}`)
    assert.ok(onReplica.reads() > 0, 'the replica received no reads')
  })

  await t.test('from the primary while replay on the replica is paused', async (t) => {
    await pauseReplay(pair.replica)
    t.after(() => resumeReplay(pair.replica))
    const [onPrimary, onReplica] = [watchLog(pair.primary), watchLog(pair.replica)]
    const start = performance.now()
    for (let round = 0; round < 8; round += 1) await writeAndRead(`paused, round ${round}`)
    t.diagnostic(`8 rounds took ${Math.round(performance.now() - start)} ms`)
    assert.equal(onReplica.reads(), 0)
    assert.ok(onPrimary.reads() >= 16)
  })

  await t.test('from the replica again after replay is resumed', async () => {
    for (const service of [one, two]) await waitForReadsOn(pair.replica, service, database.key)
    for (let round = 0; round < 8; round += 1) await writeAndRead(`resumed, round ${round}`)
  })
})

test('every instance rejects a revoked key from the next request on', options, async (t) => {
  const pair = sharedPair()
  const database = await createDatabase(pair)
  const primaryFlags = ['--data', createTempFolder(), '--database', database.database]
  const services = await Promise.all([
    startWithReplica(database),
    startWithReplica(database),
    spawnServer(primaryFlags),
  ])

  /** Creates a key and a client per instance. All instances have accepted the key. */
  async function createAcceptedKey() {
    const created = await runAssay(['keys', 'create', '--json', ...primaryFlags])
    const { key, public_id } = JSON.parse(created.stdout) as { key: string; public_id: string }
    const clients = services.map(({ base }) => openConnection(base, key))
    for (const client of clients) assert.equal((await client(FULL_SCENARIOS)).status, 200)
    return { public_id, clients }
  }

  async function revoke({
    public_id,
    clients,
  }: Awaited<ReturnType<typeof createAcceptedKey>>): Promise<void> {
    const result = await runAssay(['keys', 'revoke', public_id, ...primaryFlags])
    assert.equal(result.code, 0, result.stderr)
    for (const client of clients) for (const path of READS) assert.equal((await client(path)).status, 401)
  }

  await t.test('while the replica is replaying', async () => revoke(await createAcceptedKey()))
  await t.test('while replay is paused and the replica still has the key', async (t) => {
    const key = await createAcceptedKey()
    await waitForReplica(pair)
    await pauseReplay(pair.replica)
    t.after(() => resumeReplay(pair.replica))
    await revoke(key)
  })
})

test('reads go to the primary while the replica is unavailable', {
  skip: POSTGRES_ONLY || fullOnly('waits for failure timeouts of the replica'),
}, async (t) => {
  const pair = sharedPair()
  const database = await createDatabase(pair)
  const large = scenariosPath('eval-500')

  await t.test('when the replica is stopped and started', async (t) => {
    t.after(() => pair.replica.start())
    for (const stopMode of ['fast', 'immediate'] as const) {
      const service = await startWithReplica(database)
      const expected = await readTexts(service, database.key)
      const largeText = (await readTexts(service, database.key, [large])).get(large)
      const reading = keepReading(service, database.key, expected)
      await waitForReadsOn(pair.replica, service, database.key)
      await pair.replica.stop(stopMode)
      await waitForReadsOn(pair.primary, service, database.key)
      assert.equal((await sendRequest(service.base, large, { authorization: database.key })).text, largeText)
      await pair.replica.start()
      await waitForReadsOn(pair.replica, service, database.key)
      t.diagnostic(`${stopMode}: ${await reading.stop()}`)
    }
  })

  await t.test('when the replica is down while an instance starts', async (t) => {
    t.after(() => pair.replica.start())
    await pair.replica.stop()
    const service = await startWithReplica(database)
    await readTexts(service, database.key, [...READS, large])
    await pair.replica.start()
    await waitForReadsOn(pair.replica, service, database.key)
  })

  /** Starts an instance that connects to the replica through a proxy. */
  async function startThroughProxy(t: TestContext, ...flags: string[]) {
    const proxy = await startProxy({ host: '127.0.0.1', port: pair.replica.port })
    t.after(() => proxy.close())
    const service = await startWithReplica({ ...database, replica: proxy.url(database.replica) }, ...flags)
    const expected = await readTexts(service, database.key)
    await waitForReadsOn(pair.replica, service, database.key)
    return { proxy, service, expected }
  }

  await t.test('when connections to the replica are closed repeatedly', async (t) => {
    const { proxy, service, expected } = await startThroughProxy(t)
    const reading = keepReading(service, database.key, expected)
    for (let cuts = 0; cuts < 20; cuts += 1) {
      proxy.cut()
      await waitForReadsOn(pair.replica, service, database.key)
    }
    proxy.refuse()
    proxy.cut()
    await waitForReadsOn(pair.primary, service, database.key)
    proxy.pass()
    await waitForReadsOn(pair.replica, service, database.key)
    t.diagnostic(await reading.stop())
  })

  await t.test('when the replica does not respond, after the timeouts', async (t) => {
    const timeouts = ['--statement-timeout', '1s', '--pool-timeout', '1s']
    const { proxy, service, expected } = await startThroughProxy(t, ...timeouts)
    const reading = keepReading(service, database.key, expected)
    proxy.blackhole()
    await waitForReadsOn(pair.primary, service, database.key)
    await readTexts(service, database.key, [...READS, large])
    proxy.pass()
    await waitForReadsOn(pair.replica, service, database.key)
    t.diagnostic(await reading.stop())
    // At most one statement timeout and one connection timeout, with a margin.
    assert.ok(reading.longestMs() < 5000, 'a read took longer than both timeouts')
  })
})

test('reads work and writes get 503 while the primary is unavailable', {
  skip: POSTGRES_ONLY || fullOnly('stops and restarts the primary'),
}, async (t) => {
  const pair = sharedPair()
  for (const stopMode of ['fast', 'immediate'] as const) {
    await t.test(`stopped in mode ${stopMode}`, async (t) => {
      const database = await createDatabase(pair)
      const large = scenariosPath('eval-500')
      const before = await startWithReplica(database)
      const expected = await readTexts(before, database.key)
      const largeText = (await readTexts(before, database.key, [large])).get(large)
      const reading = keepReading(before, database.key, expected)
      const onReplica = watchLog(pair.replica)
      t.after(() => pair.primary.start())
      await pair.primary.stop(stopMode)
      const startedMeanwhile = await startWithReplica(database)
      for (const service of [before, startedMeanwhile]) {
        assert.deepEqual(await readTexts(service, database.key), expected)
        assert.equal(
          (await sendRequest(service.base, large, { authorization: database.key })).text,
          largeText,
        )
        assert.equal((await sendRequest(service.base, '/readyz')).status, 200)
        assert.equal(
          (await sendRequest(service.base, FULL_SCENARIOS, { authorization: UNKNOWN_KEY })).status,
          401,
        )
        for (const { method, path, body } of OPERATIONS) {
          const headers = { authorization: database.key, 'content-type': 'application/json' }
          const response = await sendRequest(service.base, path, headers, method, body)
          checkProblem(response, 503, 'unavailable')
          assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/, `${method} ${path}`)
        }
      }
      assert.ok(onReplica.reads() > 0)
      t.diagnostic(await reading.stop())

      const readingAgain = keepReading(
        before,
        database.key,
        new Map([[FULL_SCENARIOS, expected.get(FULL_SCENARIOS) ?? '']]),
      )
      await pair.primary.start()
      for (const [index, service] of [before, startedMeanwhile].entries()) {
        const write = () => createEvaluation(service, database.key, `back-${index}`)
        const start = performance.now()
        await eventually('a write succeeds', async () => (await write()).status === 201, 5000)
        t.diagnostic(
          `a write succeeded ${Math.round(performance.now() - start)} ms after the primary was started`,
        )
      }
      await readingAgain.stop()
    })
  }
})

test('a client reads its own write that it sent as soon as the primary was reachable again', {
  skip: POSTGRES_ONLY || fullOnly('stops and restarts the primary'),
}, async (t) => {
  const pair = sharedPair()
  const database = await createDatabase(pair)
  const proxy = await startProxy({ host: '127.0.0.1', port: pair.primary.port })
  t.after(() => proxy.close())
  const proxied = { ...database, database: proxy.url(database.database) }
  const [one, two] = await Promise.all([startWithReplica(proxied), startWithReplica(proxied)])
  const expected = await readTexts(one, database.key, [FULL_SCENARIOS])
  const readings = [one, two].map((service) => keepReading(service, database.key, expected))
  t.after(() => resumeReplay(pair.replica))

  async function readMore(times: number): Promise<void> {
    const counts = readings.map(({ count }) => count() + times)
    const haveRead = async () => readings.every(({ count }, index) => count() > (counts[index] ?? 0))
    await eventually(`both read ${times} times more`, haveRead)
  }

  let written = 0
  async function writeAndRead(reader: ServiceProcess): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await resumeReplay(pair.replica)
      await waitForReplica(pair)
      // Waits until no read uses the primary because of the pause before.
      await readMore(10)
      proxy.refuse()
      proxy.cut()
      await readMore(30)
      // From here on, writes do not reach the replica.
      await pauseReplay(pair.replica)
      proxy.pass()
      written += 1
      const id = `back-${written}`
      const write = async () => (await createEvaluation(one, database.key, id)).status === 201
      await eventually('a write succeeds', write, 5000)
      const { text } = await sendRequest(reader.base, EVALUATIONS, { authorization: database.key })
      assert.ok(text.includes(`"${id}"`), `round ${round}: the write is missing in the read`)
    }
  }
  await t.test('from the instance that received the write', () => writeAndRead(one))
  await t.test('from another instance', () => writeAndRead(two))
  for (const { stop } of readings) await stop()
})

/** Large enough that socket buffers cannot store the whole response. */
const LARGE = 8000
/** Small enough to be read between two conflicts, and too large to be buffered before sending. */
const MEDIUM = 1000
const CONFLICT_PERIOD_MS = 2500

/** An evaluation that is changed repeatedly. Records the scenario texts of every version. */
class ChangingEvaluation {
  readonly path: string
  readonly tally = { complete: 0, incomplete: 0, unavailable: 0 }
  readonly #id: string
  readonly #client: pg.Client
  readonly #send: ReturnType<typeof openConnection>
  readonly #textsByVersion = new Map<string, string[]>()
  #texts: string[] = []
  #changes = 0

  private constructor(id: string, client: pg.Client, send: ReturnType<typeof openConnection>) {
    this.#id = id
    this.path = scenariosPath(id)
    this.#client = client
    this.#send = send
  }

  static async load(
    id: string,
    client: pg.Client,
    send: ReturnType<typeof openConnection>,
  ): Promise<ChangingEvaluation> {
    const evaluation = new ChangingEvaluation(id, client, send)
    const { rows } = await client.query(
      `SELECT body FROM scenario JOIN evaluation ON evaluation = key WHERE evaluation.id = $1 ORDER BY position`,
      [id],
    )
    evaluation.#texts = rows.map(({ body }) => body)
    await evaluation.#recordVersion()
    return evaluation
  }

  async #recordVersion(): Promise<void> {
    const { rows } = await this.#client.query('SELECT version FROM evaluation WHERE id = $1', [this.#id])
    this.#textsByVersion.set(rows[0].version, this.#texts)
  }

  /** Creates dead rows, of this evaluation and of one that is deleted, and removes them with VACUUM. */
  async change(): Promise<void> {
    this.#changes += 1
    const position = (this.#changes * 7919) % this.#texts.length
    const headers = { 'content-type': 'application/json' }
    const body = `{"note":"change ${this.#changes}"}`
    const changed = await this.#send(`${this.path}/scenario-${position}`, { method: 'PATCH', headers, body })
    assert.equal(changed.status, 200, changed.text)
    this.#texts = this.#texts.with(position, changed.text)
    await this.#recordVersion()
    const other = { method: 'POST', headers, body: '[{"id":"a"},{"id":"b"}]' }
    assert.equal((await this.#send(scenariosPath('other'), other)).status, 201)
    assert.equal((await this.#send(`${EVALUATIONS}/other`, { method: 'DELETE' })).status, 204)
    await this.#client.query('VACUUM scenario, evaluation')
  }

  /** Asserts that a response is one complete version, the beginning of one version, or a 503. */
  check(response: ReceivedResponse): void {
    if (response.status === 503) {
      assert.equal(JSON.parse(response.text).code, 'unavailable')
      this.tally.unavailable += 1
      return
    }
    assert.equal(response.status, 200, response.text.slice(0, 1000))
    const version = /^"(.+)-json"$/.exec(response.headers.etag ?? '')?.[1] ?? ''
    const versionTexts = this.#textsByVersion.get(version)
    assert.ok(versionTexts, `the version ${version} never existed`)
    const text = `[${versionTexts.join(',')}]`
    if (response.isComplete) assert.ok(response.text === text, `not the bytes of ${version}`)
    else assert.ok(text.startsWith(response.text), `not the first bytes of ${version}`)
    this.tally[response.isComplete ? 'complete' : 'incomplete'] += 1
  }
}

test('a replica that cancels queries because of replication conflicts corrupts no response', {
  skip: POSTGRES_ONLY || fullOnly('needs minutes of replication conflicts'),
}, async (t) => {
  const pair = await startPair('max_standby_streaming_delay=0', 'hot_standby_feedback=off')
  const database = await createDatabase(pair, LARGE, MEDIUM)
  const service = await startWithReplica(database)
  const client = new pg.Client({ connectionString: database.database })
  await client.connect()
  t.after(async () => {
    await client.end()
    await Promise.all([pair.replica.remove(), pair.primary.remove()])
  })
  const headers = { authorization: database.key }
  const send = openConnection(service.base, database.key)
  const onReplica = watchLog(pair.replica)
  const conflicts = () => onReplica.log().match(/due to conflict with recovery/g)?.length ?? 0

  await t.test('a slow client gets an incomplete response when its rows are vacuumed', async (t) => {
    const large = await ChangingEvaluation.load(`eval-${LARGE}`, client, send)
    for (let round = 0; round < 4; round += 1) {
      const until = conflicts() + 1
      async function onHeaders(): Promise<void> {
        await large.change()
        // There is no conflict if the whole response was buffered before the change.
        await within(1000, async () => conflicts() >= until)
      }
      large.check(await receive(`${service.base}${large.path}`, { headers, onHeaders }))
    }
    t.diagnostic(JSON.stringify(large.tally))
    assert.ok(large.tally.incomplete > 0, 'no response was incomplete')
  })

  await t.test(
    'during many changes each response is one version, or a failure that the client detects',
    async (t) => {
      const medium = await ChangingEvaluation.load(`eval-${MEDIUM}`, client, send)
      const reading = keepReading(
        service,
        database.key,
        await readTexts(service, database.key, [FULL_SCENARIOS, FULL_REVISIONS]),
      )
      const before = conflicts()
      const responses: ReceivedResponse[] = []
      const until = Date.now() + CONFLICT_PERIOD_MS
      async function read(): Promise<void> {
        while (Date.now() < until) responses.push(await receive(`${service.base}${medium.path}`, { headers }))
      }
      let changes = 0
      async function change(): Promise<void> {
        for (; Date.now() < until; changes += 1) await medium.change()
      }
      await Promise.all([read(), read(), change()])
      t.diagnostic(`small: ${await reading.stop()}`)
      for (const response of responses) medium.check(response)
      t.diagnostic(JSON.stringify({ changes, conflicts: conflicts() - before, ...medium.tally }))
      assert.ok(conflicts() > before, 'there was no conflict')
      assert.ok(medium.tally.complete > 0, 'no response was complete')
    },
  )

  await t.test('small reads succeed however often the replica cancels queries', async (t) => {
    const reading = keepReading(service, database.key, await readTexts(service, database.key))
    const before = conflicts()
    for (const until = Date.now() + CONFLICT_PERIOD_MS; Date.now() < until; ) {
      // Rows of any table cause a conflict if they are newer than the snapshot of the reader.
      await client.query('UPDATE project SET created_at = created_at')
      await client.query('VACUUM project')
    }
    t.diagnostic(`${conflicts() - before} conflicts, ${await reading.stop()}`)
    assert.ok(conflicts() > before, 'there was no conflict')
  })

  await t.test('afterwards all reads go to the replica again', async () => {
    await waitForReplicaReads(pair, 3 * READS.length, () =>
      Promise.all([1, 2, 3].map(() => readTexts(service, database.key))),
    )
  })

  await t.test('the replica has counted the conflicts in its statistics', async (t) => {
    const statement = `SELECT confl_snapshot::int AS snapshots FROM pg_stat_database_conflicts
      WHERE datname = current_database()`
    let snapshots = 0
    await eventually('the conflicts are counted', async () => {
      snapshots = Number((await query(database.replica, statement))[0]?.snapshots)
      return snapshots > 0
    })
    t.diagnostic(`confl_snapshot: ${snapshots}`)
  })
})
