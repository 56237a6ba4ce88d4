// Benchmark: deletion of an evaluation with 1,000,000 scenarios, and small requests while its rows are removed. The service is
// killed half way and started again. npm run bench -- deletion [--engine sqlite|postgres|both] [--folder FOLDER] [SCENARIOS]
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { scenarioTables } from '../../src/store/scenarios/derived-rows.ts'
import { EVALUATION_TABLES } from '../../src/store/scenarios/removal.ts'
import type { Store } from '../../src/store/store.ts'
import { addReadKey, addWriteKey } from '../data.ts'
import { type BenchStore, runOnEngines } from '../engines.ts'
import { fillStore, LARGE, SAME } from '../growth/data.ts'
import { MAIN, type ServiceProcess, startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { quantile, timeFullRead } from '../timing.ts'

const SCENARIOS = 1_000_000
/** Time between two requests of the same kind. */
const INTERVAL_MS = 50
const IDLE_REQUESTS = 200
interface Keys {
  read: string
  write: string
}

export async function deletion(args: string[]): Promise<void> {
  await runOnEngines(args, async (openBenchStore, [scenarios]) => {
    const benchStore = await openBenchStore('deletion')
    const store = await openStoreAt(benchStore.url)
    await fillStore(store, { evaluations: 1, scenarios: Number(scenarios ?? SCENARIOS) }, benchStore.engine)
    const keys = { read: await addReadKey(store), write: await addWriteKey(store) }
    try {
      await measure(benchStore, store, keys)
    } finally {
      await store.close()
      await benchStore.remove()
    }
  })
}

async function measure({ engine, url, data }: BenchStore, store: Store, keys: Keys): Promise<void> {
  const settings = ['--data', data, '--database', url]
  const first = await startService(settings)
  const print = (line: string) =>
    process.stdout.write(`${engine}, ${line} (load ${loadavg()[0]?.toFixed(1)})\n`)
  const idle = await sendUntil(first, keys, async (count) => count === IDLE_REQUESTS)
  print(`idle: ${describe(idle)}`)
  const { key, next_position: total } = await getLarge(store)
  const deleted = await timeFullRead(`${first.baseUrl}/api/evaluations/${LARGE}`, keys.write, {
    method: 'DELETE',
  })
  print(`DELETE of ${total} scenarios: ${deleted.status} after ${deleted.ms.toFixed(0)} ms`)
  const startTime = performance.now()
  const firstHalf = await sendUntil(first, keys, async () => (await countLeft(store, key)) < total / 2)
  print(`first half: ${describe(firstHalf)}`)
  first.child.kill('SIGKILL')
  if (first.child.signalCode === null) await once(first.child, 'exit')
  const second = await startService(settings)
  const secondHalf = await sendUntil(second, keys, async () => (await countLeft(store, key)) === 0)
  print(`second half, after SIGKILL: ${describe(secondHalf)}`)
  print(`all rows removed after ${((performance.now() - startTime) / 1000).toFixed(0)} s`)
  await stopService(second)
  for (const table of [...scenarioTables(store.reader), ...EVALUATION_TABLES]) {
    // A snapshot for queries has the longer time limit. PostgreSQL reads all removed rows that it has not vacuumed yet.
    const row = await store.reader.snapshot('query', (snapshot) =>
      snapshot.get(`SELECT 1 FROM ${table} WHERE evaluation = ? LIMIT 1`, key),
    )
    if (row) print(`FAILED: ${table} contains rows of the deleted evaluation`)
  }
  const check = execFileSync(process.execPath, [MAIN, 'check', '--database', url, '--data', data])
  print(`assay check: ${check.toString().trim().split('\n').at(-1)}`)
}

async function getLarge({ reader }: Store): Promise<{ key: number; next_position: number }> {
  const statement = 'SELECT key, next_position FROM evaluation WHERE id = ?'
  const row = await reader.get<{ key: number; next_position: number }>(statement, LARGE)
  if (!row) throw new Error('The large evaluation does not exist')
  return row
}

/** Scenarios that are not removed yet. */
async function countLeft({ reader }: Store, key: number): Promise<number> {
  const statement = 'SELECT next_position FROM evaluation WHERE key = ?'
  return (await reader.get<{ next_position: number }>(statement, key))?.next_position ?? 0
}

interface Times {
  reads: number[]
  writes: number[]
}

/** Sends small reads and writes at a steady rate, also if a response is late, until `isDone`. */
async function sendUntil(
  { baseUrl }: ServiceProcess,
  keys: Keys,
  isDone: (count: number) => Promise<boolean>,
): Promise<Times> {
  const times: Times = { reads: [], writes: [] }
  const scenario = `${baseUrl}/api/evaluations/${SAME.id}/evaluation_scenarios/scenario-`
  const pending: Promise<void>[] = []
  const send = async (list: number[], timed: Promise<{ status: number; ms: number }>) => {
    const { status, ms } = await timed
    if (status !== 200) throw new Error(`The service returned ${status}`)
    list.push(ms)
  }
  for (let count = 0; !(await isDone(count)); count += 1) {
    const write = { method: 'PATCH', body: { note: `note ${Date.now()} ${count}` } }
    pending.push(send(times.writes, timeFullRead(`${scenario}0`, keys.write, write)))
    await delay(INTERVAL_MS / 2)
    pending.push(send(times.reads, timeFullRead(`${scenario}${count % 1000}`, keys.read)))
    await delay(INTERVAL_MS / 2)
  }
  await Promise.all(pending)
  return times
}

function describe({ reads, writes }: Times): string {
  const of = (times: number[]) =>
    `${[0.5, 0.99, 1].map((fraction) => quantile(times, fraction).toFixed(1)).join(', ')} ms`
  return `${reads.length} reads ${of(reads)}, ${writes.length} writes ${of(writes)} (median, 99th percentile, maximum)`
}
