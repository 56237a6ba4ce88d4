// Tests in which order queries run, how many at the same time, and which are rejected. The clock is set by the tests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Problem } from '../../../src/errors.ts'
import { type QueryClient, QueryQueue } from '../../../src/http/response/query-queue.ts'

const NEVER = new AbortController().signal

/** Records the order in which queries start. Each one runs until it is ended. */
class TestQueue {
  now = 0
  readonly started: string[] = []
  readonly queue: QueryQueue
  readonly #ends = new Map<string, () => void>()

  constructor(maxRunning = 4, timeLimitMs = 60_000) {
    this.queue = new QueryQueue({ maxRunning, timeLimitMs, clock: () => this.now })
  }

  /** The name is the project, the key and a number, such as `1a2`. */
  send(name: string, signal: AbortSignal = NEVER): Promise<void> {
    const client: QueryClient = { project: Number(name[0]), key: name.slice(0, 2) }
    const response = this.queue.run(client, signal, () => {
      this.started.push(name)
      return new Promise<void>((resolve) => this.#ends.set(name, resolve))
    })
    response.catch(() => undefined)
    return response
  }

  async sendAll(...names: string[]): Promise<void> {
    for (const name of names) void this.send(name).catch(() => undefined)
    await setImmediate()
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.()
    await setImmediate()
  }
}

/** The status, code and Retry-After of a rejected query. */
async function rejectionOf(response: Promise<void>): Promise<[number, string, string | undefined]> {
  try {
    await response
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    return [error.status, error.code, error.headers['retry-after']]
  }
  throw new Error('The query was not rejected')
}

test('runs half of the queries for one key, and all but one for one project', async () => {
  const queue = new TestQueue()
  await queue.sendAll('1a1', '1a2', '1a3', '1b1', '1b2')
  assert.deepEqual(queue.started, ['1a1', '1a2', '1b1'])
  await queue.sendAll('2a1', '2a2')
  assert.deepEqual(queue.started, ['1a1', '1a2', '1b1', '2a1'])
  assert.deepEqual(queue.queue.counts, { running: 4, waiting: 3, rejected: 0 })
})

test('starts the query of the project, and then of the key, that has the fewest running ones', async () => {
  const queue = new TestQueue()
  await queue.sendAll('1a1', '1a2', '1b1', '2a1')
  // All places are taken. These wait.
  await queue.sendAll('1a3', '1b2', '1c1', '2a2', '3a1')
  const next = async (ended: string) => {
    await queue.end(ended)
    return queue.started.at(-1)
  }
  assert.equal(await next('1a1'), '3a1')
  // Each project has one. The key 2a has one too.
  assert.equal(await next('1a2'), '1a3')
  assert.equal(await next('1b1'), '1b2')
  assert.equal(await next('2a1'), '2a2')
  assert.equal(await next('3a1'), '1c1')
})

test('runs one query at a time if there is one connection', async () => {
  const queue = new TestQueue(1)
  await queue.sendAll('1a1', '2a1')
  assert.deepEqual(queue.started, ['1a1'])
  await queue.end('1a1')
  assert.deepEqual(queue.started, ['1a1', '2a1'])
})

test('rejects more than six slow queries of one key, and says when to retry', async () => {
  const queue = new TestQueue()
  await queue.sendAll('1a1')
  queue.now = 4000
  await queue.end('1a1')
  await queue.sendAll('1a2', '1a3', '1a4', '1a5', '1a6', '1a7')
  queue.now = 8000
  // Four wait, and two run at a time for 4 s: the next one would start after 10 s.
  assert.deepEqual(await rejectionOf(queue.send('1a8')), [429, 'too-many-queries', '10'])
  assert.equal(queue.queue.counts.rejected, 1)
  // Other keys and projects are not affected.
  await queue.sendAll('1b1', '2a1')
  assert.deepEqual(queue.started.slice(-2), ['1b1', '2a1'])
  await queue.end('1a2')
  await queue.sendAll('1a9')
  assert.equal(queue.queue.counts.rejected, 1)
})

test('accepts more than six queries of one key while they are fast', async () => {
  const queue = new TestQueue()
  await queue.sendAll(...Array.from({ length: 50 }, (_, number) => `1a${number}`))
  assert.deepEqual(queue.queue.counts, { running: 2, waiting: 48, rejected: 0 })
  assert.deepEqual(await rejectionOf(queue.send('1a50')), [429, 'too-many-queries', '1'])
})

test('rejects queries of a project with many keys, and then of all projects', async () => {
  const queue = new TestQueue()
  const key = (number: number) => String.fromCodePoint(0x4e00 + number)
  for (let project = 1; project <= 5; project += 1)
    await queue.sendAll(...Array.from({ length: 200 }, (_, number) => `${project}${key(number)}`))
  assert.equal(queue.queue.counts.rejected, 0)
  assert.deepEqual(await rejectionOf(queue.send(`1${key(300)}`)), [429, 'too-many-queries', '1'])
  assert.deepEqual(await rejectionOf(queue.send('6a')), [503, 'unavailable', '1'])
})

test('a query that waits longer than the time limit is rejected with 503', async () => {
  // The timer of the queue does not keep the process running.
  const timer = setInterval(() => undefined, 1000)
  const queue = new TestQueue(1, 10)
  await queue.sendAll('1a1')
  assert.deepEqual(await rejectionOf(queue.send('2a1')), [503, 'unavailable', '1'])
  clearInterval(timer)
  await queue.end('1a1')
  assert.deepEqual(queue.started, ['1a1'])
  assert.deepEqual(queue.queue.counts, { running: 0, waiting: 0, rejected: 1 })
})

test('a query that is aborted while it waits does not run', async () => {
  const queue = new TestQueue(1)
  await queue.sendAll('1a1')
  const abort = new AbortController()
  const response = queue.send('2a1', abort.signal)
  await queue.sendAll('3a1')
  const reason = new Error('disconnected')
  abort.abort(reason)
  await assert.rejects(response, reason)
  await assert.rejects(queue.send('2a2', abort.signal), reason)
  await queue.end('1a1')
  assert.deepEqual(queue.started, ['1a1', '3a1'])
  assert.deepEqual(queue.queue.counts, { running: 1, waiting: 0, rejected: 0 })
})

test('a query that fails frees its place', async () => {
  const { queue } = new TestQueue(1)
  const failure = new Error('failed')
  await assert.rejects(
    queue.run({ project: 1, key: 'a' }, NEVER, () => Promise.reject(failure)),
    failure,
  )
  assert.equal(await queue.run({ project: 1, key: 'a' }, NEVER, async () => 'result'), 'result')
})
