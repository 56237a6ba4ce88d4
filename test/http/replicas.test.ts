// The service with a primary and a streaming replica: what is read where, that whoever has written reads what was
// written, and what is left when either server is away or the replica gives up a query. Which server was asked is
// taken from the logs of the servers, which name every statement.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { addLargeEvaluation } from '../../bench/data.ts'
import type { ServiceProcess } from '../../bench/service.ts'
import { openAt } from '../../bench/store.ts'
import { fillCorpus } from '../corpus.ts'
import { assay, ENGINE, freshFolder, mint, NOTHING_KEPT, spawnServer } from '../harness.ts'
import { type Cluster, freshDatabase, query, startCluster } from '../postgres/cluster.ts'
import { pauseReplay, resumeReplay, startReplica } from '../postgres/replica.ts'
import { startProxy } from '../postgres/tcp-proxy.ts'
import { type Answer, ask, checkProblem } from '../wire.ts'
import {
  EVALUATIONS,
  FULL,
  OPERATIONS,
  REVISIONS,
  revision,
  revisionsOf,
  scenariosOf,
  VARIANTS,
} from '../writes.ts'

const options = { skip: ENGINE === 'sqlite' && 'runs with the tests on PostgreSQL' }

interface Pair {
  primary: Cluster
  replica: Cluster
}

async function startPair(...settings: string[]): Promise<Pair> {
  // Nothing is written by the server itself, so that the replica has what there is until a test writes.
  const quiet = ['autovacuum=off', 'log_statement=all', 'log_parameter_max_length=0']
  const flags = [...quiet, ...settings].flatMap((setting) => ['-c', setting])
  const primary = await startCluster({ flags })
  return { primary, replica: await startReplica(primary) }
}

/** One for all tests that leave both servers running. */
const shared = options.skip ? undefined : await startPair()

function sharedPair(): Pair {
  assert.ok(shared)
  return shared
}

interface Filled {
  /** URLs of one database, on each server. */
  database: string
  replica: string
  key: string
}

/** A database with the corpus and evaluations that are too large to be gathered before they are sent. */
async function filled(pair: Pair, ...counts: number[]): Promise<Filled> {
  const database = await freshDatabase(pair.primary.url())
  const store = await openAt(database)
  await fillCorpus(store)
  for (const count of counts.length === 0 ? [500] : counts) await addLargeEvaluation(store, count)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  await store.close()
  await caughtUp(pair)
  return { database, replica: pair.replica.url(new URL(database).pathname.slice(1)), key }
}

/** Resolves when the replica has everything that is committed now. */
async function caughtUp({ primary, replica }: Pair): Promise<void> {
  const [row] = await query(primary.url(), 'SELECT pg_current_wal_flush_lsn()::text AS place')
  const statement = `SELECT pg_last_wal_replay_lsn() >= '${row?.place}'::pg_lsn AS holds`
  await eventually('the replica catches up', async () => (await query(replica.url(), statement))[0]?.holds)
}

async function eventually(what: string, check: () => Promise<unknown>, limitMs = 30_000): Promise<void> {
  assert.ok(await within(limitMs, check), `${what} within ${limitMs} ms`)
}

/** Whether it comes to be true in so much time. */
async function within(limitMs: number, check: () => Promise<unknown>): Promise<boolean> {
  for (const deadline = Date.now() + limitMs; !(await check()); await delay(25)) {
    if (Date.now() > deadline) return false
  }
  return true
}

function serve({ database, replica }: Filled, ...more: string[]): Promise<ServiceProcess> {
  const flags = ['--data', freshFolder(), '--database', database, '--replica', replica]
  return spawnServer([...flags, ...NOTHING_KEPT, '--log-level', 'warn', ...more])
}

/** How many transactions a server has begun since this was called: to read from one state, and to write. */
function watch({ folder }: Cluster): { reads(): number; writes(): number; log(): string } {
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

interface Received {
  /** 0 where no answer began. */
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** Whether it ended, and was not broken off. */
  isWhole: boolean
}

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
  agent?: Agent
  /** Awaited between the head of the answer and the rest of it. */
  onHead?(): Promise<void>
}

/** What arrives of an answer, however it ends. */
function receive(
  url: string,
  { method = 'GET', headers = {}, body, agent, onHead }: Sent,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let hasBegun = false
    const sending = request(url, { method, headers, agent: agent ?? false })
    // Behind the head of an answer its own end says the same.
    sending.on('error', () => hasBegun || resolve({ status: 0, headers: {}, text: '', isWhole: false }))
    sending.on('response', async (response) => {
      hasBegun = true
      const { statusCode: status = 0, headers } = response
      response.on('error', () => undefined)
      response.on('close', () => {
        const text = Buffer.concat(parts).toString()
        resolve({ status, headers, text, isWhole: response.complete })
      })
      await onHead?.().catch(reject)
      response.on('data', (part) => parts.push(part))
    })
    sending.end(body)
  })
}

/** A client with one connection, which it keeps. */
function connection(base: string, authorization: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  after(() => agent.destroy())
  return (path: string, { headers, ...sent }: Sent = {}) =>
    receive(`${base}${path}`, { ...sent, agent, headers: { authorization, ...headers } })
}

function create({ base }: ServiceProcess, authorization: string, id: string): Promise<Answer> {
  const headers = { authorization, 'content-type': 'application/json' }
  return ask(base, EVALUATIONS, headers, 'POST', JSON.stringify({ id }))
}

/** A key that was never made, with a right checksum: it is looked up. */
const UNKNOWN_KEY = 'assay_000000000000_000000000000000000000000000000'

const READS = [FULL, REVISIONS, EVALUATIONS, VARIANTS]

/** What a store that nobody writes to answers, by path. */
async function answersOf({ base }: ServiceProcess, key: string, paths = READS): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  for (const path of paths) {
    const { status, text } = await ask(base, path, { authorization: key })
    assert.equal(status, 200, text)
    answers.set(path, text)
  }
  return answers
}

/** Reads again and again until it is told to end: every answer is the one expected. */
function keepReading({ base }: ServiceProcess, authorization: string, expected: Map<string, string>) {
  let isOver = false
  let [count, longest] = [0, 0]
  after(() => {
    isOver = true
  })
  async function read(): Promise<void> {
    const send = connection(base, authorization)
    while (!isOver) {
      for (const [path, text] of expected) {
        const start = performance.now()
        const answer = await send(path)
        longest = Math.max(longest, performance.now() - start)
        assert.equal(answer.status, 200, `${path}: ${answer.text}`)
        assert.equal(answer.text, text, path)
        count += 1
        // Leaves the processor to the servers that stop and start meanwhile.
        await delay(20)
      }
    }
  }
  const done = Promise.all([read(), read()])
  let failure: unknown
  done.catch((error) => {
    failure = error
  })
  function counted(): number {
    if (failure) throw failure
    return count
  }
  async function stop(): Promise<string> {
    isOver = true
    await done
    return `${count} reads, the longest took ${Math.round(longest)} ms`
  }
  return { count: counted, longest: () => longest, stop }
}

/** Reads until the server is asked for it, which must not take long. */
async function readsComeTo(cluster: Cluster, { base }: ServiceProcess, authorization: string): Promise<void> {
  const watched = watch(cluster)
  await eventually(`reads come to the server at ${cluster.port}`, async () => {
    assert.equal((await ask(base, FULL, { authorization })).status, 200)
    return watched.reads() > 0
  })
}

/** A replica may be behind for a moment, by what its primary writes of its own accord. */
async function areReadFromReplica(
  { primary, replica }: Pair,
  count: number,
  read: () => Promise<unknown>,
): Promise<void> {
  await eventually(`${count} reads are asked of the replica, and none of the primary`, async () => {
    const [onPrimary, onReplica] = [watch(primary), watch(replica)]
    await read()
    return onPrimary.reads() === 0 && onReplica.reads() === count
  })
}

test('reads are asked of the replica, writes of the primary', options, async () => {
  const pair = sharedPair()
  const place = await filled(pair)
  const service = await serve(place)
  await areReadFromReplica(pair, READS.length, () => answersOf(service, place.key))
  const [onPrimary, onReplica] = [watch(pair.primary), watch(pair.replica)]
  const others = [`${FULL}?format=csv`, `${FULL}?limit=3`, scenariosOf('eval-500')]
  // The large one is looked at, and then read from a state of its own.
  await areReadFromReplica(pair, 4, () => answersOf(service, place.key, others))
  assert.match(onReplica.log(), /COPY \(SELECT element FROM/)
  assert.deepEqual([onPrimary.writes(), onReplica.writes()], [0, 0])

  const written = await create(service, place.key, 'fresh')
  assert.equal(written.status, 201, written.text)
  assert.deepEqual([onPrimary.writes(), onReplica.writes()], [1, 0])
})

const ROUNDS = Number(process.env.REPLICA_ROUNDS ?? 200)

/** The writes of a round, and what must be read behind each. */
class Rounds {
  readonly #write: ReturnType<typeof connection>
  readonly #revisions: string[] = []
  #scenarios: string[] = []
  #round = 0

  constructor(write: ReturnType<typeof connection>) {
    this.#write = write
  }

  /** Where to read after the next write, and the text that must be there; none where nothing must be. */
  async next(): Promise<{ path: string; text: string | undefined }> {
    const kind = this.#round % 4
    const id = `s-${this.#round - kind}`
    this.#round += 1
    if (kind === 2) {
      const { text } = await this.#sent(201, revisionsOf('v'), 'POST', revision())
      this.#revisions.push(text)
      return { path: revisionsOf('v'), text: `[${this.#revisions.join(',')}]` }
    }
    const path = scenariosOf('e')
    if (kind === 3) {
      await this.#sent(204, `${EVALUATIONS}/e`, 'DELETE')
      this.#scenarios = []
      return { path, text: undefined }
    }
    if (kind === 0) {
      await this.#sent(201, path, 'POST', `[{"id":"first"},{"id":"${id}"}]`)
      this.#scenarios = ['first', id].map(
        (id) =>
          `{"id":"${id}","evaluation_id":"e","inputs":[],"outputs":[],"correct_answers":null,"is_pinned":null,"note":null,"results":[]}`,
      )
    } else {
      const { text } = await this.#sent(200, `${path}/${id}`, 'PATCH', `{"note":"in round ${this.#round}"}`)
      this.#scenarios[1] = text
    }
    return { path, text: `[${this.#scenarios.join(',')}]` }
  }

  async #sent(status: number, path: string, method: string, body?: string): Promise<Received> {
    const headers = { 'content-type': 'application/json' }
    const answer = await this.#write(path, { method, ...(body && { body, headers }) })
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
    return answer
  }
}

/** A client that reads behind every write, and tells the service what it has read before. */
class ReaderBehind {
  readonly #read: ReturnType<typeof connection>
  readonly #tags = new Map<string, string>()

  constructor(read: ReturnType<typeof connection>) {
    this.#read = read
  }

  async expect(path: string, text: string | undefined, when: string): Promise<string | undefined> {
    const known = this.#tags.get(path)
    const answer = await this.#read(path, { headers: known ? { 'if-none-match': known } : {} })
    assert.equal(answer.status, text === undefined ? 404 : 200, `${when}: ${path} ${answer.text}`)
    if (text === undefined) return undefined
    assert.equal(answer.text, text, when)
    const { etag } = answer.headers
    assert.ok(etag && etag !== known, `${when}: the content has changed and its tag has not`)
    this.#tags.set(path, etag)
    return etag
  }
}

test('whoever has written reads it, on every connection and every instance', options, async (t) => {
  const pair = sharedPair()
  const place = await filled(pair)
  const [one, two] = await Promise.all([serve(place), serve(place)])
  const rounds = new Rounds(connection(one.base, place.key))
  const readers = [one, two].map(({ base }) => new ReaderBehind(connection(base, place.key)))
  const list = connection(two.base, place.key)

  async function readBehind(when: string): Promise<void> {
    const { path, text } = await rounds.next()
    const [tag, sameTag] = await Promise.all(readers.map((reader) => reader.expect(path, text, when)))
    assert.equal(tag, sameTag, 'one state has one tag')
    if (path !== scenariosOf('e')) return
    const evaluations = JSON.parse((await list(EVALUATIONS)).text) as {
      id: string
      scenario_count: number
    }[]
    const count = evaluations.find(({ id }) => id === 'e')?.scenario_count
    assert.equal(count, text === undefined ? undefined : 2, `${when}: the list`)
  }

  await t.test(`${ROUNDS} times while the replica follows`, async (t) => {
    const [onPrimary, onReplica] = [watch(pair.primary), watch(pair.replica)]
    for (let round = 0; round < ROUNDS; round += 1) await readBehind(`round ${round}`)
    t.diagnostic(`read from the replica: ${onReplica.reads()}, from the primary: ${onPrimary.reads()}`)
    assert.ok(onReplica.reads() > 0, 'nothing was read from the replica')
  })

  await t.test('while the replica stands still, from the primary', async (t) => {
    await pauseReplay(pair.replica)
    t.after(() => resumeReplay(pair.replica))
    const [onPrimary, onReplica] = [watch(pair.primary), watch(pair.replica)]
    const start = performance.now()
    for (let round = 0; round < 8; round += 1) await readBehind(`paused, round ${round}`)
    t.diagnostic(`8 rounds took ${Math.round(performance.now() - start)} ms`)
    assert.equal(onReplica.reads(), 0)
    assert.ok(onPrimary.reads() >= 16)
  })

  await t.test('and from the replica again when it goes on', async () => {
    for (const service of [one, two]) await readsComeTo(pair.replica, service, place.key)
    for (let round = 0; round < 8; round += 1) await readBehind(`resumed, round ${round}`)
  })
})

test('a revoked key is refused by every instance from the next request on', options, async (t) => {
  const pair = sharedPair()
  const place = await filled(pair)
  const alone = ['--data', freshFolder(), '--database', place.database]
  const services = await Promise.all([serve(place), serve(place), spawnServer(alone)])

  /** Clients of every instance with a key of their own, which all of them have taken. */
  async function accepted() {
    const minted = await assay(['keys', 'create', '--json', ...alone])
    const { key, public_id } = JSON.parse(minted.stdout) as { key: string; public_id: string }
    const clients = services.map(({ base }) => connection(base, key))
    for (const client of clients) assert.equal((await client(FULL)).status, 200)
    return { public_id, clients }
  }

  async function revoke({ public_id, clients }: Awaited<ReturnType<typeof accepted>>): Promise<void> {
    const ended = await assay(['keys', 'revoke', public_id, ...alone])
    assert.equal(ended.code, 0, ended.stderr)
    for (const client of clients) for (const path of READS) assert.equal((await client(path)).status, 401)
  }

  await t.test('while the replica follows', async () => revoke(await accepted()))
  await t.test('while the replica stands still, and still has the key', async (t) => {
    const known = await accepted()
    await caughtUp(pair)
    await pauseReplay(pair.replica)
    t.after(() => resumeReplay(pair.replica))
    await revoke(known)
  })
})

test('without the replica reads go on from the primary until it is back', options, async (t) => {
  const pair = sharedPair()
  const place = await filled(pair)
  const large = scenariosOf('eval-500')

  await t.test('stopped', async (t) => {
    t.after(() => pair.replica.start())
    for (const how of ['fast', 'immediate'] as const) {
      const service = await serve(place)
      const expected = await answersOf(service, place.key)
      const largeText = (await answersOf(service, place.key, [large])).get(large)
      const reading = keepReading(service, place.key, expected)
      await readsComeTo(pair.replica, service, place.key)
      await pair.replica.stop(how)
      await readsComeTo(pair.primary, service, place.key)
      assert.equal((await ask(service.base, large, { authorization: place.key })).text, largeText)
      await pair.replica.start()
      await readsComeTo(pair.replica, service, place.key)
      t.diagnostic(`${how}: ${await reading.stop()}`)
    }
  })

  await t.test('and it may be away when an instance starts', async (t) => {
    t.after(() => pair.replica.start())
    await pair.replica.stop()
    const service = await serve(place)
    await answersOf(service, place.key, [...READS, large])
    await pair.replica.start()
    await readsComeTo(pair.replica, service, place.key)
  })

  /** An instance that reaches the replica through a proxy. */
  async function behindProxy(t: TestContext, ...flags: string[]) {
    const proxy = await startProxy({ host: '127.0.0.1', port: pair.replica.port })
    t.after(() => proxy.close())
    const service = await serve({ ...place, replica: proxy.url(place.replica) }, ...flags)
    const expected = await answersOf(service, place.key)
    await readsComeTo(pair.replica, service, place.key)
    return { proxy, service, expected }
  }

  await t.test('its connections cut, again and again', async (t) => {
    const { proxy, service, expected } = await behindProxy(t)
    const reading = keepReading(service, place.key, expected)
    for (let cuts = 0; cuts < 20; cuts += 1) {
      proxy.cut()
      await readsComeTo(pair.replica, service, place.key)
    }
    proxy.refuse()
    proxy.cut()
    await readsComeTo(pair.primary, service, place.key)
    proxy.pass()
    await readsComeTo(pair.replica, service, place.key)
    t.diagnostic(await reading.stop())
  })

  await t.test('silent, after the deadlines', async (t) => {
    const deadlines = ['--statement-timeout', '1s', '--pool-timeout', '1s']
    const { proxy, service, expected } = await behindProxy(t, ...deadlines)
    const reading = keepReading(service, place.key, expected)
    proxy.hole()
    await readsComeTo(pair.primary, service, place.key)
    await answersOf(service, place.key, [...READS, large])
    proxy.pass()
    await readsComeTo(pair.replica, service, place.key)
    t.diagnostic(await reading.stop())
    // A statement that nothing is heard of, and a connection that does not come about.
    assert.ok(reading.longest() < 5000, 'a read took longer than both')
  })
})

test('without the primary reads go on, and writes are asked to come again', options, async (t) => {
  const pair = sharedPair()
  for (const how of ['fast', 'immediate'] as const) {
    await t.test(`stopped ${how === 'fast' ? 'in order' : 'at once'}`, async (t) => {
      const place = await filled(pair)
      const large = scenariosOf('eval-500')
      const before = await serve(place)
      const expected = await answersOf(before, place.key)
      const largeText = (await answersOf(before, place.key, [large])).get(large)
      const reading = keepReading(before, place.key, expected)
      const onReplica = watch(pair.replica)
      t.after(() => pair.primary.start())
      await pair.primary.stop(how)
      const meanwhile = await serve(place)
      for (const service of [before, meanwhile]) {
        assert.deepEqual(await answersOf(service, place.key), expected)
        assert.equal((await ask(service.base, large, { authorization: place.key })).text, largeText)
        assert.equal((await ask(service.base, '/readyz')).status, 200)
        assert.equal((await ask(service.base, FULL, { authorization: UNKNOWN_KEY })).status, 401)
        for (const { method, to, body } of OPERATIONS) {
          const headers = { authorization: place.key, 'content-type': 'application/json' }
          const answer = await ask(service.base, to, headers, method, body)
          checkProblem(answer, 503, 'unavailable')
          assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/, `${method} ${to}`)
        }
      }
      assert.ok(onReplica.reads() > 0)
      t.diagnostic(await reading.stop())

      const readingAgain = keepReading(before, place.key, new Map([[FULL, expected.get(FULL) ?? '']]))
      await pair.primary.start()
      for (const [index, service] of [before, meanwhile].entries()) {
        const write = () => create(service, place.key, `back-${index}`)
        const start = performance.now()
        await eventually('a write is taken', async () => (await write()).status === 201, 5000)
        t.diagnostic(
          `a write was taken ${Math.round(performance.now() - start)} ms after the primary was back`,
        )
      }
      await readingAgain.stop()
    })
  }
})

test('whoever writes as soon as the primary can be reached again reads it', options, async (t) => {
  const pair = sharedPair()
  const place = await filled(pair)
  const proxy = await startProxy({ host: '127.0.0.1', port: pair.primary.port })
  t.after(() => proxy.close())
  const behindProxy = { ...place, database: proxy.url(place.database) }
  const [one, two] = await Promise.all([serve(behindProxy), serve(behindProxy)])
  const expected = await answersOf(one, place.key, [FULL])
  const readings = [one, two].map((service) => keepReading(service, place.key, expected))
  t.after(() => resumeReplay(pair.replica))

  async function readMore(times: number): Promise<void> {
    const counts = readings.map(({ count }) => count() + times)
    const isThere = async () => readings.every(({ count }, index) => count() > (counts[index] ?? 0))
    await eventually(`both read ${times} times more`, isThere)
  }

  let written = 0
  async function readBehind(reading: ServiceProcess): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await resumeReplay(pair.replica)
      await caughtUp(pair)
      // Until none is left that had to turn to the primary because the replica stood still.
      await readMore(10)
      proxy.refuse()
      proxy.cut()
      await readMore(30)
      // What is written from here on is not on the replica.
      await pauseReplay(pair.replica)
      proxy.pass()
      written += 1
      const id = `back-${written}`
      const write = async () => (await create(one, place.key, id)).status === 201
      await eventually('a write is taken', write, 5000)
      const { text } = await ask(reading.base, EVALUATIONS, { authorization: place.key })
      assert.ok(text.includes(`"${id}"`), `round ${round}: what was written before is not there`)
    }
  }
  await t.test('from the instance that was written to', () => readBehind(one))
  await t.test('from another instance', () => readBehind(two))
  for (const { stop } of readings) await stop()
})

/** Large enough that the sockets between do not take in all of it. */
const LARGE = 8000
/** Small enough to be read whole between two conflicts, and too large to be gathered before it is sent. */
const MEDIUM = 1000
const STORM_MS = 2500

/** An evaluation that changes, with the texts of every state that it ever had, by its version. */
class Changing {
  readonly path: string
  readonly tally = { whole: 0, 'broken off': 0, refused: 0 }
  readonly #id: string
  readonly #client: pg.Client
  readonly #send: ReturnType<typeof connection>
  readonly #states = new Map<string, string[]>()
  #texts: string[] = []
  #changes = 0

  private constructor(id: string, client: pg.Client, send: ReturnType<typeof connection>) {
    this.#id = id
    this.path = scenariosOf(id)
    this.#client = client
    this.#send = send
  }

  static async of(id: string, client: pg.Client, send: ReturnType<typeof connection>): Promise<Changing> {
    const changing = new Changing(id, client, send)
    const { rows } = await client.query(
      `SELECT body FROM scenario JOIN evaluation ON evaluation = key WHERE evaluation.id = $1 ORDER BY position`,
      [id],
    )
    changing.#texts = rows.map(({ body }) => body)
    await changing.#note()
    return changing
  }

  async #note(): Promise<void> {
    const { rows } = await this.#client.query('SELECT version FROM evaluation WHERE id = $1', [this.#id])
    this.#states.set(rows[0].version, this.#texts)
  }

  /** Leaves rows behind that nobody sees any more, of this evaluation and of one that goes, and clears them away. */
  async change(): Promise<void> {
    this.#changes += 1
    const at = (this.#changes * 7919) % this.#texts.length
    const headers = { 'content-type': 'application/json' }
    const body = `{"note":"change ${this.#changes}"}`
    const changed = await this.#send(`${this.path}/scenario-${at}`, { method: 'PATCH', headers, body })
    assert.equal(changed.status, 200, changed.text)
    this.#texts = this.#texts.with(at, changed.text)
    await this.#note()
    const other = { method: 'POST', headers, body: '[{"id":"a"},{"id":"b"}]' }
    assert.equal((await this.#send(scenariosOf('other'), other)).status, 201)
    assert.equal((await this.#send(`${EVALUATIONS}/other`, { method: 'DELETE' })).status, 204)
    await this.#client.query('VACUUM scenario, evaluation')
  }

  /** Whether an answer is one that may be: one state whole, the beginning of one broken off, or a refusal. */
  judge(answer: Received): void {
    if (answer.status === 503) {
      assert.equal(JSON.parse(answer.text).code, 'unavailable')
      this.tally.refused += 1
      return
    }
    assert.equal(answer.status, 200, answer.text.slice(0, 1000))
    const version = /^"(.+)-json"$/.exec(answer.headers.etag ?? '')?.[1] ?? ''
    const state = this.#states.get(version)
    assert.ok(state, `no state was ever ${version}`)
    const text = `[${state.join(',')}]`
    if (answer.isWhole) assert.ok(answer.text === text, `not the bytes of ${version}`)
    else assert.ok(text.startsWith(answer.text), `not the first bytes of ${version}`)
    this.tally[answer.isWhole ? 'whole' : 'broken off'] += 1
  }
}

test('a replica that gives up a query for replication spoils no answer', options, async (t) => {
  const pair = await startPair('max_standby_streaming_delay=0', 'hot_standby_feedback=off')
  const place = await filled(pair, LARGE, MEDIUM)
  const service = await serve(place)
  const client = new pg.Client({ connectionString: place.database })
  await client.connect()
  t.after(async () => {
    await client.end()
    await Promise.all([pair.replica.remove(), pair.primary.remove()])
  })
  const headers = { authorization: place.key }
  const send = connection(service.base, place.key)
  const onReplica = watch(pair.replica)
  const conflicts = () => onReplica.log().match(/due to conflict with recovery/g)?.length ?? 0

  await t.test('a slow client is cut off when the rows it was to get are cleared away', async (t) => {
    const large = await Changing.of(`eval-${LARGE}`, client, send)
    for (let round = 0; round < 4; round += 1) {
      const until = conflicts() + 1
      async function onHead(): Promise<void> {
        await large.change()
        // It does not come where all of the answer was put aside before the change.
        await within(1000, async () => conflicts() >= until)
      }
      large.judge(await receive(`${service.base}${large.path}`, { headers, onHead }))
    }
    t.diagnostic(JSON.stringify(large.tally))
    assert.ok(large.tally['broken off'] > 0, 'no answer was broken off')
  })

  await t.test('readers in a storm of changes get one state each, or a failure that they see', async (t) => {
    const medium = await Changing.of(`eval-${MEDIUM}`, client, send)
    const reading = keepReading(service, place.key, await answersOf(service, place.key, [FULL, REVISIONS]))
    const before = conflicts()
    const answers: Received[] = []
    const until = Date.now() + STORM_MS
    async function read(): Promise<void> {
      while (Date.now() < until) answers.push(await receive(`${service.base}${medium.path}`, { headers }))
    }
    let changes = 0
    async function change(): Promise<void> {
      for (; Date.now() < until; changes += 1) await medium.change()
    }
    await Promise.all([read(), read(), change()])
    t.diagnostic(`small: ${await reading.stop()}`)
    for (const answer of answers) medium.judge(answer)
    t.diagnostic(JSON.stringify({ changes, conflicts: conflicts() - before, ...medium.tally }))
    assert.ok(conflicts() > before, 'there was no conflict')
    assert.ok(medium.tally.whole > 0, 'no answer was whole')
  })

  await t.test('what is short is answered, however often the replica gives up', async (t) => {
    const reading = keepReading(service, place.key, await answersOf(service, place.key))
    const before = conflicts()
    for (const until = Date.now() + STORM_MS; Date.now() < until; ) {
      // Rows of any table will do, as long as they are younger than what is being read.
      await client.query('UPDATE project SET created_at = created_at')
      await client.query('VACUUM project')
    }
    t.diagnostic(`${conflicts() - before} conflicts, ${await reading.stop()}`)
    assert.ok(conflicts() > before, 'there was no conflict')
  })

  await t.test('and afterwards everything is read from the replica again', async () => {
    await areReadFromReplica(pair, 3 * READS.length, () =>
      Promise.all([1, 2, 3].map(() => answersOf(service, place.key))),
    )
  })

  await t.test('and the replica itself has counted the conflicts', async (t) => {
    const statement = `SELECT confl_snapshot::int AS snapshots FROM pg_stat_database_conflicts
      WHERE datname = current_database()`
    let snapshots = 0
    await eventually('the conflicts are counted', async () => {
      snapshots = Number((await query(place.replica, statement))[0]?.snapshots)
      return snapshots > 0
    })
    t.diagnostic(`confl_snapshot: ${snapshots}`)
  })
})
