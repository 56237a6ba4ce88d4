// Several instances of the service on one database: started at the same moment, restarted one after the other under
// load, and writing to the same things at once; directly and behind PgBouncer, which lends its connections for one
// transaction at a time.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addLargeEvaluation } from '../../bench/data.ts'
import type { ServiceProcess } from '../../bench/service.ts'
import { openAt } from '../../bench/store.ts'
import { sampleEvaluations, sampleVariants } from '../../sample/sample.ts'
import { fillCorpus } from '../corpus.ts'
import { assay, ENGINE, freshFolder, mint, spawnServer } from '../harness.ts'
import { type Cluster, freshDatabase, query, startCluster } from '../postgres/cluster.ts'
import { type PgBouncer, startPgBouncer } from '../postgres/pgbouncer.ts'
import { type Answer, ask, checkProblem } from '../wire.ts'
import { EVALUATIONS, revision, revisionsOf, scenariosOf, VARIANTS } from '../writes.ts'

const options = { skip: ENGINE === 'sqlite' && 'runs with the tests on PostgreSQL' }

/** Says which tables it makes, and what fails. */
const server = options.skip ? undefined : await startCluster({ flags: ['-c', 'log_statement=ddl'] })
const bouncer = server && (await startPgBouncer(server.url()))

function theServer(): Cluster {
  assert.ok(server)
  return server
}

function logFrom({ folder }: Cluster): () => string {
  const file = join(folder, 'log')
  const start = statSync(file).size
  return () => readFileSync(file).subarray(start).toString()
}

function start(url: string, ...more: string[]): Promise<ServiceProcess> {
  return spawnServer(['--data', freshFolder(), '--database', url, '--log-level', 'warn', ...more])
}

async function mintAt(url: string): Promise<string> {
  const store = await openAt(url)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  await store.close()
  return key
}

function post(base: string, to: string, key: string, body: string, fields = {}): Promise<Answer> {
  const headers = { authorization: key, 'content-type': 'application/json', ...fields }
  return ask(base, to, headers, 'POST', body)
}

async function read<Element>(base: string, path: string, key: string): Promise<Element[]> {
  const { status, text } = await ask(base, path, { authorization: key })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

async function assertSound(url: string): Promise<{ scenarios: number; revisions: number }> {
  const { code, stdout, stderr } = await assay([
    'check',
    '--json',
    '--data',
    freshFolder(),
    '--database',
    url,
  ])
  assert.equal(code, 0, stdout + stderr)
  return JSON.parse(stdout)
}

const MIGRATIONS = readdirSync(new URL('../../src/store/migrations', import.meta.url))
  .filter((file) => /^\d/.test(file))
  .map((file) => file.replace('.ts', ''))
  .sort()

const INSTANCES = 3
const ways: [name: string, through: () => PgBouncer | undefined][] = [
  ['directly', () => undefined],
  ['through PgBouncer', () => bouncer],
]

for (const [way, through] of ways) {
  const isMissing = way !== 'directly' && !bouncer && 'PgBouncer is not installed'
  const here = { skip: options.skip || isMissing }

  async function emptyDatabase(): Promise<{ direct: string; url: string }> {
    const direct = await freshDatabase(theServer().url())
    return { direct, url: through()?.url(new URL(direct).pathname.slice(1)) ?? direct }
  }

  test(
    `${INSTANCES} instances started at once on an empty database make one store, ${way}`,
    here,
    async () => {
      const { direct, url } = await emptyDatabase()
      const log = logFrom(theServer())
      const services = await Promise.all(Array.from({ length: INSTANCES }, () => start(url)))
      const rows = await query(direct, 'SELECT name FROM migration ORDER BY name')
      assert.deepEqual(
        rows.map(({ name }) => name),
        MIGRATIONS,
      )
      assert.equal(log().match(/CREATE TABLE project \(/g)?.length, 1, 'a migration was begun twice')
      assert.equal(log().match(/CREATE TABLE migration \(/g)?.length, 1)
      assert.doesNotMatch(log(), /ERROR:|FATAL:|PANIC:/)
      const key = await mintAt(direct)
      for (const [index, { base, stderr }] of services.entries()) {
        assert.equal((await ask(base, '/readyz')).status, 200)
        assert.equal((await post(base, scenariosOf('e'), key, `[{"id":"of-${index}"}]`)).status, 201)
        assert.equal(stderr(), '')
      }
      for (const { base } of services)
        assert.equal((await read(base, scenariosOf('e'), key)).length, INSTANCES)
    },
  )

  test(`${INSTANCES} instances started at once with --sample load it once, ${way}`, here, async () => {
    const { direct, url } = await emptyDatabase()
    const log = logFrom(theServer())
    const services = await Promise.all(Array.from({ length: INSTANCES }, () => start(url, '--sample')))
    assert.doesNotMatch(log(), /ERROR:|FATAL:|PANIC:/)
    const key = await mintAt(direct)
    for (const { base } of services) {
      const evaluations = await read<{ id: string; scenario_count: number }>(base, EVALUATIONS, key)
      const counts = evaluations.map(({ id, scenario_count }) => [id, scenario_count] as const)
      const expected = [...sampleEvaluations()].map((of) => [of.evaluation.id, of.scenarios.length] as const)
      assert.deepEqual(new Map(counts), new Map(expected))
      assert.equal(evaluations.length, expected.length)
      assert.equal((await read(base, VARIANTS, key)).length, [...sampleVariants()].length)
    }
    await assertSound(direct)
  })

  test(`clients that go away in the middle of an answer disturb nobody, ${way}`, here, async () => {
    const { direct, url } = await emptyDatabase()
    const store = await openAt(direct)
    await fillCorpus(store)
    const large = `${scenariosOf(await addLargeEvaluation(store, 2000))}?format=csv`
    const keys = [(await mint(store)).key, (await mint(store, { project: 'other' })).key]
    await store.close()
    await query(direct, `ALTER DATABASE ${new URL(direct).pathname.slice(1)} SET log_statement = 'all'`)
    const { base } = await start(url, '--statement-timeout', '1s')
    // Both projects have it, each with another content.
    const reads = keys.flatMap((key) => [revisionsOf('shared'), EVALUATIONS].map((path) => ({ key, path })))
    const expected: string[] = []
    for (const { key, path } of reads) expected.push((await ask(base, path, { authorization: key })).text)
    assert.equal(new Set(expected).size, reads.length)

    const log = logFrom(theServer())
    for (let times = 0; times < 60; times += 1) {
      const coding = ['identity', 'gzip', 'br', 'zstd'][times % 4] ?? ''
      await beginAndLeave(`${base}${large}`, { authorization: keys[0] ?? '', 'accept-encoding': coding })
      // At once: whoever comes next may get the connection to the store that the client has left.
      const index = times % reads.length
      const { key = '', path = '' } = reads[index] ?? {}
      const { status, text } = await ask(base, path, { authorization: key })
      assert.equal(status, 200, `after ${times} clients, the last with ${coding}: ${text}`)
      assert.equal(text, expected[index])
    }
    const stray = strayStatements(log())
    assert.equal(stray.length, 0, `behind the end of its transaction: ${stray[0]}`)
  })
}

/** Asks for something and closes the connection at the first bytes of the answer. */
async function beginAndLeave(url: string, headers: Record<string, string>): Promise<void> {
  const sending = request(url, { headers, agent: false }).end()
  sending.on('error', () => undefined)
  const [response] = await once(sending, 'response')
  response.destroy()
}

/** The beginnings of reads that came outside of a transaction, as a log of everything shows them. */
function strayStatements(log: string): string[] {
  const inTransaction = new Set<string>()
  const stray: string[] = []
  for (const [, process = '', statement = ''] of log.matchAll(STATEMENT)) {
    if (statement.startsWith('BEGIN')) inTransaction.add(process)
    else if (/^(ROLLBACK|COMMIT)/.test(statement)) inTransaction.delete(process)
    // PgBouncer has statements of its own.
    else if (/^(SELECT|COPY)/.test(statement) && !inTransaction.has(process)) stray.push(statement)
  }
  return stray
}

const STATEMENT = /\[(\d+)\] LOG: {2}(?:statement|execute <unnamed>): (.*)/g

/** Like one before a service: each request goes to the next instance that is ready, on a connection of its own. */
class Balancer {
  readonly instances: (ServiceProcess | undefined)[]
  /** How often an instance was passed over because it was not ready. */
  passed = 0
  #turn = 0

  constructor(instances: ServiceProcess[]) {
    this.instances = instances
  }

  async send(...[path, headers, method, body]: [string, Record<string, string>, string?, string?]) {
    for (let tries = 0; tries < 2 * this.instances.length; tries += 1) {
      this.#turn += 1
      const instance = this.instances[this.#turn % this.instances.length]
      if (!instance || !(await isReady(instance))) {
        this.passed += 1
        continue
      }
      try {
        return await ask(instance.base, path, headers, method, body)
      } catch (error) {
        // Nothing was sent: another one can have it. Whatever else fails has failed for the client.
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error
      }
    }
    throw new Error('No instance is ready')
  }
}

async function isReady({ base }: ServiceProcess): Promise<boolean> {
  return ask(base, '/readyz').then(
    ({ status }) => status === 200,
    () => false,
  )
}

test('a rolling restart fails no request, and loses and doubles no write', options, async (t) => {
  const url = await freshDatabase(theServer().url())
  const key = await mintAt(url)
  const balancer = new Balancer(await Promise.all([start(url), start(url), start(url)]))
  let isOver = false
  t.after(() => {
    isOver = true
  })
  const acknowledged: string[] = []
  let reads = 0

  async function work(name: string): Promise<void> {
    const json = { authorization: key, 'content-type': 'application/json' }
    for (let count = 0; !isOver; count += 1) {
      // So few in each that reading them stays small.
      const path = scenariosOf(`${name}-${Math.floor(count / 20)}`)
      const id = `${name}-${count}`
      const written = await balancer.send(path, json, 'POST', `[{"id":"${id}"}]`)
      assert.equal(written.status, 201, written.text)
      assert.deepEqual(JSON.parse(written.text), { accepted: 1, unchanged: 0 })
      acknowledged.push(id)
      const answer = await balancer.send(path, { authorization: key })
      assert.equal(answer.status, 200, answer.text)
      assert.ok(answer.text.includes(`"id":"${id}"`), 'what was written is not read')
      reads += 1
      // Leaves the processor to the instance that starts meanwhile.
      await delay(10)
    }
  }
  const working = Promise.all(['a', 'b', 'c'].map(work))
  working.catch(() => undefined)

  for (let restart = 0; restart < 3; restart += 1) {
    const index = restart % balancer.instances.length
    const { child } = balancer.instances[index] ?? assert.fail()
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    // A while without it, and a while with it, for the others to be asked and for it to be asked again.
    await Promise.race([working, counted(() => acknowledged.length, 10)])
    balancer.instances[index] = await start(url)
    await Promise.race([working, counted(() => acknowledged.length, 10)])
  }
  isOver = true
  await working
  t.diagnostic(`${acknowledged.length} writes, ${reads} reads, ${balancer.passed} times passed over`)
  const rows = await query(url, 'SELECT id FROM scenario')
  assert.deepEqual(rows.map(({ id }) => id).sort(), acknowledged.toSorted())
  await assertSound(url)
})

/** Resolves when so many more have been counted. */
async function counted(count: () => number, more: number): Promise<void> {
  const goal = count() + more
  const deadline = Date.now() + 30_000
  while (count() < goal) {
    assert.ok(Date.now() < deadline, 'the work has come to a halt')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('an instance that is asked to end drops no request', options, async (t) => {
  const url = await freshDatabase(theServer().url())

  async function ended({ child }: ServiceProcess): Promise<void> {
    if (child.exitCode === null) await once(child, 'exit')
    assert.equal(child.exitCode, 0)
  }

  await t.test('that comes just behind SIGTERM: it answers it, or takes no connection', async (t) => {
    const outcomes: Record<string, number> = {}
    for (let round = 0; round < 3; round += 1) {
      const service = await start(url)
      // A balancer has heard that it is ready, and sends what it has.
      assert.equal((await ask(service.base, '/readyz')).status, 200)
      service.child.kill('SIGTERM')
      const asked = Array.from({ length: 4 }, () => ask(service.base, '/livez'))
      for (const outcome of await Promise.allSettled(asked)) {
        const how = outcome.status === 'fulfilled' ? outcome.value.status : outcome.reason.code
        outcomes[how] = (outcomes[how] ?? 0) + 1
      }
      await ended(service)
    }
    t.diagnostic(JSON.stringify(outcomes))
    const { 200: answered = 0, ECONNREFUSED: refused = 0, ...others } = outcomes
    assert.deepEqual(others, {}, 'a connection was taken and reset')
    assert.equal(answered + refused, 12)
  })

  await t.test('of clients that keep their connections: it tells them to leave', async (t) => {
    const service = await start(url)
    let count = 0
    /** One request behind the other on one connection, until there are no more; resolves with why. */
    async function goOn(): Promise<string> {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      t.after(() => agent.destroy())
      for (;;) {
        const how = await answerOn(agent, `${service.base}/livez`)
        if (how !== 'keep-alive') return how
        count += 1
      }
    }
    const clients = Array.from({ length: 8 }, goOn)
    await counted(() => count, 100)
    service.child.kill('SIGTERM')
    assert.deepEqual(await Promise.all(clients), Array(8).fill('close'))
    await ended(service)
  })
})

/** What the service says becomes of the connection, or how the request failed. */
function answerOn(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve) => {
    const sending = request(url, { agent }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.headers.connection ?? 'no word'))
    })
    sending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sending.end()
  })
}

const BATCHES = 20
const BATCH = 25

test('two instances that write the same things at once', options, async (t) => {
  const url = await freshDatabase(theServer().url())
  const key = await mintAt(url)
  const [one, two] = await Promise.all([start(url), start(url)])
  const both = [one, two].map(({ base }) => base)

  function batch(name: string, index: number): string {
    // Not all of them bring the same columns.
    const scenarios = Array.from({ length: BATCH }, (_, at) => ({
      id: `${name}-${index}-${at}`,
      inputs: [{ name: `input ${(index + at) % 7}`, type: 'text', value: 'x' }],
    }))
    return JSON.stringify(scenarios)
  }
  const indexes = Array.from({ length: BATCHES }, (_, index) => index)

  /** Every answer to what is sent to both at the same time, in pairs. */
  function fromBoth(
    send: (base: string, name: string, index: number) => Promise<Answer>,
  ): Promise<Answer[][]> {
    return Promise.all(
      indexes.map((index) => Promise.all(both.map((base, at) => send(base, `i${at}`, index)))),
    )
  }

  await t.test('add every scenario with an id of its own once, each batch in one piece', async () => {
    const answers = await fromBoth((base, name, index) =>
      post(base, scenariosOf('own'), key, batch(name, index)),
    )
    for (const { status, text } of answers.flat()) {
      assert.deepEqual([status, JSON.parse(text)], [201, { accepted: BATCH, unchanged: 0 }])
    }
    const ids = (await read<{ id: string }>(one.base, scenariosOf('own'), key)).map(({ id }) => id)
    assert.equal(ids.length, 2 * BATCHES * BATCH)
    assert.equal(new Set(ids).size, ids.length)
    const pieces = Array.from({ length: 2 * BATCHES }, (_, at) => ids.slice(at * BATCH, (at + 1) * BATCH))
    for (const piece of pieces) {
      const [first = ''] = piece
      const expected = piece.map((_, at) => first.replace(/-0$/, `-${at}`))
      assert.deepEqual(piece, expected)
    }
    const [row] = await query(
      url,
      `SELECT count(DISTINCT position)::int AS positions, max(scenario_count)::int AS counted,
         max(body_bytes)::int AS bytes, sum(octet_length(body))::int AS stored
       FROM scenario JOIN evaluation ON key = evaluation WHERE evaluation.id = 'own'`,
    )
    assert.deepEqual([row?.positions, row?.counted, row?.bytes], [ids.length, ids.length, row?.stored])
    await assertSound(url)
  })

  await t.test('add a scenario that both have once', async () => {
    const answers = await fromBoth((base, _, index) =>
      post(base, scenariosOf('same'), key, batch('s', index)),
    )
    for (const pair of answers) {
      const accepted = pair.map(({ text }) => JSON.parse(text)).sort((a, b) => a.accepted - b.accepted)
      assert.deepEqual(accepted, [
        { accepted: 0, unchanged: BATCH },
        { accepted: BATCH, unchanged: 0 },
      ])
    }
    assert.equal((await read(one.base, scenariosOf('same'), key)).length, BATCHES * BATCH)
    await assertSound(url)
  })

  await t.test('give every revision a number of its own, without a gap', async () => {
    const answers = await fromBoth((base, name, index) =>
      post(base, revisionsOf('v'), key, revision(`{"config_name":"${name}-${index}"}`)),
    )
    for (const { status, text } of answers.flat()) assert.equal(status, 201, text)
    const numbers = answers.flat().map(({ text }) => JSON.parse(text).revision as number)
    const expected = Array.from({ length: 2 * BATCHES }, (_, at) => at + 1)
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      expected,
    )
    const stored = await read<{ revision: number }>(two.base, revisionsOf('v'), key)
    assert.deepEqual(
      stored.map(({ revision }) => revision),
      expected,
    )
    await assertSound(url)
  })

  await t.test('make an evaluation once, or refuse the one that says something else', async () => {
    const answers = await fromBoth((base, name, index) =>
      post(base, EVALUATIONS, key, JSON.stringify({ id: `made-${index}`, name: index % 2 ? 'same' : name })),
    )
    for (const [index, pair] of answers.entries()) {
      const statuses = pair.map(({ status }) => status).sort()
      assert.deepEqual(statuses, index % 2 ? [201, 201] : [201, 409])
    }
    await assertSound(url)
  })

  await t.test('store once what comes with one Idempotency-Key, and answer both alike', async (t) => {
    const path = revisionsOf('once')
    const answers = await fromBoth((base, _, index) =>
      post(base, path, key, revision(), { 'idempotency-key': `token-${index}` }),
    )
    let conflicts = 0
    for (const pair of answers) {
      const stored = pair.filter(({ status }) => status === 201)
      assert.ok(stored.length > 0)
      assert.equal(new Set(stored.map(({ text }) => text)).size, 1, 'two answers to one request')
      for (const answer of pair.filter(({ status }) => status !== 201)) {
        checkProblem(answer, 409, 'conflict')
        conflicts += 1
      }
    }
    t.diagnostic(`asked to come again: ${conflicts}`)
    assert.equal((await read(one.base, path, key)).length, BATCHES)
    await assertSound(url)
  })
})

/** Runs test files with their stores behind PgBouncer. */
async function runBehind(bouncer: PgBouncer, t: TestContext, ...files: string[]): Promise<void> {
  // A run of its own: without the variable of the run that this one is a part of.
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const paths = files.map((file) => new URL(`../${file}`, import.meta.url).pathname)
  const child = spawn(process.execPath, ['--test', '--test-reporter=spec', ...paths], {
    env: { ...env, ASSAY_TEST_ENGINE: 'postgres', ASSAY_TEST_SERVER: bouncer.url('postgres') },
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
  t.diagnostic(`${passed} tests passed`)
  assert.ok(passed > 0, output)
}

test('the contract of the reads, and the snapshots below it, hold behind PgBouncer', {
  skip: options.skip || (!bouncer && 'PgBouncer is not installed'),
}, async (t) => {
  assert.ok(bouncer)
  await runBehind(bouncer, t, 'http/contract.test.ts', 'store/elements.test.ts')
})
