// Tests snapshots of kind `query`: consistency, the concurrency limit, and clients that disconnect.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { fillCorpus } from '../../support/corpus.ts'
import { createTestKey, createTestStore, ENGINE, startTestService } from '../../support/harness.ts'

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
      if (openCount === Math.min(count, 4)) startEvent.resolve()
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
    await store.writer.transaction((transaction) => transaction.run('DELETE FROM search'))
    const searchCount = await snapshot.get<{ count: number }>('SELECT count(*) AS count FROM search')
    assert.deepEqual(searchCount, initialCount)
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
  const endSnapshots = await openSnapshots(4)
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

const skip = ENGINE !== 'sqlite' && 'PostgreSQL has a free connection for the query'

test('does not run the query of a client that has disconnected', { skip }, async () => {
  const { key } = await createTestKey(store)
  const { port, baseUrl, countConnections } = await startTestService(store)
  const endSnapshots = await openSnapshots(4)
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
