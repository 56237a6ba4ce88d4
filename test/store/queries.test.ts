// Snapshots for questions: how many there are at once, and what becomes of those who ask.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { fillCorpus } from '../corpus.ts'
import { ENGINE, freshStore, mint, serveStore } from '../harness.ts'

const store = await freshStore()
await fillCorpus(store)

/** Begins so many snapshots, and gives what ends them. */
async function hold(count: number): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let begun = 0
  const started = Promise.withResolvers<void>()
  const held = Array.from({ length: count }, () =>
    store.reader.snapshot('query', async (snapshot) => {
      await snapshot.get('SELECT 1 AS one')
      begun += 1
      if (begun === Math.min(count, 4)) started.resolve()
      await promise
    }),
  )
  await started.promise
  return async () => {
    resolve()
    await Promise.all(held)
  }
}

test('a snapshot for a question sees one state, whatever is written meanwhile', async () => {
  const count = 'SELECT count(*) AS count FROM scenario'
  await store.reader.snapshot('query', async (snapshot) => {
    const before = await snapshot.get<{ count: number }>(count)
    await store.writer.transaction((transaction) => transaction.run('DELETE FROM search'))
    const searched = await snapshot.get<{ count: number }>('SELECT count(*) AS count FROM search')
    assert.deepEqual(searched, before)
    const positions = await snapshot.numbers('SELECT position FROM scenario ORDER BY position DESC LIMIT 3')
    assert.deepEqual(
      [...positions],
      [...positions].toSorted((a, b) => b - a),
    )
  })
})

test('more questions than are let in at once are all answered', async () => {
  const release = await hold(4)
  const waiting = Promise.all(
    Array.from({ length: 9 }, (_, n) =>
      store.reader.snapshot('query', (snapshot) =>
        snapshot.get<{ n: number }>('SELECT CAST(? AS bigint) AS n', n),
      ),
    ),
  )
  await release()
  assert.deepEqual(
    (await waiting).map((row) => row?.n),
    Array.from({ length: 9 }, (_, n) => n),
  )
})

const skip = ENGINE !== 'sqlite' && 'PostgreSQL has a connection left to answer it with'

test('a question of a client that has gone takes nobody’s place', { skip }, async () => {
  const { key } = await mint(store)
  const { port, base, open } = await serveStore(store)
  const release = await hold(4)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const path = '/api/evaluations/full/summary'
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`)
  while ((await open()) === 0) await new Promise(setImmediate)
  socket.end()
  let answered = ''
  socket.on('data', (chunk) => {
    answered += chunk
  })
  const closed = once(socket, 'close')
  const other = fetch(base + path, { headers: { authorization: key } })
  await release()
  assert.equal((await other).status, 200)
  await closed
  assert.equal(answered, '')
})
