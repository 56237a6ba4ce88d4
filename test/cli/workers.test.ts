// assay serve --workers: several processes that look like one from outside, whichever of them ends.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { addLargeEvaluation, addReadKey } from '../../bench/data.ts'
import { openAt } from '../../bench/store.ts'
import { assay, freshFolder } from '../harness.ts'
import { ask, schemaErrors } from '../wire.ts'
import { scenariosOf } from '../writes.ts'
import {
  isRunning,
  Line,
  startWorkers,
  textOf,
  twoLines,
  until,
  type WorkerService,
} from './worker-service.ts'

const WORKERS = ['--workers', '2']

async function ended({ child, pids }: WorkerService): Promise<void> {
  if (child.exitCode === null) await once(child, 'exit')
  assert.deepEqual([child.exitCode, child.signalCode], [0, null])
  assert.deepEqual(pids().filter(isRunning), [])
}

function badKey(): Record<string, string> {
  return { authorization: 'Bearer assay_none' }
}

describe('several processes are one service', async () => {
  const service = await startWorkers([...WORKERS, '--failed-key-limit', '2'])
  const { base, child, stderr, pids, logged } = service

  test('each process is one of its own, and figures are those of all', async () => {
    const lines = await twoLines(service)
    assert.equal(new Set([child.pid, ...pids()]).size, 3)
    const long = `/livez?_=${'x'.repeat(5000)}`
    await Promise.all(
      lines.map(async (line) => {
        for (let times = 0; times < 100; times += 1) assert.equal((await line.ask(long)).status, 200)
      }),
    )
    for (const line of lines) {
      const { text } = await line.ask('/metrics')
      const [, count] = /request_seconds_count\{[^}]*route="\/livez"[^}]*\} (\d+)/.exec(text) ?? []
      assert.equal(count, '202')
    }
    await until(() => logged('request').length >= 204)
    const written = stderr().split('\n').slice(0, -1)
    for (const line of written) assert.ok(line.length < 4096, 'a line that could mix with another')
  })

  test('what one of them refuses the other counts', async () => {
    const [one, other] = await twoLines(service)
    const statuses = []
    for (let times = 0; times < 3; times += 1)
      statuses.push((await one.ask('/api/evaluations', badKey())).status)
    assert.deepEqual(statuses, [401, 401, 429])
    // Goes to the other by the same way, behind the refusals.
    assert.equal((await one.ask('/metrics')).status, 200)
    assert.equal((await other.ask('/api/evaluations', badKey())).status, 429)
  })

  test('figures are answered while a process is replaced, and refused while one hangs', async () => {
    const lines = await twoLines(service)
    const [hanging = 0] = pids()
    process.kill(hanging, 'SIGSTOP')
    const racing = lines.map(async (line) => ((await line.ask('/livez')).status === 200 ? line : undefined))
    const going = await Promise.race(racing)
    assert.ok(going)
    const refused = await going.ask('/metrics')
    assert.equal(refused.status, 503)
    assert.deepEqual(schemaErrors('Problem', JSON.parse(refused.text)), [])
    const asked = going.ask('/metrics')
    process.kill(hanging, 'SIGKILL')
    assert.equal((await asked).status, 200)
    await Promise.allSettled(racing)
    await until(() => pids().length === 3)
  })

  test('one that is killed is replaced, and connections of the other do not notice', async () => {
    const before = pids().length
    const lines = Array.from({ length: 4 }, () => new Line(base))
    for (const line of lines) assert.equal((await line.ask('/livez')).status, 200)
    const counts = lines.map(() => 0)
    const asking = lines.map(async (line, index) => {
      while (pids().length === before) {
        assert.equal((await line.ask('/livez')).status, 200)
        counts[index] = (counts[index] ?? 0) + 1
      }
    })
    await until(() => counts.every((count) => count > 0))
    process.kill(pids().at(-1) ?? 0, 'SIGKILL')
    const outcomes = (await Promise.allSettled(asking)).map(({ status }) => status).sort()
    assert.deepEqual(outcomes, ['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    assert.equal(logged('a worker has ended').at(-1)?.reason, 'SIGKILL')
    for (let times = 0; times < 4; times += 1) assert.equal((await ask(base, '/livez')).status, 200)
    assert.equal(pids().filter(isRunning).length, 2)
  })

  test('a port in use is two lines and exit code 1', async () => {
    const { port } = new URL(base)
    // Ends when the last process has that may write to its output.
    const { code, stdout, stderr } = await assay([
      'serve',
      ...WORKERS,
      '--port',
      port,
      '--data',
      freshFolder(),
    ])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(
      stderr.replace(/^\{.*the page.*\}\n/gm, ''),
      /^assay: Cannot listen on 127\.0\.0\.1, port \d+: .*EADDRINUSE.*\nAnother process uses it: .*\n$/,
    )
  })

  test('all of them end when the one that started them is killed', async () => {
    child.kill('SIGKILL')
    await until(() => !pids().some(isRunning))
    await assert.rejects(ask(base, '/livez'), { code: 'ECONNREFUSED' })
  })
})

describe('an answer that is under way when the service is asked to end', async () => {
  const data = freshFolder()
  const store = await openAt(`sqlite:${join(data, 'assay.db')}`)
  const path = scenariosOf(await addLargeEvaluation(store, 6000))
  const authorization = await addReadKey(store)
  await store.close()

  /** One from each process, of which nothing is taken yet. */
  async function begin() {
    const service = await startWorkers([...WORKERS, '--drain-timeout', '10m'], data)
    const lines = await twoLines(service)
    const answers = await Promise.all(lines.map((line) => line.begin(path, { authorization })))
    return { ...service, answers }
  }

  test('is finished, and an interrupt by a terminal comes to every process at once', async () => {
    const { answers, ...service } = await begin()
    for (const pid of [service.child.pid ?? 0, ...service.pids()]) process.kill(pid, 'SIGINT')
    await until(() => service.logged('draining').length === 2)
    for (const answer of answers) assert.equal(JSON.parse(await textOf(answer)).length, 6000)
    await ended(service)
    assert.equal(service.logged('draining').length, 2)
    assert.equal(service.logged('a worker has ended').length, 0)
  })

  test('is reset at a second signal', async () => {
    const { answers, ...service } = await begin()
    service.child.kill('SIGTERM')
    await until(() => service.logged('draining').length === 2)
    service.child.kill('SIGTERM')
    await ended(service)
    for (const answer of answers) await assert.rejects(textOf(answer), { code: 'ECONNRESET' })
  })

  test('is the reason why a worker that is asked to end by itself ends later, and is replaced', async () => {
    const { answers, ...service } = await begin()
    const [first = 0] = service.pids()
    process.kill(first, 'SIGTERM')
    await until(() => service.logged('draining').length === 1)
    assert.ok(isRunning(first))
    for (const answer of answers) assert.equal(JSON.parse(await textOf(answer)).length, 6000)
    await until(() => service.pids().length === 3)
    service.child.kill('SIGTERM')
    await ended(service)
  })
})

test('one that cannot start is tried again after pauses that grow, while the other serves', async () => {
  const service = await startWorkers(WORKERS)
  const { base, child, data, pids, logged } = service
  const lines = await twoLines(service)
  const file = join(data, 'assay.db')
  copyFileSync(file, `${file}.good`)
  const [first = 0] = pids()
  writeFileSync(file, 'no store any more, and no room for one')
  process.kill(first, 'SIGKILL')
  await until(() => logged('a worker has ended').length === 4)
  const [, second = 0, third = 0, fourth = 0] = logged('a worker has ended').map(({ pause_ms }) => pause_ms)
  assert.ok(second >= 100)
  assert.deepEqual([third, fourth], [2 * second, 4 * second])
  const asked = await Promise.allSettled(lines.map((line) => line.ask('/livez')))
  assert.deepEqual(asked.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await ask(base, '/livez')).status, 200)
  copyFileSync(`${file}.good`, file)
  await until(() => pids().length === 3)
  child.kill('SIGTERM')
  await ended(service)
})

test('all together have as many connections as one would; a further one is closed', async () => {
  const service = await startWorkers([...WORKERS, '--max-connections', '4'])
  await until(() => service.pids().length === 2)
  const lines = Array.from({ length: 10 }, () => new Line(service.base))
  const asked = await Promise.allSettled(lines.map((line) => line.ask('/livez')))
  assert.equal(asked.filter(({ status }) => status === 'fulfilled').length, 4)
  for (const line of lines) line.close()
  await until(() =>
    ask(service.base, '/livez').then(
      () => true,
      () => false,
    ),
  )
})

test('one worker is the process itself, and auto is one a core', async () => {
  const alone = await startWorkers(['--workers', '1'])
  assert.deepEqual(alone.pids(), [alone.child.pid])
  const many = await startWorkers(['--workers', 'auto'])
  await until(() => many.pids().length === availableParallelism())
  assert.equal(many.pids().includes(many.child.pid ?? 0), availableParallelism() === 1)
})
