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
import { PostgresPool } from '../../../src/store/dialect/postgres/pool.ts'
import { Replica } from '../../../src/store/dialect/postgres/replica.ts'
import { type Cluster, freshDatabase, query, startCluster } from '../../postgres/cluster.ts'
import { pauseReplay, promoteReplica, resumeReplay, startReplica } from '../../postgres/replica.ts'
import { startProxy } from '../../postgres/tcp-proxy.ts'
import { sizes } from '../../sizes.ts'
import { runAssayCommand } from '../../support/command-runner/run.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { createTempFolder, createTestKey, NO_CACHE_FLAGS, spawnServer } from '../../support/harness.ts'
import { checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { fullOnly, POSTGRES_ONLY, testOptions } from '../../support/options.ts'
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

interface ReplicatedServers {
  primary: Cluster
  replica: Cluster
}

async function startReplicatedServers(...settings: string[]): Promise<ReplicatedServers> {
  // Autovacuum writes in the background, so the replica would lag without a write of the test. watchLog reads the log.
  const baseSettings = ['autovacuum=off', 'log_statement=all', 'log_parameter_max_length=0']
  const flags = [...baseSettings, ...settings].flatMap((setting) => ['-c', setting])
  const primary = await startCluster({ flags })
  return { primary, replica: await startReplica(primary) }
}

/** Used by all tests that need no special server settings. A test that stops a server starts it again. */
const sharedServers = options.skip ? undefined : await startReplicatedServers()

function getSharedServers(): ReplicatedServers {
  assert.ok(sharedServers)
  return sharedServers
}

interface TestDatabase {
  /** The URLs of one database on the primary and on the replica. */
  primaryUrl: string
  replicaUrl: string
  key: string
}

/** Creates a database with the corpus and with evaluations that are too large to be buffered before sending. */
async function createDatabase(
  servers: ReplicatedServers,
  ...scenarioCounts: number[]
): Promise<TestDatabase> {
  const primaryUrl = await freshDatabase(servers.primary.url())
  const store = await openStoreAt(primaryUrl)
  await fillCorpus(store)
  const counts = scenarioCounts.length === 0 ? [500] : scenarioCounts
  for (const count of counts) await addLargeEvaluation(store, count)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  await waitForReplica(servers)
  const replicaUrl = servers.replica.url(new URL(primaryUrl).pathname.slice(1))
  return { primaryUrl, replicaUrl, key }
}

/** Waits until the replica has replayed everything that was committed before this call. */
async function waitForReplica({ primary, replica }: ReplicatedServers): Promise<void> {
  const [row] = await query(primary.url(), 'SELECT pg_current_wal_flush_lsn()::text AS lsn')
  const statement = `SELECT pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn AS is_current`
  await waitFor(async () => (await query(replica.url(), statement))[0]?.is_current)
}

/** Polls the condition until it is true. The test timeout limits the wait. */
async function waitFor(condition: () => Promise<unknown>): Promise<void> {
  while (!(await condition())) await delay(25)
}

function startWithReplica(
  { primaryUrl, replicaUrl }: TestDatabase,
  ...extraFlags: string[]
): Promise<ServiceProcess> {
  const flags = ['--data', createTempFolder(), '--database', primaryUrl, '--replica', replicaUrl]
  return spawnServer([...flags, ...NO_CACHE_FLAGS, '--log-level', 'warn', ...extraFlags])
}

/** Flags of a service with response cache, after `NO_CACHE_FLAGS`. */
const CACHE_FLAGS = ['--max-cache-bytes', '67108864']

/** Counts the read and write transactions that a server starts after this call. */
function watchLog({ folder }: Cluster): {
  countReads(): number
  countWrites(): number
  statements(): string[]
  text(): string
} {
  const file = join(folder, 'log')
  const start = statSync(file).size
  const text = () => readFileSync(file).subarray(start).toString()
  const count = (pattern: RegExp) => text().match(pattern)?.length ?? 0
  return {
    countReads: () => count(/statement: BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY/g),
    countWrites: () => count(/statement: BEGIN [A-Z ]*READ WRITE/g),
    /** The first lines of all statements, of every client. */
    statements: () =>
      [...text().matchAll(/LOG: {2}(?:statement|execute \S+): (.*)/g)].map(([, line = '']) => line),
    text,
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

/** Sends a request and returns the received part of the response. */
function sendAndReceive(
  url: string,
  { method = 'GET', headers = {}, body, agent, onHeaders }: RequestOptions,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let hasResponse = false
    const outgoing = request(url, { method, headers, agent: agent ?? false })
    // After the headers, the close event of the response reports the failure.
    outgoing.on(
      'error',
      () => hasResponse || resolve({ status: 0, headers: {}, text: '', isComplete: false }),
    )
    outgoing.on('response', async (response) => {
      hasResponse = true
      const { statusCode: status = 0, headers } = response
      response.on('error', () => undefined)
      response.on('close', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status, headers, text, isComplete: response.complete })
      })
      await onHeaders?.().catch(reject)
      response.on('data', (chunk) => chunks.push(chunk))
    })
    outgoing.end(body)
  })
}

/** Returns a function that sends requests on one keep-alive connection. */
function openConnection(baseUrl: string, authorization: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  after(() => agent.destroy())
  return (path: string, { headers, ...options }: RequestOptions = {}) =>
    sendAndReceive(`${baseUrl}${path}`, { ...options, agent, headers: { authorization, ...headers } })
}

function createEvaluation(
  { baseUrl }: ServiceProcess,
  authorization: string,
  id: string,
): Promise<HttpResponse> {
  const headers = { authorization, 'content-type': 'application/json' }
  return sendRequest(baseUrl, EVALUATIONS, headers, 'POST', JSON.stringify({ id }))
}

/** A key that was never issued. Its checksum is correct, so the service looks it up. */
const UNKNOWN_KEY = 'assay_000000000000_000000000000000000000000000000'

const READS = [FULL_SCENARIOS, FULL_REVISIONS, EVALUATIONS, VARIANTS]

/** Reads the paths and returns the response texts by path. */
async function readTexts(
  { baseUrl }: ServiceProcess,
  key: string,
  paths = READS,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const path of paths) {
    const { status, text } = await sendRequest(baseUrl, path, { authorization: key })
    assert.equal(status, 200, text)
    texts.set(path, text)
  }
  return texts
}

/** Reads on two connections until `stop` is called, and asserts that every response is the expected one. */
function keepReading({ baseUrl }: ServiceProcess, authorization: string, expected: Map<string, string>) {
  let isStopped = false
  let [count, longestMs] = [0, 0]
  after(() => {
    isStopped = true
  })
  async function read(): Promise<void> {
    const send = openConnection(baseUrl, authorization)
    while (!isStopped) {
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
  const readers = Promise.all([read(), read()])
  let failure: unknown
  readers.catch((error) => {
    failure = error
  })
  function getCount(): number {
    if (failure) throw failure
    return count
  }
  async function stop(): Promise<string> {
    isStopped = true
    await readers
    return `${count} reads, the longest took ${Math.round(longestMs)} ms`
  }
  return { getCount, getLongestMs: () => longestMs, stop }
}

/** Reads until the given server receives a read. */
async function waitForReadsOn(
  cluster: Cluster,
  { baseUrl }: ServiceProcess,
  authorization: string,
): Promise<void> {
  const log = watchLog(cluster)
  await waitFor(async () => {
    assert.equal((await sendRequest(baseUrl, FULL_SCENARIOS, { authorization })).status, 200)
    return log.countReads() > 0
  })
}

/** Waits until all reads go to the replica. It can lag for a short time because of background writes of the primary. */
async function waitForReplicaReads(
  { primary, replica }: ReplicatedServers,
  count: number,
  read: () => Promise<unknown>,
): Promise<void> {
  await waitFor(async () => {
    const [primaryLog, replicaLog] = [watchLog(primary), watchLog(replica)]
    await read()
    return primaryLog.countReads() === 0 && replicaLog.countReads() === count
  })
}

/** Instances for all tests that leave the servers running. The first uses a proxy, and the last a response cache. */
const sharedInstances = options.skip ? undefined : await startInstances()

function getSharedInstances() {
  assert.ok(sharedInstances)
  return sharedInstances
}

async function startInstances() {
  const servers = getSharedServers()
  const database = await createDatabase(servers)
  const target = { host: '127.0.0.1', port: servers.primary.port }
  const proxy = await startProxy(target)
  after(() => proxy.close())
  const services = await Promise.all([
    startWithReplica({ ...database, primaryUrl: proxy.url(database.primaryUrl) }),
    startWithReplica(database),
    startWithReplica(database, ...CACHE_FLAGS),
  ])
  return { database, services, proxy, target }
}

test('reads go to the replica and writes to the primary', options, async () => {
  const servers = getSharedServers()
  const { database, services } = getSharedInstances()
  const service = services[0] ?? assert.fail()
  await waitForReplicaReads(servers, READS.length, () => readTexts(service, database.key))
  const [primaryLog, replicaLog] = [watchLog(servers.primary), watchLog(servers.replica)]
  const otherPaths = [`${FULL_SCENARIOS}?format=csv`, `${FULL_SCENARIOS}?limit=3`, scenariosPath('eval-500')]
  await waitForReplicaReads(servers, otherPaths.length, () => readTexts(service, database.key, otherPaths))
  assert.match(replicaLog.text(), /COPY \(SELECT element FROM/)
  assert.deepEqual([primaryLog.countWrites(), replicaLog.countWrites()], [0, 0])

  const creation = await createEvaluation(service, database.key, 'fresh')
  assert.equal(creation.status, 201, creation.text)
  assert.deepEqual([primaryLog.countWrites(), replicaLog.countWrites()], [1, 0])
})

test('a read from a replica causes at most one statement on the primary', options, async (t) => {
  const servers = getSharedServers()
  const { database, services } = getSharedInstances()
  const service = services.at(-1) ?? assert.fail()
  const send = openConnection(service.baseUrl, database.key)
  const expected = await readTexts(service, database.key)

  /** Returns the statements that a server receives while `READS` are read one after the other. */
  async function readAndWatch(cluster: Cluster): Promise<string[]> {
    const log = watchLog(cluster)
    for (const path of READS) assert.equal((await send(path)).text, expected.get(path))
    return log.statements()
  }

  await t.test('the primary only returns its position', async () => {
    await waitFor(async () => {
      const statements = await readAndWatch(servers.primary)
      return statements.length === READS.length && statements.every((text) => text.includes(' AS timeline'))
    })
  })
  await t.test('the key is not read again until the primary has changed', async () => {
    const readsKey = async () =>
      (await readAndWatch(servers.replica)).some((text) => text.includes('FROM api_key'))
    await waitFor(async () => !(await readsKey()))
    assert.equal((await createEvaluation(service, database.key, 'new')).status, 201)
    const { text } = await send(EVALUATIONS)
    assert.ok(text.includes('"new"'))
    expected.set(EVALUATIONS, text)
    assert.equal((await send(FULL_SCENARIOS)).text, expected.get(FULL_SCENARIOS))
  })
  await t.test('a write does not read the position, and reads the key from the primary', async () => {
    const [primaryLog, replicaLog] = [watchLog(servers.primary), watchLog(servers.replica)]
    assert.equal((await createEvaluation(service, database.key, 'newer')).status, 201)
    assert.ok(primaryLog.statements().some((text) => text.includes('FROM api_key')))
    assert.ok(!primaryLog.statements().some((text) => text.includes(' AS timeline')))
    assert.ok(!replicaLog.statements().some((text) => text.includes('FROM api_key')))
  })
})

const ROUNDS = sizes.replica_rounds

/** The write operations, in the order in which `WriteRounds` repeats them. */
const WRITES = [
  'append scenarios',
  'update a scenario',
  'create a revision',
  'delete the evaluation',
] as const

/** Performs one write per round and returns what the next read must contain. */
class WriteRounds {
  readonly #sendRequest: ReturnType<typeof openConnection>
  readonly #revisions: string[] = []
  #scenarios: string[] = []
  #round = 0

  constructor(sendRequest: ReturnType<typeof openConnection>) {
    this.#sendRequest = sendRequest
  }

  /** Performs the next write. Returns the path to read and the expected text, undefined for 404. */
  async performNextWrite(): Promise<{ path: string; text: string | undefined }> {
    const writeIndex = this.#round % WRITES.length
    const write = WRITES[writeIndex]
    const id = `s-${this.#round - writeIndex}`
    this.#round += 1
    if (write === 'create a revision') {
      const { text } = await this.#send(201, revisionsPath('v'), 'POST', revisionBody())
      this.#revisions.push(text)
      return { path: revisionsPath('v'), text: `[${this.#revisions.join(',')}]` }
    }
    const path = scenariosPath('e')
    if (write === 'delete the evaluation') {
      await this.#send(204, `${EVALUATIONS}/e`, 'DELETE')
      this.#scenarios = []
      return { path, text: undefined }
    }
    if (write === 'append scenarios') {
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

  async #send(
    expectedStatus: number,
    path: string,
    method: string,
    body?: string,
  ): Promise<ReceivedResponse> {
    const headers = { 'content-type': 'application/json' }
    const response = await this.#sendRequest(path, { method, ...(body && { body, headers }) })
    assert.equal(response.status, expectedStatus, `${method} ${path}: ${response.text}`)
    return response
  }
}

/** A client that sends the ETag of its previous read of the same path. */
class ConditionalReader {
  readonly #read: ReturnType<typeof openConnection>
  readonly #etags = new Map<string, string>()

  constructor(read: ReturnType<typeof openConnection>) {
    this.#read = read
  }

  /** Asserts that a read returns the text, or 404 if the text is undefined. Returns the new ETag. */
  async assertReads(path: string, text: string | undefined, label: string): Promise<string | undefined> {
    const previousEtag = this.#etags.get(path)
    const response = await this.#read(path, {
      headers: previousEtag ? { 'if-none-match': previousEtag } : {},
    })
    assert.equal(response.status, text === undefined ? 404 : 200, `${label}: ${path} ${response.text}`)
    if (text === undefined) return undefined
    assert.equal(response.text, text, label)
    const { etag } = response.headers
    assert.ok(etag && etag !== previousEtag, `${label}: the content has changed but the ETag has not`)
    this.#etags.set(path, etag)
    return etag
  }
}

test('a client reads its own writes on every connection and every instance', options, async (t) => {
  const servers = getSharedServers()
  const { database, services } = getSharedInstances()
  const [firstService = assert.fail(), secondService = assert.fail()] = services
  const rounds = new WriteRounds(openConnection(firstService.baseUrl, database.key))
  const readers = services.map(({ baseUrl }) => new ConditionalReader(openConnection(baseUrl, database.key)))
  const sendToSecond = openConnection(secondService.baseUrl, database.key)

  async function writeAndRead(label: string): Promise<void> {
    const { path, text } = await rounds.performNextWrite()
    const etags = await Promise.all(readers.map((reader) => reader.assertReads(path, text, label)))
    assert.equal(new Set(etags).size, 1, 'all instances return the same ETag')
    if (path !== scenariosPath('e')) return
    const evaluations = JSON.parse((await sendToSecond(EVALUATIONS)).text) as {
      id: string
      scenario_count: number
    }[]
    const count = evaluations.find(({ id }) => id === 'e')?.scenario_count
    assert.equal(count, text === undefined ? undefined : 2, `${label}: the list`)
  }

  await t.test(`reads its own write in ${ROUNDS} rounds while the replica is replaying`, async (t) => {
    const [primaryLog, replicaLog] = [watchLog(servers.primary), watchLog(servers.replica)]
    for (let round = 0; round < ROUNDS; round += 1) await writeAndRead(`round ${round}`)
    t.diagnostic(
      `read from the replica: ${replicaLog.countReads()}, from the primary: ${primaryLog.countReads()}`,
    )
    assert.ok(replicaLog.countReads() > 0, 'the replica received no reads')
  })

  await t.test('reads its own write from the primary while replay on the replica is paused', async (t) => {
    await pauseReplay(servers.replica)
    t.after(() => resumeReplay(servers.replica))
    const [primaryLog, replicaLog] = [watchLog(servers.primary), watchLog(servers.replica)]
    const start = performance.now()
    for (let round = 0; round < 8; round += 1) await writeAndRead(`paused, round ${round}`)
    t.diagnostic(`8 rounds took ${Math.round(performance.now() - start)} ms`)
    assert.equal(replicaLog.countReads(), 0)
    assert.ok(primaryLog.countReads() >= 16)
    // Rows from the primary are not cached: its position can be newer than what its transactions see.
    const keyLog = watchLog(servers.primary)
    for (let read = 0; read < 2; read += 1) await sendToSecond(EVALUATIONS)
    assert.equal(keyLog.statements().filter((text) => text.includes('FROM api_key')).length, 2)
  })

  await t.test('reads its own write after replay is resumed and reads go to the replica again', async () => {
    for (const service of [firstService, secondService])
      await waitForReadsOn(servers.replica, service, database.key)
    for (let round = 0; round < 8; round += 1) await writeAndRead(`resumed, round ${round}`)
  })
})

test('a replica that has not caught up is not used for a short time', options, async (t) => {
  const { replica: cluster } = getSharedServers()
  const pool = new PostgresPool({
    url: cluster.url(),
    size: 2,
    waitMs: 5000,
    statementMs: 5000,
    features: { hasBinaryCopy: true },
  })
  t.after(() => pool.close())
  const replica = new Replica(pool)
  const catchUp = (lsn: string) => pool.use('short', (connection) => replica.waitForReplay(connection, lsn))
  await catchUp('0/1')
  assert.equal(replica.isLagging, false)
  await assert.rejects(catchUp('FFFFFFFF/0'), { code: 'unavailable' })
  assert.equal(replica.isLagging, true)
  await waitFor(async () => !replica.isLagging)
})

test('every instance rejects a revoked key from the next request on', options, async (t) => {
  const servers = getSharedServers()
  const { database, services } = getSharedInstances()
  const primaryFlags = ['--data', createTempFolder(), '--database', database.primaryUrl]

  /** Creates a key and one client per instance, and asserts that every instance accepts the key. */
  async function createAcceptedKey() {
    const created = await runAssayCommand(['keys', 'create', '--json', ...primaryFlags])
    const { key, public_id } = JSON.parse(created.stdout) as { key: string; public_id: string }
    const clients = services.map(({ baseUrl }) => openConnection(baseUrl, key))
    for (const client of clients) assert.equal((await client(FULL_SCENARIOS)).status, 200)
    return { public_id, clients }
  }

  async function revokeAndCheckRejection({
    public_id,
    clients,
  }: Awaited<ReturnType<typeof createAcceptedKey>>): Promise<void> {
    const result = await runAssayCommand(['keys', 'revoke', public_id, ...primaryFlags])
    assert.equal(result.code, 0, result.stderr)
    for (const client of clients) for (const path of READS) assert.equal((await client(path)).status, 401)
  }

  await t.test('rejects the key while the replica is replaying', async () =>
    revokeAndCheckRejection(await createAcceptedKey()),
  )
  await t.test('rejects the key while replay is paused and the replica still contains the key', async (t) => {
    const key = await createAcceptedKey()
    await waitForReplica(servers)
    await pauseReplay(servers.replica)
    t.after(() => resumeReplay(servers.replica))
    await revokeAndCheckRejection(key)
  })
})

test('reads go to the primary while the replica is unavailable', {
  skip: POSTGRES_ONLY || fullOnly('waits for failure timeouts of the replica'),
}, async (t) => {
  const servers = getSharedServers()
  const database = await createDatabase(servers)
  const largePath = scenariosPath('eval-500')

  await t.test(
    'uses the primary while the replica is stopped, and the replica after it is started again',
    async (t) => {
      t.after(() => servers.replica.start())
      for (const stopMode of ['fast', 'immediate'] as const) {
        const service = await startWithReplica(database)
        const expected = await readTexts(service, database.key)
        const largeText = (await readTexts(service, database.key, [largePath])).get(largePath)
        const reading = keepReading(service, database.key, expected)
        await waitForReadsOn(servers.replica, service, database.key)
        await servers.replica.stop(stopMode)
        await waitForReadsOn(servers.primary, service, database.key)
        assert.equal(
          (await sendRequest(service.baseUrl, largePath, { authorization: database.key })).text,
          largeText,
        )
        await servers.replica.start()
        await waitForReadsOn(servers.replica, service, database.key)
        t.diagnostic(`${stopMode}: ${await reading.stop()}`)
      }
    },
  )

  await t.test('uses the primary when the replica is down at the start of the instance', async (t) => {
    t.after(() => servers.replica.start())
    await servers.replica.stop()
    const service = await startWithReplica(database)
    await readTexts(service, database.key, [...READS, largePath])
    await servers.replica.start()
    await waitForReadsOn(servers.replica, service, database.key)
  })

  /** Starts an instance that connects to the replica through a proxy. */
  async function startThroughProxy(t: TestContext, ...flags: string[]) {
    const proxy = await startProxy({ host: '127.0.0.1', port: servers.replica.port })
    t.after(() => proxy.close())
    const service = await startWithReplica(
      { ...database, replicaUrl: proxy.url(database.replicaUrl) },
      ...flags,
    )
    const expected = await readTexts(service, database.key)
    await waitForReadsOn(servers.replica, service, database.key)
    return { proxy, service, expected }
  }

  await t.test(
    'returns correct responses when connections to the replica are reset repeatedly',
    async (t) => {
      const { proxy, service, expected } = await startThroughProxy(t)
      const reading = keepReading(service, database.key, expected)
      for (let resets = 0; resets < 20; resets += 1) {
        proxy.resetConnections()
        await waitForReadsOn(servers.replica, service, database.key)
      }
      proxy.rejectConnections()
      proxy.resetConnections()
      await waitForReadsOn(servers.primary, service, database.key)
      proxy.forwardConnections()
      await waitForReadsOn(servers.replica, service, database.key)
      t.diagnostic(await reading.stop())
    },
  )

  await t.test('uses the primary after the timeouts when the replica does not respond', async (t) => {
    const timeouts = ['--statement-timeout', '1s', '--pool-timeout', '1s']
    const { proxy, service, expected } = await startThroughProxy(t, ...timeouts)
    const reading = keepReading(service, database.key, expected)
    proxy.blackhole()
    await waitForReadsOn(servers.primary, service, database.key)
    await readTexts(service, database.key, [...READS, largePath])
    proxy.forwardConnections()
    await waitForReadsOn(servers.replica, service, database.key)
    t.diagnostic(await reading.stop())
    // At most one statement timeout and one connection timeout, with a margin.
    if (testOptions.measures)
      assert.ok(reading.getLongestMs() < 5000, 'a read took longer than both timeouts and the margin')
  })
})

test('reads succeed and writes get 503 while the primary is unavailable', {
  skip: POSTGRES_ONLY || fullOnly('stops and restarts the primary'),
}, async (t) => {
  const servers = getSharedServers()
  for (const stopMode of ['fast', 'immediate'] as const) {
    await t.test(
      `serves reads and rejects writes after the primary is stopped in ${stopMode} mode`,
      async (t) => {
        const database = await createDatabase(servers)
        const largePath = scenariosPath('eval-500')
        const earlyService = await startWithReplica(database)
        const expected = await readTexts(earlyService, database.key)
        const largeText = (await readTexts(earlyService, database.key, [largePath])).get(largePath)
        const reading = keepReading(earlyService, database.key, expected)
        const replicaLog = watchLog(servers.replica)
        t.after(() => servers.primary.start())
        await servers.primary.stop(stopMode)
        const lateService = await startWithReplica(database)
        for (const service of [earlyService, lateService]) {
          assert.deepEqual(await readTexts(service, database.key), expected)
          assert.equal(
            (await sendRequest(service.baseUrl, largePath, { authorization: database.key })).text,
            largeText,
          )
          assert.equal((await sendRequest(service.baseUrl, '/readyz')).status, 200)
          assert.equal(
            (await sendRequest(service.baseUrl, FULL_SCENARIOS, { authorization: UNKNOWN_KEY })).status,
            401,
          )
          for (const { method, path, query = '', body } of OPERATIONS) {
            const headers = { authorization: database.key, 'content-type': 'application/json' }
            const response = await sendRequest(service.baseUrl, `${path}${query}`, headers, method, body)
            checkProblem(response, 503, 'unavailable')
            assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/, `${method} ${path}`)
          }
        }
        assert.ok(replicaLog.countReads() > 0)
        t.diagnostic(await reading.stop())

        const readingDuringStart = keepReading(
          earlyService,
          database.key,
          new Map([[FULL_SCENARIOS, expected.get(FULL_SCENARIOS) ?? '']]),
        )
        await servers.primary.start()
        for (const [index, service] of [earlyService, lateService].entries()) {
          const write = () => createEvaluation(service, database.key, `back-${index}`)
          const start = performance.now()
          await waitFor(async () => (await write()).status === 201)
          const ms = Math.round(performance.now() - start)
          t.diagnostic(`a write succeeded ${ms} ms after the primary was started`)
          if (testOptions.measures) assert.ok(ms < 5000, `${ms} ms`)
        }
        await readingDuringStart.stop()
      },
    )
  }
})

test('a client reads its own write immediately after the primary becomes reachable again', {
  skip: POSTGRES_ONLY || fullOnly('stops and restarts the primary'),
}, async (t) => {
  const servers = getSharedServers()
  const database = await createDatabase(servers)
  const proxy = await startProxy({ host: '127.0.0.1', port: servers.primary.port })
  t.after(() => proxy.close())
  const proxiedDatabase = { ...database, primaryUrl: proxy.url(database.primaryUrl) }
  const [firstService, secondService] = await Promise.all([
    startWithReplica(proxiedDatabase),
    startWithReplica(proxiedDatabase),
  ])
  const expected = await readTexts(firstService, database.key, [FULL_SCENARIOS])
  const readings = [firstService, secondService].map((service) =>
    keepReading(service, database.key, expected),
  )
  t.after(() => resumeReplay(servers.replica))

  async function readMore(times: number): Promise<void> {
    const counts = readings.map(({ getCount }) => getCount() + times)
    const haveRead = async () => readings.every(({ getCount }, index) => getCount() > (counts[index] ?? 0))
    await waitFor(haveRead)
  }

  let writeCount = 0
  async function writeAndRead(reader: ServiceProcess): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await resumeReplay(servers.replica)
      await waitForReplica(servers)
      // After the previous pause, reads can still use the primary. Ten reads later they use the replica again.
      await readMore(10)
      proxy.rejectConnections()
      proxy.resetConnections()
      await readMore(30)
      // The replica does not replay the following write.
      await pauseReplay(servers.replica)
      proxy.forwardConnections()
      writeCount += 1
      const id = `back-${writeCount}`
      const write = async () => (await createEvaluation(firstService, database.key, id)).status === 201
      await waitFor(write)
      const { text } = await sendRequest(reader.baseUrl, EVALUATIONS, { authorization: database.key })
      assert.ok(text.includes(`"${id}"`), `round ${round}: the write is missing in the read`)
    }
  }
  await t.test('reads the write from the instance that received it', () => writeAndRead(firstService))
  await t.test('reads the write from the other instance', () => writeAndRead(secondService))
  for (const { stop } of readings) await stop()
})

/** With so many scenarios, socket buffers cannot store the whole response. */
const LARGE_SCENARIO_COUNT = 8000
/** Few enough to be read between two conflicts, and too many to be buffered before sending. */
const MEDIUM_SCENARIO_COUNT = 1000
const MIN_CHANGES = 50

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

  /**
   * Updates a scenario, creates and deletes another evaluation, and vacuums both tables. A snapshot on the replica
   * that still needs the dead rows conflicts with the VACUUM.
   */
  async change(): Promise<void> {
    this.#changes += 1
    const position = (this.#changes * 7919) % this.#texts.length
    const headers = { 'content-type': 'application/json' }
    const body = `{"note":"change ${this.#changes}"}`
    const response = await this.#send(`${this.path}/scenario-${position}`, { method: 'PATCH', headers, body })
    assert.equal(response.status, 200, response.text)
    this.#texts = this.#texts.with(position, response.text)
    await this.#recordVersion()
    const creation = { method: 'POST', headers, body: '[{"id":"a"},{"id":"b"}]' }
    assert.equal((await this.#send(scenariosPath('other'), creation)).status, 201)
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
    const version = /^"(.+)-json\d+"$/.exec(response.headers.etag ?? '')?.[1] ?? ''
    const versionTexts = this.#textsByVersion.get(version)
    assert.ok(versionTexts, `the version ${version} never existed`)
    const text = `[${versionTexts.join(',')}]`
    if (response.isComplete) assert.ok(response.text === text, `not the bytes of ${version}`)
    else assert.ok(text.startsWith(response.text), `not the first bytes of ${version}`)
    this.tally[response.isComplete ? 'complete' : 'incomplete'] += 1
  }
}

test('responses are never corrupted when the replica cancels queries because of replication conflicts', {
  skip: POSTGRES_ONLY || fullOnly('needs minutes of replication conflicts'),
}, async (t) => {
  const servers = await startReplicatedServers('max_standby_streaming_delay=0', 'hot_standby_feedback=off')
  const database = await createDatabase(servers, LARGE_SCENARIO_COUNT, MEDIUM_SCENARIO_COUNT)
  const service = await startWithReplica(database)
  const client = new pg.Client({ connectionString: database.primaryUrl })
  await client.connect()
  t.after(async () => {
    await client.end()
    await Promise.all([servers.replica.remove(), servers.primary.remove()])
  })
  const headers = { authorization: database.key }
  const send = openConnection(service.baseUrl, database.key)
  const replicaLog = watchLog(servers.replica)
  const countConflicts = () => replicaLog.text().match(/due to conflict with recovery/g)?.length ?? 0

  await t.test('a slow client gets an incomplete response when its rows are vacuumed', async (t) => {
    const evaluation = await ChangingEvaluation.load(`eval-${LARGE_SCENARIO_COUNT}`, client, send)
    // There is no conflict if the whole response was buffered before the change.
    while (evaluation.tally.incomplete < 3) {
      const onHeaders = () => evaluation.change()
      evaluation.check(await sendAndReceive(`${service.baseUrl}${evaluation.path}`, { headers, onHeaders }))
    }
    t.diagnostic(JSON.stringify(evaluation.tally))
  })

  await t.test(
    'each response during many changes is one version, or a failure that the client detects',
    async (t) => {
      const evaluation = await ChangingEvaluation.load(`eval-${MEDIUM_SCENARIO_COUNT}`, client, send)
      const reading = keepReading(
        service,
        database.key,
        await readTexts(service, database.key, [FULL_SCENARIOS, FULL_REVISIONS]),
      )
      const initialConflicts = countConflicts()
      const responses: ReceivedResponse[] = []
      let changes = 0
      const isOver = () =>
        changes >= MIN_CHANGES &&
        countConflicts() > initialConflicts &&
        responses.some(({ isComplete, status }) => isComplete && status === 200)
      async function read(): Promise<void> {
        while (!isOver())
          responses.push(await sendAndReceive(`${service.baseUrl}${evaluation.path}`, { headers }))
      }
      async function change(): Promise<void> {
        for (; !isOver(); changes += 1) await evaluation.change()
      }
      await Promise.all([read(), read(), change()])
      t.diagnostic(`small reads: ${await reading.stop()}`)
      for (const response of responses) evaluation.check(response)
      t.diagnostic(
        JSON.stringify({ changes, conflicts: countConflicts() - initialConflicts, ...evaluation.tally }),
      )
    },
  )

  await t.test('small reads succeed even when the replica repeatedly cancels queries', async (t) => {
    const reading = keepReading(service, database.key, await readTexts(service, database.key))
    const initialConflicts = countConflicts()
    for (let changes = 0; changes < MIN_CHANGES || countConflicts() === initialConflicts; changes += 1) {
      // Rows of any table cause a conflict if they are newer than the snapshot of the reader.
      await client.query('UPDATE project SET created_at = created_at')
      await client.query('VACUUM project')
    }
    t.diagnostic(`${countConflicts() - initialConflicts} conflicts, ${await reading.stop()}`)
  })

  await t.test('all reads go to the replica again after the conflicts', async () => {
    await waitForReplicaReads(servers, 3 * READS.length, () =>
      Promise.all([1, 2, 3].map(() => readTexts(service, database.key))),
    )
  })

  await t.test('the statistics of the replica contain the conflicts', async (t) => {
    const statement = `SELECT confl_snapshot::int AS conflicts FROM pg_stat_database_conflicts
      WHERE datname = current_database()`
    let conflictCount = 0
    await waitFor(async () => {
      conflictCount = Number((await query(database.replicaUrl, statement))[0]?.conflicts)
      return conflictCount > 0
    })
    t.diagnostic(`confl_snapshot: ${conflictCount}`)
  })
})

// This test is the last one that uses the shared servers, because afterwards there is no replica.
test('a service continues after its replica was promoted', options, async (t) => {
  const servers = getSharedServers()
  const { database, services, proxy, target } = getSharedInstances()
  const primaryUrl = proxy.url(database.primaryUrl)
  const service = services[0] ?? assert.fail()
  const expected = await readTexts(service, database.key)
  await waitForReadsOn(servers.replica, service, database.key)
  await promoteReplica(servers.replica)

  await t.test('the promoted server is not used as a replica', async () => {
    const [primaryLog, otherLog] = [watchLog(servers.primary), watchLog(servers.replica)]
    assert.deepEqual(await readTexts(service, database.key), expected)
    assert.equal(otherLog.countReads(), 0)
    assert.equal(primaryLog.countReads(), READS.length)
  })
  await t.test('the promoted server is used as the primary when the URL points to it', async () => {
    target.port = servers.replica.port
    proxy.resetConnections()
    const flags = ['--data', createTempFolder(), '--database', primaryUrl]
    const created = await runAssayCommand(['keys', 'create', '--json', ...flags])
    const { key, public_id } = JSON.parse(created.stdout) as { key: string; public_id: string }
    assert.deepEqual(await readTexts(service, key), expected)
    assert.equal((await createEvaluation(service, database.key, 'promoted')).status, 201)
    assert.ok((await readTexts(service, key, [EVALUATIONS])).get(EVALUATIONS)?.includes('"promoted"'))
    assert.equal((await runAssayCommand(['keys', 'revoke', public_id, ...flags])).code, 0)
    assert.equal((await sendRequest(service.baseUrl, EVALUATIONS, { authorization: key })).status, 401)
  })
})
