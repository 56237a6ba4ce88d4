// The few connections to PostgreSQL that a service shares out: long answers leave room for short ones, and who
// cannot be served in time is told so.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { ServiceProcess } from '../../bench/service.ts'
import { openAt } from '../../bench/store.ts'
import { addHeavyEvaluation, fillCorpus } from '../corpus.ts'
import { ENGINE, freshPlace, mint, NOTHING_KEPT, spawnServer } from '../harness.ts'
import { query } from '../postgres/cluster.ts'
import { type Answer, ask, checkProblem } from '../wire.ts'
import { EVALUATIONS, FULL, JSON_TYPE, REVISIONS, scenariosOf } from '../writes.ts'

const skip = ENGINE === 'sqlite' && 'runs with the tests on PostgreSQL'

/** About 48 MB, which is more than the buffers of a socket take. */
const LARGE_COUNT = 3000
const LARGE_BYTES = 12_000
const LARGE = scenariosOf('large')

type Timed = Answer & { ms: number }

function checkRefused(answer: Timed): void {
  checkProblem(answer, 503, 'unavailable')
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
}

async function until(what: string, look: () => Promise<boolean>, limitMs = 10_000): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await look())) {
    assert.ok(performance.now() < deadline, `not within ${limitMs} ms: ${what}`)
    await delay(25)
  }
}

describe('connections to PostgreSQL', { skip }, async () => {
  const place = await freshPlace('postgres')
  const { url } = place
  const flags = [...place.flags, ...NOTHING_KEPT]
  const store = await openAt(url)
  await fillCorpus(store)
  await addHeavyEvaluation(store, 'large', LARGE_COUNT, LARGE_BYTES)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  await store.close()

  async function timed(
    { base }: ServiceProcess,
    path: string,
    ...rest: [headers?: Record<string, string>, method?: string, body?: string]
  ): Promise<Timed> {
    const start = performance.now()
    const [headers, ...request] = rest
    const answer = await ask(base, path, { authorization: key, ...headers }, ...request)
    return { ...answer, ms: performance.now() - start }
  }

  /** Adds a scenario to an evaluation of its own. */
  const write = (service: ServiceProcess, id: string) =>
    timed(service, scenariosOf(id), { 'content-type': JSON_TYPE }, 'POST', '[{"id":"a"}]')

  /** Asks for a large answer and takes nothing of it. */
  function stalledReader({ base }: ServiceProcess): Socket {
    const socket = connect(Number(new URL(base).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`GET ${LARGE} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`)
    after(() => socket.destroy())
    return socket
  }

  /** What the service has at the server: one state a connection. */
  async function states(): Promise<string[]> {
    const rows = await query(
      url,
      `SELECT CASE WHEN wait_event_type = 'Lock' THEN 'waiting' ELSE state END AS state FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'assay'`,
    )
    return rows.map(({ state }) => String(state))
  }

  const countOf = async (state: string) => (await states()).filter((one) => one === state).length

  /** Keeps others from the scenarios until it is released. */
  async function lockScenarios(mode: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`BEGIN; LOCK TABLE scenario IN ${mode} MODE`)
    return () => client.end()
  }

  /** No connection was lost, none was left in the middle of something. */
  async function checkUnused(size: number): Promise<void> {
    await until('all are idle', async () => (await states()).every((state) => state === 'idle'), 2000)
    const left = await states()
    assert.ok(left.length > 0 && left.length <= size, `${left.length} connections`)
  }

  const SMALL = [FULL, `${LARGE}?limit=5`, EVALUATIONS, REVISIONS]

  test('two of them serve fifty small reads beside large ones whose readers stall, and others who do not', async () => {
    const POOL_MS = 5000
    const service = await spawnServer([...flags, '--pool-size', '2', '--pool-timeout', `${POOL_MS}ms`])
    const small = () =>
      Promise.all(Array.from({ length: 50 }, (_, index) => timed(service, SMALL[index % SMALL.length] ?? '')))
    const stalled = [stalledReader(service), stalledReader(service)]
    await Promise.race(stalled.map((socket) => once(socket, 'readable')))
    const fast = [timed(service, LARGE), timed(service, LARGE)]
    const meanwhile = await small()
    for (const { bytes, status } of await Promise.all(fast)) {
      assert.equal(status, 200)
      assert.ok(bytes.length > 40_000_000, `${bytes.length} bytes`)
    }
    // Both have begun by now: the fast ones came behind them.
    for (const socket of stalled) assert.ok(socket.readableLength > 0)
    for (const { status, ms } of [...meanwhile, ...(await small())]) {
      assert.equal(status, 200)
      assert.ok(ms < POOL_MS, `${Math.round(ms)} ms`)
    }
    await checkUnused(2)
    assert.equal(service.child.exitCode, null)
  })

  const POOL_MS = 500
  const narrow = ['--pool-size', '2', '--write-pool-size', '1', '--pool-timeout', `${POOL_MS}ms`]
  /** A request asks for a connection twice: for its key, and for what it is about. */
  const REFUSED_MS = 2 * POOL_MS + 1000

  function checkRefusedInTime(answers: Timed[]): void {
    for (const answer of answers) {
      checkRefused(answer)
      assert.ok(answer.ms > POOL_MS - 50 && answer.ms < REFUSED_MS, `after ${Math.round(answer.ms)} ms`)
    }
  }

  test('are waited for no longer than the limit by reads, and none is lost by that', async () => {
    const service = await spawnServer([...flags, ...narrow])
    const release = await lockScenarios('ACCESS EXCLUSIVE')
    const asked = Array.from({ length: 20 }, () => timed(service, FULL))
    const answers: Timed[] = []
    for (const answer of asked) void answer.then((answer) => answers.push(answer))
    await until('all but two are refused', async () => answers.length === 18)
    checkRefusedInTime(answers)
    assert.equal(await countOf('waiting'), 2)
    await release()
    await Promise.all(asked)
    for (const { status } of answers.slice(18)) assert.equal(status, 200)
    await checkUnused(3)
    for (const path of SMALL) assert.equal((await timed(service, path)).status, 200)
  })

  test('are waited for no longer than the limit by writes, and what was refused is not stored', async () => {
    const service = await spawnServer([...flags, ...narrow])
    const release = await lockScenarios('SHARE ROW EXCLUSIVE')
    const ids = ['w-0', 'w-1', 'w-2', 'w-3']
    const asked = ids.map((id) => write(service, id).then((answer) => ({ id, ...answer })))
    const answers: (Timed & { id: string })[] = []
    for (const answer of asked) void answer.then((answer) => answers.push(answer))
    await until('all but one are refused', async () => answers.length === 3)
    checkRefusedInTime(answers)
    assert.equal((await timed(service, FULL)).status, 200, 'reads have connections of their own')
    await release()
    await Promise.all(asked)
    assert.equal(answers[3]?.status, 201)
    for (const { id, status } of answers) {
      assert.equal((await timed(service, scenariosOf(id))).status, status === 201 ? 200 : 404)
    }
    await checkUnused(3)
  })

  test('are waited for no longer than the limit by large answers, of which one at a time is read', async () => {
    // Without files a reader that stalls keeps its connection.
    const service = await spawnServer([...flags, ...narrow, '--max-spool-bytes', '0'])
    const stalled = Array.from({ length: 4 }, () => stalledReader(service))
    await Promise.all(stalled.map((socket) => once(socket, 'readable')))
    const heads = stalled.map((socket) => String(socket.read()))
    assert.equal(heads.filter((head) => head.startsWith('HTTP/1.1 200 ')).length, 1)
    const refused = heads.filter((head) => head.startsWith('HTTP/1.1 503 '))
    assert.equal(refused.length, 3)
    for (const head of refused) assert.match(head, /\r\nretry-after: [1-9]/i)
    for (const path of SMALL) assert.equal((await timed(service, path)).status, 200)
    for (const socket of stalled) socket.destroy()
    await checkUnused(3)
  })
})
