// Tests of assay serve --workers: restarts, shutdown, shared limits and metrics of several worker processes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { addLargeEvaluation, addReadKey } from '../../bench/data.ts'
import { openStoreAt } from '../../bench/store.ts'
import { createTempFolder, runAssay } from '../support/harness.ts'
import { schemaErrors, sendRequest } from '../support/http.ts'
import { fullOnly } from '../support/options.ts'
import {
  connectToTwoWorkers,
  isRunning,
  PinnedConnection,
  readText,
  startWorkers,
  type WorkerService,
  waitUntil,
} from '../support/worker-service.ts'
import { scenariosPath } from '../support/write-requests.ts'

const WORKERS = ['--workers', '2']

async function assertExited({ child, pids }: WorkerService): Promise<void> {
  if (child.exitCode === null) await once(child, 'exit')
  assert.deepEqual([child.exitCode, child.signalCode], [0, null])
  assert.deepEqual(pids().filter(isRunning), [])
}

function invalidKey(): Record<string, string> {
  return { authorization: 'Bearer assay_none' }
}

describe('a service with two workers', async () => {
  const service = await startWorkers([...WORKERS])
  const { baseUrl, child, stderr, pids, logged } = service

  test('runs each worker in its own process, and reports the metrics of all workers', async () => {
    const connections = await connectToTwoWorkers(service)
    assert.equal(new Set([child.pid, ...pids()]).size, 3)
    const longUrl = `/livez?_=${'x'.repeat(5000)}`
    await Promise.all(
      connections.map(async (connection) => {
        for (let count = 0; count < 100; count += 1)
          assert.equal((await connection.request(longUrl)).status, 200)
      }),
    )
    for (const connection of connections) {
      const { text } = await connection.request('/metrics')
      const [, count] = /request_duration_seconds_count\{[^}]*route="\/livez"[^}]*\} (\d+)/.exec(text) ?? []
      assert.equal(count, '202')
    }
    await waitUntil(() => logged('request').length >= 204)
    const logLines = stderr().split('\n').slice(0, -1)
    for (const line of logLines) assert.ok(line.length < 4096, 'a longer line could mix with another one')
  })

  test('counts rejected keys across workers', async () => {
    const [firstConnection, secondConnection] = await connectToTwoWorkers(service)
    const countAttempts = async (connection: typeof firstConnection) => {
      let attempts = 0
      while ((await connection.request('/api/evaluations', invalidKey())).status === 401) attempts += 1
      return attempts
    }
    const attempts = await countAttempts(firstConnection)
    assert.ok(attempts >= 300, `${attempts} attempts`)
    // This request also sends a message to the other worker, after the messages about rejected keys.
    assert.equal((await firstConnection.request('/metrics')).status, 200)
    // On a busy machine, a few attempts are allowed again by now.
    const others = await countAttempts(secondConnection)
    assert.ok(others < 100, `${others} attempts at the other worker`)
  })

  test('returns metrics while a worker restarts, and 503 while a worker hangs', {
    skip: fullOnly('waits for a worker that hangs'),
  }, async () => {
    const connections = await connectToTwoWorkers(service)
    const [hanging = 0] = pids()
    process.kill(hanging, 'SIGSTOP')
    const attempts = connections.map(async (connection) =>
      (await connection.request('/livez')).status === 200 ? connection : undefined,
    )
    const responsive = await Promise.race(attempts)
    assert.ok(responsive)
    const failedResponse = await responsive.request('/metrics')
    assert.equal(failedResponse.status, 503)
    assert.deepEqual(schemaErrors('Problem', JSON.parse(failedResponse.text)), [])
    const pending = responsive.request('/metrics')
    process.kill(hanging, 'SIGKILL')
    assert.equal((await pending).status, 200)
    await Promise.allSettled(attempts)
    await waitUntil(() => pids().length === 3)
  })

  test('restarts a killed worker without affecting connections of the other', async () => {
    const workerCount = pids().length
    const connections = Array.from({ length: 4 }, () => new PinnedConnection(baseUrl))
    for (const connection of connections) assert.equal((await connection.request('/livez')).status, 200)
    const counts = connections.map(() => 0)
    const loops = connections.map(async (connection, index) => {
      while (pids().length === workerCount) {
        assert.equal((await connection.request('/livez')).status, 200)
        counts[index] = (counts[index] ?? 0) + 1
      }
    })
    await waitUntil(() => counts.every((count) => count > 0))
    process.kill(pids().at(-1) ?? 0, 'SIGKILL')
    const outcomes = (await Promise.allSettled(loops)).map(({ status }) => status).sort()
    assert.deepEqual(outcomes, ['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    assert.equal(logged('worker exited').at(-1)?.reason, 'SIGKILL')
    for (let count = 0; count < 4; count += 1)
      assert.equal((await sendRequest(baseUrl, '/livez')).status, 200)
    assert.equal(pids().filter(isRunning).length, 2)
  })

  test('exits with 1 and prints a message and a hint if the port is in use', {
    skip: fullOnly('starts a service; serve.test.ts uses a port twice'),
  }, async () => {
    const { port } = new URL(baseUrl)
    const data = createTempFolder()
    // Resolves only when all workers have exited, because they share the output.
    const { code, stdout, stderr } = await runAssay(['serve', ...WORKERS, '--port', port, '--data', data])
    assert.deepEqual([code, stdout], [1, ''])
    assert.deepEqual(readdirSync(data), [], 'no store is created')
    assert.match(
      stderr,
      /^assay: Cannot listen on 127\.0\.0\.1, port \d+: .*EADDRINUSE.*\nAnother process uses this port\. .*\n$/,
    )
  })

  test('all workers exit when the supervisor is killed', async () => {
    child.kill('SIGKILL')
    await waitUntil(() => !pids().some(isRunning))
    await assert.rejects(sendRequest(baseUrl, '/livez'), { code: 'ECONNREFUSED' })
  })
})

describe('a response in progress during shutdown', async () => {
  const data = createTempFolder()
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  const path = scenariosPath(await addLargeEvaluation(store, 6000))
  const authorization = await addReadKey(store)
  await store.close()

  /** Starts a service and one response per worker, without reading the bodies. */
  async function startResponses() {
    const service = await startWorkers([...WORKERS, '--drain-timeout', '10m'], data)
    const connections = await connectToTwoWorkers(service)
    const responses = await Promise.all(
      connections.map((connection) => connection.startRequest(path, { authorization })),
    )
    return { ...service, responses }
  }

  test('is finished when a terminal sends SIGINT to all processes', async () => {
    const { responses, ...service } = await startResponses()
    for (const pid of [service.child.pid ?? 0, ...service.pids()]) process.kill(pid, 'SIGINT')
    await waitUntil(() => service.logged('draining').length === 2)
    for (const response of responses) assert.equal(JSON.parse(await readText(response)).length, 6000)
    await assertExited(service)
    assert.equal(service.logged('draining').length, 2)
    assert.equal(service.logged('worker exited').length, 0)
  })

  test('is reset by a second signal', {
    skip: fullOnly('fills the socket buffers of two workers'),
  }, async () => {
    const { responses, ...service } = await startResponses()
    service.child.kill('SIGTERM')
    await waitUntil(() => service.logged('draining').length === 2)
    service.child.kill('SIGTERM')
    await assertExited(service)
    for (const response of responses) await assert.rejects(readText(response), { code: 'ECONNRESET' })
  })

  test('is finished when one worker receives SIGTERM, and the worker is restarted', {
    skip: fullOnly('fills the socket buffers of two workers'),
  }, async () => {
    const { responses, ...service } = await startResponses()
    const [firstConnection = 0] = service.pids()
    process.kill(firstConnection, 'SIGTERM')
    await waitUntil(() => service.logged('draining').length === 1)
    assert.ok(isRunning(firstConnection))
    for (const response of responses) assert.equal(JSON.parse(await readText(response)).length, 6000)
    await waitUntil(() => service.pids().length === 3)
    service.child.kill('SIGTERM')
    await assertExited(service)
  })
})

test('retries a worker that cannot start with growing delays, while the other worker serves', {
  skip: fullOnly('waits for restart delays'),
}, async () => {
  const service = await startWorkers(WORKERS)
  const { baseUrl, child, data, pids, logged } = service
  const connections = await connectToTwoWorkers(service)
  const file = join(data, 'assay.db')
  copyFileSync(file, `${file}.good`)
  const [firstConnection = 0] = pids()
  writeFileSync(file, 'this file is not an Assay store, but text')
  process.kill(firstConnection, 'SIGKILL')
  await waitUntil(() => logged('worker exited').length === 4)
  const [, secondConnection = 0, third = 0, fourth = 0] = logged('worker exited').map(
    ({ delay_ms }) => delay_ms,
  )
  assert.ok(secondConnection >= 100)
  assert.deepEqual([third, fourth], [2 * secondConnection, 4 * secondConnection])
  const results = await Promise.allSettled(connections.map((connection) => connection.request('/livez')))
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await sendRequest(baseUrl, '/livez')).status, 200)
  copyFileSync(`${file}.good`, file)
  await waitUntil(() => pids().length === 3)
  child.kill('SIGTERM')
  await assertExited(service)
})

test('--workers 1 starts no worker process, and auto starts one per CPU core', {
  skip: fullOnly('starts a worker per core'),
}, async () => {
  const single = await startWorkers(['--workers', '1'])
  assert.deepEqual(single.pids(), [single.child.pid])
  const perCore = await startWorkers(['--workers', 'auto'])
  await waitUntil(() => perCore.pids().length === availableParallelism())
  assert.equal(perCore.pids().includes(perCore.child.pid ?? 0), availableParallelism() === 1)
})
