// Tests several service instances on one PostgreSQL database: simultaneous start, rolling restart under load and
// concurrent writes. Runs directly and through PgBouncer in transaction pooling mode.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addLargeEvaluation } from '../../../bench/data.ts'
import type { ServiceProcess } from '../../../bench/service.ts'
import { openStoreAt } from '../../../bench/store.ts'
import { MIGRATIONS } from '../../../src/store/migrations/migrations.ts'
import { type Cluster, freshDatabase, query, startCluster } from '../../postgres/cluster.ts'
import { type PgBouncer, startPgBouncer } from '../../postgres/pgbouncer.ts'
import { serverUrl } from '../../postgres/shared.ts'
import { runAssayCommand } from '../../support/command-runner/run.ts'
import { fillCorpus } from '../../support/corpus.ts'
import { createTempFolder, createTestKey, spawnServer } from '../../support/harness.ts'
import { checkProblem, type HttpResponse, sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { fullOnly, POSTGRES_ONLY, testEnvironment } from '../../support/options.ts'
import { sampleEvaluations, sampleVariants } from '../../support/sample.ts'
import {
  EVALUATIONS,
  revisionBody,
  revisionsPath,
  scenariosPath,
  VARIANTS,
} from '../../support/write-requests.ts'

const fullOptions = { skip: POSTGRES_ONLY || fullOnly('starts a server and many instances') }

/** Logs DDL statements and errors. */
const server = fullOptions.skip ? undefined : await startCluster({ flags: ['-c', 'log_statement=ddl'] })
const bouncer = server && (await startPgBouncer(server.url()))

function requireServer(): Cluster {
  assert.ok(server)
  return server
}

/** Returns a function that reads the part of the server log that was written after this call. */
function watchLog({ folder }: Cluster): () => string {
  const file = join(folder, 'log')
  const offset = statSync(file).size
  return () => readFileSync(file).subarray(offset).toString()
}

/** On a busy machine, a statement can wait for others for longer than the default timeouts. */
const TIMEOUTS = ['--statement-timeout', '2m', '--pool-timeout', '1m']

function startInstance(url: string, ...extraFlags: string[]): Promise<ServiceProcess> {
  const flags = ['--data', createTempFolder(), '--database', url, '--log-level', 'warn', ...TIMEOUTS]
  return spawnServer([...flags, ...extraFlags])
}

async function createKeyAt(url: string): Promise<string> {
  const store = await openStoreAt(url)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  return key
}

function post(
  baseUrl: string,
  path: string,
  key: string,
  body: string,
  extraHeaders = {},
): Promise<HttpResponse> {
  const headers = { authorization: key, 'content-type': 'application/json', ...extraHeaders }
  return sendRequest(baseUrl, path, headers, 'POST', body)
}

async function read<Element>(baseUrl: string, path: string, key: string): Promise<Element[]> {
  const { status, text } = await sendRequest(baseUrl, path, { authorization: key })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

async function assertConsistent(url: string): Promise<{ scenarios: number; revisions: number }> {
  const { code, stdout, stderr } = await runAssayCommand([
    'check',
    '--json',
    '--data',
    createTempFolder(),
    '--database',
    url,
  ])
  assert.equal(code, 0, stdout + stderr)
  return JSON.parse(stdout)
}

const INSTANCES = 5
const connectionModes: [name: string, getPooler: () => PgBouncer | undefined][] = [
  ['directly', () => undefined],
  ['through PgBouncer', () => bouncer],
]

for (const [mode, getPooler] of connectionModes) {
  const skipReason = mode !== 'directly' && !bouncer && 'PgBouncer is not installed'
  const modeOptions = { skip: fullOptions.skip || skipReason }

  async function createEmptyDatabase(): Promise<{ directUrl: string; url: string }> {
    const directUrl = await freshDatabase(requireServer().url())
    return { directUrl, url: getPooler()?.url(new URL(directUrl).pathname.slice(1)) ?? directUrl }
  }

  test(
    `${INSTANCES} instances that start at once on an empty database create one store, ${mode}`,
    modeOptions,
    async (t) => {
      const { directUrl, url } = await createEmptyDatabase()
      const readLog = watchLog(requireServer())
      const services = await Promise.all(Array.from({ length: INSTANCES }, () => startInstance(url)))
      const rows = await query(directUrl, 'SELECT name FROM migration ORDER BY name')
      assert.deepEqual(
        rows.map(({ name }) => name),
        MIGRATIONS.map(({ name }) => name),
      )
      assert.equal(readLog().match(/CREATE TABLE project \(/g)?.length, 1, 'a migration ran twice')
      assert.equal(readLog().match(/CREATE TABLE migration \(/g)?.length, 1)
      assert.doesNotMatch(readLog(), /ERROR:|FATAL:|PANIC:/)
      const key = await createKeyAt(directUrl)
      for (const [index, { baseUrl, stderr }] of services.entries()) {
        assert.equal((await sendRequest(baseUrl, '/readyz')).status, 200)
        assert.equal((await post(baseUrl, scenariosPath('e'), key, `[{"id":"of-${index}"}]`)).status, 201)
        assert.equal(stderr(), '')
      }
      for (const { baseUrl } of services)
        assert.equal((await read(baseUrl, scenariosPath('e'), key)).length, INSTANCES)
      reportMeasurements(t, { instances: INSTANCES, migrations: 1, wrong: 0 })
    },
  )

  test(
    `${INSTANCES} instances that start at once with --sample load the sample once, ${mode}`,
    modeOptions,
    async () => {
      const { directUrl, url } = await createEmptyDatabase()
      const readLog = watchLog(requireServer())
      const services = await Promise.all(
        Array.from({ length: INSTANCES }, () => startInstance(url, '--sample')),
      )
      assert.doesNotMatch(readLog(), /ERROR:|FATAL:|PANIC:/)
      const key = await createKeyAt(directUrl)
      for (const { baseUrl } of services) {
        const evaluations = await read<{ id: string; scenario_count: number }>(baseUrl, EVALUATIONS, key)
        const counts = evaluations.map(({ id, scenario_count }) => [id, scenario_count] as const)
        const expected = [...sampleEvaluations()].map(
          ({ evaluation, scenarios }) => [evaluation.id, scenarios.length] as const,
        )
        assert.deepEqual(new Map(counts), new Map(expected))
        assert.equal(evaluations.length, expected.length)
        assert.equal((await read(baseUrl, VARIANTS, key)).length, [...sampleVariants()].length)
      }
      await assertConsistent(directUrl)
    },
  )

  test(
    `clients that disconnect in the middle of a response do not affect others, ${mode}`,
    modeOptions,
    async () => {
      const { directUrl, url } = await createEmptyDatabase()
      const store = await openStoreAt(directUrl)
      await fillCorpus(store)
      const largePath = `${scenariosPath(await addLargeEvaluation(store, 2000))}?format=csv`
      const keys = [(await createTestKey(store)).key, (await createTestKey(store, { project: 'other' })).key]
      await store.close()
      await query(
        directUrl,
        `ALTER DATABASE ${new URL(directUrl).pathname.slice(1)} SET log_statement = 'all'`,
      )
      const { baseUrl } = await startInstance(url)
      // Both projects have these ids, with different content.
      const reads = keys.flatMap((key) =>
        [revisionsPath('shared'), EVALUATIONS].map((path) => ({ key, path })),
      )
      const expected: string[] = []
      for (const { key, path } of reads)
        expected.push((await sendRequest(baseUrl, path, { authorization: key })).text)
      assert.equal(new Set(expected).size, reads.length)

      const readLog = watchLog(requireServer())
      for (let round = 0; round < 60; round += 1) {
        const encoding = ['identity', 'gzip', 'br', 'zstd'][round % 4] ?? ''
        await requestAndDisconnect(`${baseUrl}${largePath}`, {
          authorization: keys[0] ?? '',
          'accept-encoding': encoding,
        })
        // Sent at once, because the next request can get the database connection of the aborted one.
        const index = round % reads.length
        const { key = '', path = '' } = reads[index] ?? {}
        const { status, text } = await sendRequest(baseUrl, path, { authorization: key })
        assert.equal(status, 200, `round ${round}, after a client with ${encoding} disconnected: ${text}`)
        assert.equal(text, expected[index])
      }
      const strayStatements = findStrayStatements(readLog())
      assert.equal(
        strayStatements.length,
        0,
        `a statement ran after its transaction ended: ${strayStatements[0]}`,
      )
    },
  )
}

/** Sends a request and closes the connection as soon as the response starts. */
async function requestAndDisconnect(url: string, headers: Record<string, string>): Promise<void> {
  const outgoing = request(url, { headers, agent: false }).end()
  outgoing.on('error', () => undefined)
  const [response] = await once(outgoing, 'response')
  response.destroy()
}

/** Returns the read statements in the log that ran outside of a transaction. */
function findStrayStatements(log: string): string[] {
  const inTransaction = new Set<string>()
  const strayStatements: string[] = []
  for (const [, process = '', statement = ''] of log.matchAll(STATEMENT)) {
    if (statement.startsWith('BEGIN')) inTransaction.add(process)
    else if (/^(ROLLBACK|COMMIT)/.test(statement)) inTransaction.delete(process)
    // PgBouncer sends statements of its own.
    else if (/^(SELECT|COPY)/.test(statement) && !inTransaction.has(process)) strayStatements.push(statement)
  }
  return strayStatements
}

const STATEMENT = /\[(\d+)\] LOG: {2}(?:statement|execute <unnamed>): (.*)/g

/** A round-robin load balancer: sends each request to the next ready instance, on a new connection. */
class Balancer {
  readonly instances: (ServiceProcess | undefined)[]
  /** How often an instance was skipped because it was not ready. */
  skipCount = 0
  #next = 0

  constructor(instances: ServiceProcess[]) {
    this.instances = instances
  }

  async send(...[path, headers, method, body]: [string, Record<string, string>, string?, string?]) {
    for (let tries = 0; tries < 2 * this.instances.length; tries += 1) {
      this.#next += 1
      const instance = this.instances[this.#next % this.instances.length]
      if (!instance || !(await isReady(instance))) {
        this.skipCount += 1
        continue
      }
      try {
        return await sendRequest(instance.baseUrl, path, headers, method, body)
      } catch (error) {
        // Nothing was sent, so the request can be sent to another instance. Other errors fail the test.
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error
      }
    }
    throw new Error('No instance is ready')
  }
}

async function isReady({ baseUrl }: ServiceProcess): Promise<boolean> {
  return sendRequest(baseUrl, '/readyz').then(
    ({ status }) => status === 200,
    () => false,
  )
}

test('a rolling restart fails no request and stores every write exactly once', fullOptions, async (t) => {
  const url = await freshDatabase(requireServer().url())
  const key = await createKeyAt(url)
  const balancer = new Balancer(
    await Promise.all([startInstance(url), startInstance(url), startInstance(url)]),
  )
  let isStopped = false
  t.after(() => {
    isStopped = true
  })
  const acknowledgedIds: string[] = []
  let readCount = 0

  async function writeAndRead(name: string): Promise<void> {
    const json = { authorization: key, 'content-type': 'application/json' }
    for (let count = 0; !isStopped; count += 1) {
      // Few scenarios per evaluation keep the responses small.
      const path = scenariosPath(`${name}-${Math.floor(count / 20)}`)
      const id = `${name}-${count}`
      const writeResponse = await balancer.send(path, json, 'POST', `[{"id":"${id}"}]`)
      assert.equal(writeResponse.status, 201, writeResponse.text)
      assert.deepEqual(JSON.parse(writeResponse.text), { accepted: 1, unchanged: 0 })
      acknowledgedIds.push(id)
      const response = await balancer.send(path, { authorization: key })
      assert.equal(response.status, 200, response.text)
      assert.ok(response.text.includes(`"id":"${id}"`), 'the write is missing in the next read')
      readCount += 1
      // Leaves CPU time to the instance that is starting.
      await delay(10)
    }
  }
  const workers = Promise.all(['a', 'b', 'c'].map(writeAndRead))
  workers.catch(() => undefined)

  for (let restart = 0; restart < 3; restart += 1) {
    const index = restart % balancer.instances.length
    const { child } = balancer.instances[index] ?? assert.fail()
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    // Sends some requests while the instance is down, and some after it is back.
    await Promise.race([workers, waitForIncrease(() => acknowledgedIds.length, 10)])
    balancer.instances[index] = await startInstance(url)
    await Promise.race([workers, waitForIncrease(() => acknowledgedIds.length, 10)])
  }
  isStopped = true
  await workers
  reportMeasurements(t, {
    rounds: 3,
    cases: acknowledgedIds.length + readCount,
    lost: 0,
    skipped_instances: balancer.skipCount,
  })
  const rows = await query(url, 'SELECT id FROM scenario')
  assert.deepEqual(rows.map(({ id }) => id).sort(), acknowledgedIds.toSorted())
  await assertConsistent(url)
})

/** Waits until the count has increased by `increase`. */
async function waitForIncrease(getCount: () => number, increase: number): Promise<void> {
  const goal = getCount() + increase
  while (getCount() < goal) await delay(5)
}

test('an instance drops no request after SIGTERM', fullOptions, async (t) => {
  const url = await freshDatabase(requireServer().url())

  async function waitForExit({ child }: ServiceProcess): Promise<void> {
    if (child.exitCode === null) await once(child, 'exit')
    assert.equal(child.exitCode, 0)
  }

  await t.test(
    'a request that arrives just after SIGTERM gets a response, or its connection is rejected',
    async (t) => {
      const outcomes: Record<string, number> = {}
      for (let round = 0; round < 3; round += 1) {
        const service = await startInstance(url)
        // A load balancer sends requests to an instance that was ready at its last check.
        assert.equal((await sendRequest(service.baseUrl, '/readyz')).status, 200)
        service.child.kill('SIGTERM')
        const responses = Array.from({ length: 4 }, () => sendRequest(service.baseUrl, '/livez'))
        for (const outcome of await Promise.allSettled(responses)) {
          const result = outcome.status === 'fulfilled' ? outcome.value.status : outcome.reason.code
          outcomes[result] = (outcomes[result] ?? 0) + 1
        }
        await waitForExit(service)
      }
      t.diagnostic(JSON.stringify(outcomes))
      const { 200: succeededCount = 0, ECONNREFUSED: rejectedCount = 0, ...otherOutcomes } = outcomes
      assert.deepEqual(otherOutcomes, {}, 'a connection was accepted and then reset')
      assert.equal(succeededCount + rejectedCount, 12)
    },
  )

  await t.test('the instance sends Connection: close on keep-alive connections', async (t) => {
    const service = await startInstance(url)
    let count = 0
    /** Sends one request after the other on one connection until it cannot be reused. Returns the reason. */
    async function sendUntilClosed(): Promise<string> {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      t.after(() => agent.destroy())
      for (;;) {
        const connection = await readConnectionHeader(agent, `${service.baseUrl}/livez`)
        if (connection !== 'keep-alive') return connection
        count += 1
      }
    }
    const clients = Array.from({ length: 8 }, sendUntilClosed)
    await waitForIncrease(() => count, 100)
    service.child.kill('SIGTERM')
    assert.deepEqual(await Promise.all(clients), Array(8).fill('close'))
    await waitForExit(service)
  })
})

/** Returns the Connection header of the response, or the error code of a failed request. */
function readConnectionHeader(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request(url, { agent }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.headers.connection ?? 'no Connection header'))
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    outgoing.end()
  })
}

const BATCH_COUNT = 20
const BATCH_SIZE = 25

test('concurrent writes to two instances are consistent', { skip: POSTGRES_ONLY }, async (t) => {
  const url = await freshDatabase(await serverUrl())
  // Both create the tables.
  const [firstService, secondService] = await Promise.all([startInstance(url), startInstance(url)])
  const key = await createKeyAt(url)
  const baseUrls = [firstService, secondService].map(({ baseUrl }) => baseUrl)

  function createBatch(name: string, index: number): string {
    // Scenarios have different input columns.
    const scenarios = Array.from({ length: BATCH_SIZE }, (_, position) => ({
      id: `${name}-${index}-${position}`,
      inputs: [{ name: `input ${(index + position) % 7}`, type: 'text', value: 'x' }],
    }))
    return JSON.stringify(scenarios)
  }
  const indexes = Array.from({ length: BATCH_COUNT }, (_, index) => index)

  /** Sends requests to both instances at the same time and returns the responses in pairs. */
  function sendToBoth(
    send: (baseUrl: string, name: string, index: number) => Promise<HttpResponse>,
  ): Promise<HttpResponse[][]> {
    return Promise.all(
      indexes.map((index) =>
        Promise.all(baseUrls.map((base, instance) => send(base, `i${instance}`, index))),
      ),
    )
  }

  await t.test(
    'two instances store every scenario once, with the scenarios of a batch next to each other',
    async () => {
      const responses = await sendToBoth((base, name, index) =>
        post(base, scenariosPath('own'), key, createBatch(name, index)),
      )
      for (const { status, text } of responses.flat()) {
        assert.deepEqual([status, JSON.parse(text)], [201, { accepted: BATCH_SIZE, unchanged: 0 }])
      }
      const ids = (await read<{ id: string }>(firstService.baseUrl, scenariosPath('own'), key)).map(
        ({ id }) => id,
      )
      assert.equal(ids.length, 2 * BATCH_COUNT * BATCH_SIZE)
      assert.equal(new Set(ids).size, ids.length)
      const batches = Array.from({ length: 2 * BATCH_COUNT }, (_, index) =>
        ids.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
      )
      for (const batchIds of batches) {
        const [first = ''] = batchIds
        const expected = batchIds.map((_, position) => first.replace(/-0$/, `-${position}`))
        assert.deepEqual(batchIds, expected)
      }
      const [row] = await query(
        url,
        `SELECT count(DISTINCT position)::int AS positions, max(scenario_count)::int AS counted,
         max(body_bytes)::int AS bytes, sum(octet_length(body))::int AS stored
       FROM scenario JOIN evaluation ON key = evaluation WHERE evaluation.id = 'own'`,
      )
      assert.deepEqual([row?.positions, row?.counted, row?.bytes], [ids.length, ids.length, row?.stored])
    },
  )

  await t.test('two instances store a scenario once when both instances receive it', async () => {
    const responses = await sendToBoth((base, _, index) =>
      post(base, scenariosPath('same'), key, createBatch('s', index)),
    )
    for (const pair of responses) {
      const accepted = pair.map(({ text }) => JSON.parse(text)).sort((a, b) => a.accepted - b.accepted)
      assert.deepEqual(accepted, [
        { accepted: 0, unchanged: BATCH_SIZE },
        { accepted: BATCH_SIZE, unchanged: 0 },
      ])
    }
    assert.equal(
      (await read(firstService.baseUrl, scenariosPath('same'), key)).length,
      BATCH_COUNT * BATCH_SIZE,
    )
  })

  await t.test('two instances number revisions uniquely and without gaps', async () => {
    const responses = await sendToBoth((base, name, index) =>
      post(base, revisionsPath('v'), key, revisionBody(`{"config_name":"${name}-${index}"}`)),
    )
    for (const { status, text } of responses.flat()) assert.equal(status, 201, text)
    const numbers = responses.flat().map(({ text }) => JSON.parse(text).revision as number)
    const expected = Array.from({ length: 2 * BATCH_COUNT }, (_, index) => index + 1)
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      expected,
    )
    const stored = await read<{ revision: number }>(secondService.baseUrl, revisionsPath('v'), key)
    assert.deepEqual(
      stored.map(({ revision }) => revision),
      expected,
    )
  })

  await t.test('two instances create an evaluation once, and return 409 for different content', async () => {
    const responses = await sendToBoth((base, name, index) =>
      post(base, EVALUATIONS, key, JSON.stringify({ id: `made-${index}`, name: index % 2 ? 'same' : name })),
    )
    for (const [index, pair] of responses.entries()) {
      const statuses = pair.map(({ status }) => status).sort()
      assert.deepEqual(statuses, index % 2 ? [201, 201] : [201, 409])
    }
  })

  await t.test(
    'two instances process a request once per Idempotency-Key, and return the same response or 409',
    async (t) => {
      const path = revisionsPath('once')
      const responses = await sendToBoth((base, _, index) =>
        post(base, path, key, revisionBody(), { 'idempotency-key': `token-${index}` }),
      )
      let conflicts = 0
      for (const pair of responses) {
        const stored = pair.filter(({ status }) => status === 201)
        assert.ok(stored.length > 0)
        assert.equal(
          new Set(stored.map(({ text }) => text)).size,
          1,
          'two different responses to one request',
        )
        for (const response of pair.filter(({ status }) => status !== 201)) {
          checkProblem(response, 409, 'conflict')
          conflicts += 1
        }
      }
      t.diagnostic(`conflicts: ${conflicts}`)
      assert.equal((await read(firstService.baseUrl, path, key)).length, BATCH_COUNT)
    },
  )
  await assertConsistent(url)
})

/** Runs test files whose stores are reached through PgBouncer. */
async function runThroughPgBouncer(bouncer: PgBouncer, t: TestContext, ...files: string[]): Promise<void> {
  // Without this variable, Node starts a separate test run.
  const { NODE_TEST_CONTEXT, ...env } = testEnvironment({
    engine: 'postgres',
    // The files run at full strength without PgBouncer.
    profile: 'quick',
    serverUrl: bouncer.url('postgres'),
  })
  const paths = files.map((file) => new URL(`../../${file}`, import.meta.url).pathname)
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', ...paths], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output)
  const passed = Number(/^ℹ pass (\d+)$/m.exec(output)?.[1])
  reportMeasurements(t, { cases: passed })
  assert.ok(passed > 0, output)
}

/** Without postgres.test.ts, which connects with startup parameters and roles that PgBouncer does not forward. */
const BOUNCER_FILES = [
  'http/routes/*.test.ts',
  'http/request/idempotency.test.ts',
  'http/response/fidelity.test.ts',
  ...['evaluations', 'reads', 'resources', 'scenarios', 'scores'].map((name) => `store/${name}/*.test.ts`),
  'store/dialect/batches.test.ts',
  'store/dialect/query-snapshots.test.ts',
]

test('the tests of routes and of the store pass through PgBouncer', {
  skip: fullOptions.skip || (!bouncer && 'PgBouncer is not installed'),
}, async (t) => {
  assert.ok(bouncer)
  await runThroughPgBouncer(bouncer, t, ...BOUNCER_FILES)
})
