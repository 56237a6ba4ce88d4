// Tests the limit of connections: idle clients without a valid key cannot keep other clients out.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { quantile } from '../../../bench/timing.ts'
import { sizes } from '../../sizes.ts'
import { createTestKey, createTestStore, spawnServer, startTestService } from '../../support/harness.ts'
import { sendRequest } from '../../support/http.ts'
import { reportMeasurements } from '../../support/measurements.ts'
import { testOptions } from '../../support/options.ts'
import { PinnedConnection, waitUntil } from '../../support/worker-service.ts'

const QUICK_LIMIT = 20
const isFull = testOptions.profile === 'full'
const NEW_CLIENTS = 50

const store = await createTestStore()
const { flags } = store
const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
const headers = { authorization: key }

/** Clients that send nothing, or half of their headers. */
async function openIdleSockets(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    // In groups, because the kernel drops connections that exceed the backlog.
    const group = Array.from({ length: Math.min(100, count - sockets.length) }, () =>
      connect(port, '127.0.0.1'),
    )
    await Promise.all(
      group.map(async (socket, index) => {
        socket.on('error', () => undefined)
        socket.resume()
        await once(socket, 'connect')
        if (index % 2 === 1) socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow')
      }),
    )
    sockets.push(...group)
  }
  return sockets
}

/** An upload that has sent a part of its body. */
async function startUpload(port: number) {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.write(
    `POST /api/evaluations HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\nContent-Type: application/json\r\n` +
      'Expect: 100-continue\r\nContent-Length: 16\r\nConnection: close\r\n\r\n',
  )
  await waitUntil(() => received.includes('100 Continue') || socket.destroyed)
  socket.write('{"name":')
  return {
    async finish(): Promise<string> {
      socket.write(' "slow"}')
      if (!socket.closed) await once(socket, 'close')
      return received
    },
  }
}

/** Sends a request on a new connection until it gets a response. */
async function requestAsNewClient(baseUrl: string) {
  const startTime = performance.now()
  for (let rejected = 0; ; rejected += 1) {
    try {
      const { status } = await sendRequest(baseUrl, '/api/evaluations?limit=1', headers)
      return { status, rejected, time: performance.now() - startTime }
    } catch {
      await delay(10)
    }
  }
}

test('idle connections without a key do not keep out new clients, nor close those of other clients', async (t) => {
  const { baseUrl } = isFull
    ? await spawnServer(flags)
    : await startTestService(store, { maxConnections: QUICK_LIMIT })
  const port = Number(new URL(baseUrl).port)
  const keepAliveClient = new PinnedConnection(baseUrl)
  t.after(() => keepAliveClient.close())
  assert.equal((await keepAliveClient.request('/api/evaluations', headers)).status, 200)
  const upload = await startUpload(port)

  const idleSockets = await openIdleSockets(port, sizes.idle_connections)
  t.after(() => {
    for (const socket of idleSockets) socket.destroy()
  })
  const responses = []
  for (let client = 0; client < NEW_CLIENTS; client += 1) responses.push(await requestAsNewClient(baseUrl))
  const times = responses.map(({ time }) => time)
  const slowest = Math.max(...times)
  const isKeptAlive = await keepAliveClient.request('/api/evaluations', headers).then(
    ({ status }) => status === 200,
    () => false,
  )
  const isUploaded = /HTTP\/1\.1 201 /.test(await upload.finish())
  const rejected = responses.reduce((sum, response) => sum + response.rejected, 0)
  reportMeasurements(t, {
    cases: idleSockets.length,
    rejected_clients: rejected,
    lost: Number(!isKeptAlive) + Number(!isUploaded),
    small_read_p99_ms: Math.round(quantile(times, 0.99)),
    small_read_max_ms: Math.round(slowest),
  })

  assert.equal(rejected, 0, 'a new client was rejected')
  assert.ok(responses.every(({ status }) => status === 200))
  assert.ok(isKeptAlive, 'the connection of an authenticated client was closed')
  assert.ok(isUploaded, 'the upload was cut')
  if (testOptions.measures) assert.ok(slowest <= 1000, `a new client waited ${slowest} ms`)
  if (isFull) return
  // The keep-alive client and the upload had a connection, and one new client at a time.
  const openSockets = QUICK_LIMIT - 3
  await waitUntil(() => idleSockets.filter(({ closed }) => !closed).length <= openSockets)
  assert.ok(
    idleSockets.slice(-openSockets).every(({ closed }) => !closed),
    'a connection was closed although others were idle for longer',
  )
})

test('closes an idle connection of an authenticated client if there is no other, and the new one if all are busy', async (t) => {
  const { baseUrl, port } = await startTestService(store, { maxConnections: 2 })
  const clients = Array.from({ length: 3 }, () => new PinnedConnection(baseUrl))
  t.after(() => clients.map((client) => client.close()))
  for (const client of clients) assert.equal((await client.request('/api/evaluations', headers)).status, 200)
  const results = []
  for (const client of clients.toReversed())
    results.push(
      await client.request('/api/evaluations', headers).then(
        () => 'open',
        () => 'closed',
      ),
    )
  assert.deepEqual(results, ['open', 'open', 'closed'])

  const uploads = [await startUpload(port), await startUpload(port)]
  await assert.rejects(sendRequest(baseUrl, '/livez'), /hang up|reset/i)
  for (const upload of uploads) assert.match(await upload.finish(), /HTTP\/1\.1 201 /)
  assert.equal((await requestAsNewClient(baseUrl)).status, 200)
})

test('serves new clients with fewer open files than the limit of connections', {
  skip: !existsSync('/usr/bin/prlimit') && 'needs prlimit (util-linux)',
}, async (t) => {
  const service = await spawnServer(flags, {}, undefined, ['/usr/bin/prlimit', '--nofile=400:400'])
  // The log can arrive after the first response. The test timeout limits the wait.
  while (!service.stderr().includes('"max_connections":300,"max_open_files":400')) await delay(20)
  const idleSockets = await openIdleSockets(Number(new URL(service.baseUrl).port), 500)
  t.after(() => {
    for (const socket of idleSockets) socket.destroy()
  })
  assert.deepEqual((await requestAsNewClient(service.baseUrl)).rejected, 0)
})
