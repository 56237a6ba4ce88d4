// Benchmark: a leaderboard of 50 evaluations with 10,000 rows each and windows of its rows, on both engines: the first request,
// the one after a write, repeated requests, and the memory of the service.
import { setTimeout as delay } from 'node:timers/promises'
import { addLargeEvaluation, addReadKey, addWriteKey } from '../data.ts'
import { type BenchStore, runOnEngines } from '../engines.ts'
import { cpuMs, memoryMiB, resetPeakMemory } from '../process-stats.ts'
import { startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { timeFullRead } from '../timing.ts'

const EVALUATIONS = 50
const ROWS = 10_000
const MAX_MS = 3000
const SETTLE_MS = 2000
const BOARDS = { verdicts: 'exact_match', numbers: 'similarity' }

export function leaderboard(args: string[]): Promise<void> {
  return runOnEngines(args, async (openStore) => {
    const store = await openStore('leaderboard')
    await measureEngine(store)
    await store.remove()
  })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function measureEngine({ engine, url, data }: BenchStore): Promise<void> {
  const keys = await fillStore(url)
  for (const [name, evaluator] of Object.entries(BOARDS)) {
    const service = await startService(['--data', data, '--database', url])
    try {
      const select = Array.from({ length: EVALUATIONS }, (_, number) => `evaluation=run-${number}`).join('&')
      const query = `${select}&on=${evaluator}`
      // Elapsed time alone says little on a machine with other load.
      const report = async (what: string, path: string) => {
        const url = `${service.baseUrl}/api/leaderboards${path}?${query}`
        const used = cpuMs(service.child)
        const { status, ms, bytes } = await timeFullRead(url, keys.read)
        const verdict = status === 200 && ms <= MAX_MS ? '' : ': FAILED'
        const cpu = cpuMs(service.child) - used
        print(
          `${engine}, ${name}, ${what}: ${ms.toFixed(0)} ms, CPU ${cpu} ms, ${(bytes / 1000).toFixed(0)} kB${verdict}`,
        )
      }
      const scenario = `${service.baseUrl}/api/evaluations/run-7/evaluation_scenarios/scenario-9`
      const write = () =>
        timeFullRead(scenario, keys.write, { method: 'PATCH', body: { note: `${Date.now()}` } })
      await delay(SETTLE_MS)
      const idle = memoryMiB(service.child, 'current')
      resetPeakMemory(service.child)
      await report('the first request', '')
      await report('repeated', '')
      await write()
      await report('after a write of one evaluation', '')
      await report('200 rows', '/rows')
      await report('200 rows, repeated', '/rows')
      const growth = memoryMiB(service.child, 'peak') - idle
      print(`${engine}, ${name}, memory: ${growth.toFixed(0)} MiB above ${idle.toFixed(0)} MiB`)
    } finally {
      await stopService(service)
    }
  }
}

/** Adds the evaluations, unless they are in the store from an earlier run. */
async function fillStore(url: string): Promise<{ read: string; write: string }> {
  const store = await openStoreAt(url)
  const last = `run-${EVALUATIONS - 1}`
  if (!(await store.reader.get('SELECT 1 FROM evaluation WHERE id = ?', last)))
    for (let number = 0; number < EVALUATIONS; number += 1)
      await addLargeEvaluation(store, ROWS, { id: `run-${number}`, seed: number })
  const keys = { read: await addReadKey(store), write: await addWriteKey(store) }
  await store.close()
  return keys
}
