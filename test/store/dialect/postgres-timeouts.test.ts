// Time limits of PostgreSQL statements: each one starts when the server executes the statement, and queries have their
// own. A server that sends nothing is detected, and only the connections that do not respond are closed.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openStoreAt } from '../../../bench/store.ts'
import { Problem } from '../../../src/errors.ts'
import type { Connection } from '../../../src/store/dialect/dialect.ts'
import type { Store } from '../../../src/store/store.ts'
import { freshDatabase } from '../../postgres/cluster.ts'
import { serverUrl } from '../../postgres/shared.ts'
import { startProxy } from '../../postgres/tcp-proxy.ts'
import { POSTGRES_ONLY } from '../../support/options.ts'

const skip = POSTGRES_ONLY
const databaseUrl = skip ? '' : await freshDatabase(await serverUrl())
// With the default limits, because a migration can take longer than those below.
if (!skip) await (await openStoreAt(databaseUrl)).close()

async function openTestStore(changes: Parameters<typeof openStoreAt>[1], url = databaseUrl): Promise<Store> {
  const store = await openStoreAt(url, changes)
  after(() => store.close())
  return store
}

const READ_PID = 'SELECT pg_backend_pid() AS pid'

async function readPid(connection: Connection): Promise<number> {
  return (await connection.get<{ pid: number }>(READ_PID))?.pid ?? 0
}

/** Reads on several connections at the same time. Returns the process ids of their backends. */
async function openConnections({ reader }: Store, count: number): Promise<Set<number>> {
  const pids = new Set<number>()
  const gate = Promise.withResolvers<void>()
  await Promise.all(
    Array.from({ length: count }, () =>
      reader.snapshot('short', async (snapshot) => {
        pids.add(await readPid(snapshot))
        if (pids.size === count) gate.resolve()
        await gate.promise
      }),
    ),
  )
  return pids
}

test('statements of a query can take longer than statement_timeout', { skip }, async () => {
  const { reader } = await openTestStore({ statement_timeout: 1000, query_timeout: 60_000 })
  const sleep = 'SELECT 1 AS one FROM (SELECT pg_sleep(1.3)) AS sleep'
  const rows = await reader.snapshot('query', (snapshot) =>
    Promise.all([snapshot.all(sleep), snapshot.readNumbers(sleep)]),
  )
  assert.deepEqual(rows, [[{ one: 1 }], new Float64Array([1])])
  // The limit of the query does not apply to the next use of its connection.
  await assert.rejects(
    reader.snapshot('long', (snapshot) => snapshot.all(sleep)),
    (error: Problem) => {
      assert.equal(error.code, 'unavailable')
      assert.match(error.message, /longer than 1 s \(statement-timeout\).* Try again shortly\.$/)
      return true
    },
  )
})

test('a query that exceeds query_timeout fails with query-timeout, and its connection is reused', {
  skip,
}, async () => {
  const { reader } = await openTestStore({ query_timeout: 1000, pool_size: 2 })
  const pids: number[] = []
  for (const returns of ['rows', 'elements'] as const) {
    const query = reader.snapshot('query', async (snapshot) => {
      pids.push(await readPid(snapshot))
      const statement = `SELECT 'x' AS element, 1 AS ordinal FROM (SELECT pg_sleep(3600)) AS sleep`
      return returns === 'rows' ? snapshot.all(statement) : snapshot.joinElements(statement, ',')
    })
    await assert.rejects(query, (error: Problem) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual([error.code, error.status, error.headers], ['query-timeout', 504, {}])
      assert.match(error.message, /longer than 1 s.* will time out again\. .*query-timeout/)
      return true
    })
  }
  assert.equal(new Set(pids).size, 1)
})

test('a query that an operator cancels fails with unavailable', { skip }, async () => {
  const store = await openTestStore({})
  const query = store.reader.snapshot('query', async (snapshot) => {
    const pid = await readPid(snapshot)
    const sleep = snapshot.all('SELECT pg_sleep(3600)')
    sleep.catch(() => undefined)
    const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = ? AND query LIKE '%pg_sleep%'`
    while ((await store.reader.all(cancel, pid)).length === 0);
    return sleep
  })
  await assert.rejects(query, { code: 'unavailable' })
})

test('detects a server that does not respond within the limit of one statement, however many are sent', {
  skip,
}, async () => {
  const server = new URL(databaseUrl)
  const proxy = await startProxy({ host: server.hostname, port: Number(server.port) })
  after(() => proxy.close())
  const { reader } = await openTestStore({ statement_timeout: 1000 }, proxy.url(databaseUrl))
  await assert.rejects(
    reader.snapshot('long', async (snapshot) => {
      await readPid(snapshot)
      proxy.blackhole()
      // The sum of their limits is longer than the time limit of a test.
      await Promise.all(Array.from({ length: 4000 }, () => readPid(snapshot)))
    }),
    { code: 'unavailable' },
  )
})

test('a response that arrives while this process is busy is not a timeout', { skip }, async () => {
  const { reader } = await openTestStore({ statement_timeout: 1000 })
  const one = await reader.snapshot('long', async (snapshot) => {
    await readPid(snapshot)
    const response = snapshot.get('SELECT 1 AS one')
    // The statement is sent now. Longer than the limit with its margin.
    await setImmediate()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3500)
    return response
  })
  assert.deepEqual(one, { one: 1 })
})

test('a connection that does not respond is closed, and the idle connections stay open', {
  skip,
}, async (t) => {
  const store = await openTestStore({ statement_timeout: 2000, pool_size: 4 })
  const pids = await openConnections(store, 4)
  const query = store.reader.snapshot('long', async (snapshot) => {
    const pid = await readPid(snapshot)
    process.kill(pid, 'SIGSTOP')
    t.after(() => process.kill(pid, 'SIGCONT'))
    pids.delete(pid)
    return snapshot.get(READ_PID)
  })
  await assert.rejects(query, { code: 'unavailable' })
  assert.equal(pids.size, 3)
  const usedPids = await openConnections(store, 4)
  assert.deepEqual(
    [...pids].filter((pid) => !usedPids.has(pid)),
    [],
  )
})
