// How long do questions over 100,000 scenarios take, each beside the same question asked by one statement of SQL, and do
// small reads stay fast meanwhile?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freshDatabase, startCluster } from '../test/postgres/cluster.ts'
import type { Bench } from './bench.ts'
import { addLargeEvaluation, addReadKey } from './data.ts'
import { type Engine, QUESTIONS } from './questions-by-hand.ts'
import { startService, stopService } from './service.ts'
import { openAt } from './store.ts'
import { median, quantile, timeWhole } from './timing.ts'

const SCENARIOS = 100_000
const ROUNDS = 7
const WARM_UP = 10
const READS = 400

export const questions: Bench = {
  question: 'questions over 100,000 scenarios, each against one statement by hand behind a bare server',
  async run({ folder }) {
    const embedded = await compare('sqlite', `sqlite:${join(folder, 'questions', 'assay.db')}`, folder)
    const cluster = await startCluster()
    try {
      return [...embedded, ...(await compare('postgres', await freshDatabase(cluster.url()), folder))]
    } finally {
      await cluster.remove()
    }
  },
}

async function compare(engine: Engine, url: string, folder: string): Promise<string[]> {
  const store = await openAt(url)
  await addLargeEvaluation(store, SCENARIOS, { id: 'base', seed: 1 })
  await addLargeEvaluation(store, SCENARIOS, { id: 'candidate', seed: 2 })
  const small = await addLargeEvaluation(store, 1000)
  const key = await addReadKey(store)
  await store.close()
  const data = join(folder, `questions-${engine}`)
  const service = await startService(['--data', data, '--database', url, '--log-level', 'warn'])
  const byHand = fork(new URL('./by-hand-server.ts', import.meta.url), [engine, url])
  try {
    const [bare] = (await once(byHand, 'message')) as [string]
    const lines: string[] = []
    for (const { name, path } of QUESTIONS)
      lines.push(
        await line(`${engine}, ${name}`, service.base + path, `${bare}/${encodeURIComponent(name)}`, key),
      )
    const read = `${service.base}/api/evaluations/${small}/evaluation_scenarios?limit=1`
    return [...lines, await smallReads(engine, service.base, read, key)]
  } finally {
    byHand.kill()
    await stopService(service)
  }
}

async function line(name: string, url: string, byHand: string, key: string): Promise<string> {
  const times = { ours: [] as number[], theirs: [] as number[] }
  // A process that has only just started is still compiling itself.
  for (let round = 0; round < WARM_UP; round += 1) {
    await timeWhole(url, key)
    await timeWhole(byHand, key)
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    times.ours.push((await timeWhole(url, key)).ms)
    times.theirs.push((await timeWhole(byHand, key)).ms)
  }
  const [ours, theirs] = [median(times.ours), median(times.theirs)]
  const isFast = ours <= 2 * theirs && ours < 1500
  return `${name}: ${ours.toFixed(0)} ms against ${theirs.toFixed(0)} ms, ratio ${(ours / theirs).toFixed(2)}${isFast ? '' : ': NOT at most 2 and below 1.5 s'}`
}

/** While every question is asked over and over, one after the other by a client of its own each. */
async function smallReads(engine: Engine, base: string, url: string, key: string): Promise<string> {
  const reader = new URL('./endless-reader.ts', import.meta.url)
  const askers = ['summary', 'search', 'comparison'].map((name) => {
    const { path = '' } = QUESTIONS.find((question) => question.name === name) ?? {}
    return fork(reader, [base + path, key])
  })
  await Promise.all(askers.map((asker) => once(asker, 'message')))
  const times: number[] = []
  for (let read = 0; read < READS; read += 1) times.push((await timeWhole(url, key)).ms)
  for (const asker of askers) asker.kill()
  const p99 = quantile(times, 0.99)
  return `${engine}, small reads meanwhile: median ${median(times).toFixed(1)} ms, 99th percentile ${p99.toFixed(1)} ms, under 100: ${p99 < 100 ? 'yes' : 'NO'}`
}
