// Benchmark: breakdowns, agreements and histories, compared with hand-written SQL behind a bare server, on both engines: repeated
// requests, the first request after a write, and the memory of the service.
import { setTimeout as delay } from 'node:timers/promises'
import { addLargeEvaluation, addReadKey, addWriteKey, type ScenarioChange } from '../data.ts'
import { type BenchStore, runOnEngines } from '../engines.ts'
import { addVariant, timeOf } from '../growth/data.ts'
import { memoryMiB, resetPeakMemory } from '../process-stats.ts'
import { ANALYSIS_QUERIES, HISTORY, INPUTS } from '../reference/hand-written-analysis.ts'
import { type ServiceProcess, startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { timeFullRead } from '../timing.ts'
import { startBareServer, timeBoth } from './queries.ts'

const SCENARIOS = 100_000
const WARM_UP = 3
const ROUNDS = 5
/** Requests that take less are repeated more often: their times vary, and a new process still compiles its code. */
const SHORT_MS = 50
const SHORT_ROUNDS = 50
const MAX_RATIO = 1.5
const SETTLE_MS = 2000

export function analysis(args: string[]): Promise<void> {
  return runOnEngines(args, async (openStore, names) => {
    const store = await openStore('analysis')
    await measureEngine(store, names)
    await store.remove()
  })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function measureEngine({ engine, url, data }: BenchStore, names: string[]): Promise<void> {
  const keys = await fillStore(url)
  const queries = ANALYSIS_QUERIES.filter(({ name }) => names.length === 0 || names.includes(name))
  const bareServer = await startBareServer(engine === 'SQLite' ? 'sqlite' : 'postgres', url)
  const service = await startService(['--data', data, '--database', url])
  try {
    for (const { name, path } of queries) {
      const [ownUrl, bareUrl] = [service.baseUrl + path, bareServer.urlOf(name)]
      const { ours } = await timeBoth(ownUrl, bareUrl, keys.read, WARM_UP)
      const rounds = ours < SHORT_MS ? SHORT_ROUNDS : ROUNDS
      if (rounds > ROUNDS) await timeBoth(ownUrl, bareUrl, keys.read, rounds)
      print(`${engine}, ${name}: ${describe(await timeBoth(ownUrl, bareUrl, keys.read, rounds))}`)
      const change = (round: number) => changeEvaluation(service, path, keys.write, round)
      print(`  after a write: ${describe(await timeBoth(ownUrl, bareUrl, keys.read, rounds, change))}`)
    }
  } finally {
    bareServer.stop()
    await stopService(service)
  }
  for (const { name, path } of queries) {
    const fresh = await startService(['--data', data, '--database', url])
    try {
      print(`${engine}, ${name}: ${await measureMemory(fresh, path, keys)}`)
    } finally {
      await stopService(fresh)
    }
  }
}

function describe({ ours, theirs }: { ours: number; theirs: number }): string {
  const ratio = ours / theirs
  return `${ours.toFixed(1)} ms, bare ${theirs.toFixed(1)} ms, ratio ${ratio.toFixed(2)}${ratio <= MAX_RATIO ? '' : `: FAILED (limit: ${MAX_RATIO})`}`
}

/** Changes the evaluation of a path, so that nothing about it is cached. */
async function changeEvaluation(
  { baseUrl }: ServiceProcess,
  path: string,
  key: string,
  round: number,
): Promise<void> {
  const evaluation = path.split('/').slice(0, 4).join('/')
  const write = { method: 'PATCH', body: { note: `${Date.now()} ${round}` } }
  const { status } = await timeFullRead(`${baseUrl}${evaluation}/evaluation_scenarios/scenario-9`, key, write)
  if (status !== 200) throw new Error(`PATCH returned ${status}`)
}

/** The peak during requests after a write, above the memory before. */
async function measureMemory(
  service: ServiceProcess,
  path: string,
  keys: { read: string; write: string },
): Promise<string> {
  await delay(SETTLE_MS)
  const idle = memoryMiB(service.child, 'current')
  resetPeakMemory(service.child)
  for (let round = 0; round < ROUNDS; round += 1) {
    await changeEvaluation(service, path, keys.write, round)
    await timeFullRead(service.baseUrl + path, keys.read)
  }
  return `${(memoryMiB(service.child, 'peak') - idle).toFixed(0)} MiB above ${idle.toFixed(0)} MiB`
}

/** Adds the evaluations, unless they are in the store from an earlier run. */
async function fillStore(url: string): Promise<{ read: string; write: string }> {
  const store = await openStoreAt(url)
  const last = `history-${HISTORY.evaluations - 1}`
  if (!(await store.reader.get('SELECT 1 FROM evaluation WHERE id = ?', last))) {
    await addLargeEvaluation(store, SCENARIOS, { id: 'base', seed: 1, change: withMoreColumns(1) })
    await addLargeEvaluation(store, SCENARIOS, { id: 'candidate', seed: 2, change: withMoreColumns(2) })
    await addVariant(store, HISTORY.variant, 1)
    for (let number = 0; number < HISTORY.evaluations; number += 1)
      await addLargeEvaluation(store, HISTORY.scenarios, {
        id: `history-${number}`,
        seed: number,
        variant_id: HISTORY.variant,
        revision: 1,
        created_at: timeOf(number),
      })
  }
  const keys = { read: await addReadKey(store), write: await addWriteKey(store) }
  await store.close()
  return keys
}

/** Adds inputs with few and with many values, and the verdict and rating of a person, which agree with the others mostly. */
function withMoreColumns(seed: number): ScenarioChange {
  return (scenario, position) => {
    const [verdict, score] = scenario.results.map(({ result }) => result.value)
    const noise = ((position * 7919 + seed) % 1000) / 1000
    const isPassed = noise < 0.1 ? verdict !== true : verdict === true
    const input = (name: 'topic' | 'customer', factor: number) => ({
      name,
      type: 'text',
      value: `${name} ${(position * factor) % INPUTS[name]}`,
    })
    return {
      ...scenario,
      inputs: [...scenario.inputs, input('topic', 7), input('customer', 31)],
      results: [
        ...scenario.results,
        { evaluator_config: 'human', result: { type: 'bool', value: isPassed } },
        {
          evaluator_config: 'rating',
          result: { type: 'number', value: Math.round(4 * (0.8 * Number(score) + 0.2 * noise)) / 4 },
        },
      ],
    }
  }
}
