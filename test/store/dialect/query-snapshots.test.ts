// Tests snapshots of kind `query`: consistency, the concurrency limit, cancellation, and clients that disconnect.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { fillCorpus } from '../../support/corpus.ts'
import { createTestKey, createTestStore, ENGINE, startTestService } from '../../support/harness.ts'
import { checkProblem, sendRequest } from '../../support/http.ts'

/** SQLite has this many threads. PostgreSQL has more connections for queries. */
const MAX_SNAPSHOTS = 5

const store = await createTestStore()
await fillCorpus(store)

/** Opens `count` snapshots and returns a function that ends them. */
async function openSnapshots(count: number): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let openCount = 0
  const startEvent = Promise.withResolvers<void>()
  const snapshots = Array.from({ length: count }, () =>
    store.reader.snapshot('query', async (snapshot) => {
      await snapshot.get('SELECT 1 AS one')
      openCount += 1
      if (openCount === Math.min(count, MAX_SNAPSHOTS)) startEvent.resolve()
      await promise
    }),
  )
  await startEvent.promise
  return async () => {
    resolve()
    await Promise.all(snapshots)
  }
}

test('reads one consistent state while another transaction writes', async () => {
  const count = 'SELECT count(*) AS count FROM scenario'
  await store.reader.snapshot('query', async (snapshot) => {
    const initialCount = await snapshot.get<{ count: number }>(count)
    await store.writer.transaction((transaction) => transaction.run('DELETE FROM measure'))
    const measureCount = await snapshot.get<{ count: number }>('SELECT count(*) AS count FROM measure')
    assert.deepEqual(measureCount, initialCount)
    const positions = await snapshot.readNumbers(
      'SELECT position FROM scenario ORDER BY position DESC LIMIT 3',
    )
    assert.deepEqual(
      [...positions],
      [...positions].toSorted((a, b) => b - a),
    )
  })
})

test('runs all queries when there are more than the concurrency limit', async () => {
  const endSnapshots = await openSnapshots(MAX_SNAPSHOTS)
  const waitingQueries = Promise.all(
    Array.from({ length: 9 }, (_, n) =>
      store.reader.snapshot('query', (snapshot) =>
        snapshot.get<{ n: number }>('SELECT CAST(? AS bigint) AS n', n),
      ),
    ),
  )
  await endSnapshots()
  assert.deepEqual(
    (await waitingQueries).map((row) => row?.n),
    Array.from({ length: 9 }, (_, n) => n),
  )
})

/** A statement that ends only when it is canceled. */
const ENDLESS =
  ENGINE === 'sqlite'
    ? 'WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE is_running()) SELECT max(i) FROM n'
    : 'SELECT pg_sleep(3600)'

/** Starts an endless query. Resolves when its snapshot is open. */
async function startEndlessQuery() {
  const abort = new AbortController()
  const startEvent = Promise.withResolvers<void>()
  const query = store.reader.snapshot(
    'query',
    async (snapshot) => {
      await snapshot.get('SELECT count(*) AS count FROM scenario')
      startEvent.resolve()
      return snapshot.get(ENDLESS)
    },
    abort.signal,
  )
  query.catch(() => undefined)
  await startEvent.promise
  return { query, abort }
}

test('cancels running statements, and runs the next queries', async () => {
  const reason = new Error('canceled')
  for (let round = 0; round < 2; round += 1) {
    const queries = await Promise.all(Array.from({ length: MAX_SNAPSHOTS }, startEndlessQuery))
    const waitingQuery = store.reader.snapshot('query', (snapshot) => snapshot.get('SELECT 1 AS one'))
    for (const { abort } of queries) abort.abort(reason)
    for (const { query } of queries) await assert.rejects(query, reason)
    assert.deepEqual(await waitingQuery, { one: 1 })
  }
})

test('a canceled query does not disturb another one', async () => {
  const { query, abort } = await startEndlessQuery()
  const reason = new Error('canceled')
  const row = await store.reader.snapshot('query', async (snapshot) => {
    await snapshot.get('SELECT 1 AS one')
    abort.abort(reason)
    await assert.rejects(query, reason)
    return snapshot.get('SELECT 2 AS two')
  })
  assert.deepEqual(row, { two: 2 })
})

test('a query that is aborted before it starts does not run', async () => {
  const reason = new Error('canceled')
  const query = store.reader.snapshot('query', () => assert.fail('it runs'), AbortSignal.abort(reason))
  await assert.rejects(query, reason)
})

test('a canceled query leaves no snapshot open', async () => {
  const { query, abort } = await startEndlessQuery()
  const reason = new Error('canceled')
  abort.abort(reason)
  await assert.rejects(query, reason)
  if (ENGINE === 'sqlite') {
    await store.writer.transaction((transaction) => transaction.run('DELETE FROM input'))
    const database = new DatabaseSync(store.url.replace('sqlite:', ''))
    const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    database.close()
    assert.deepEqual({ ...checkpoint }, { busy: 0, log: 0, checkpointed: 0 })
  } else {
    const statement = `SELECT count(*) AS count FROM pg_stat_activity WHERE query = ? AND state = 'active'`
    assert.deepEqual(await store.reader.get(statement, ENDLESS), { count: 0 })
  }
})

const skip = ENGINE !== 'sqlite' && 'PostgreSQL has a free connection for the query'

test('does not run the query of a client that has disconnected', { skip }, async () => {
  const { key } = await createTestKey(store)
  const { port, baseUrl, countConnections } = await startTestService(store)
  const endSnapshots = await openSnapshots(MAX_SNAPSHOTS)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const path = '/api/evaluations/full/summary'
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`)
  while ((await countConnections()) === 0) await new Promise(setImmediate)
  socket.end()
  let receivedText = ''
  socket.on('data', (chunk) => {
    receivedText += chunk
  })
  const closeEvent = once(socket, 'close')
  // The service has seen the end of the first connection when it has answered on later ones.
  for (let round = 0; round < 3; round++) await (await fetch(`${baseUrl}/livez`)).text()
  const otherResponse = fetch(baseUrl + path, { headers: { authorization: key } })
  await endSnapshots()
  assert.equal((await otherResponse).status, 200)
  await closeEvent
  assert.equal(receivedText, '')
})

test('a query that exceeds query_timeout gets 504 without Retry-After', { skip }, async () => {
  const { key } = await createTestKey(store)
  const { baseUrl } = await startTestService(store, { query_timeout: 20 })
  const endSnapshots = await openSnapshots(MAX_SNAPSHOTS)
  const path = '/api/evaluations/full/summary'
  const response = await sendRequest(baseUrl, path, { authorization: key })
  const { detail } = checkProblem(response, 504, 'query-timeout')
  assert.match(detail, /took longer than 0\.02 s .* will time out again/)
  assert.equal(response.headers['retry-after'], undefined)
  await endSnapshots()
})
