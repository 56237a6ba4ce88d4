// How long do questions over 100,000 scenarios take, each beside the same question asked by one statement of SQL, and do
// small reads stay fast meanwhile?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
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

/** Asks a statement by hand; its rows are taken to their end. */
type Ask = (statement: string) => Promise<unknown>

export const questions: Bench = {
  question: 'questions over 100,000 scenarios, each against one statement by hand',
  async run({ folder }) {
    const file = join(folder, 'questions', 'assay.db')
    const embedded = await compare('sqlite', `sqlite:${file}`, folder, async () => {
      const database = new DatabaseSync(file, { readOnly: true })
      return {
        ask: async (statement) => database.prepare(statement).all(),
        close: async () => database.close(),
      }
    })
    const cluster = await startCluster()
    try {
      const url = await freshDatabase(cluster.url())
      const served = await compare('postgres', url, folder, async () => {
        const client = new pg.Client(url)
        await client.connect()
        return { ask: (statement) => client.query(statement), close: () => client.end() }
      })
      return [...embedded, ...served]
    } finally {
      await cluster.remove()
    }
  },
}

async function compare(
  engine: Engine,
  url: string,
  folder: string,
  open: () => Promise<{ ask: Ask; close(): Promise<void> }>,
): Promise<string[]> {
  const store = await openAt(url)
  await addLargeEvaluation(store, SCENARIOS, { id: 'base', seed: 1 })
  await addLargeEvaluation(store, SCENARIOS, { id: 'candidate', seed: 2 })
  const small = await addLargeEvaluation(store, 1000)
  const key = await addReadKey(store)
  await store.close()
  const data = join(folder, `questions-${engine}`)
  const service = await startService(['--data', data, '--database', url, '--log-level', 'warn'])
  const byHand = await open()
  try {
    const lines: string[] = []
    for (const { name, path, sql } of QUESTIONS)
      lines.push(await line(engine, name, service.base + path, key, () => byHand.ask(sql(engine))))
    const url = `${service.base}/api/evaluations/${small}/evaluation_scenarios?limit=1`
    return [...lines, await smallReads(engine, service.base, url, key)]
  } finally {
    await byHand.close()
    await stopService(service)
  }
}

async function line(engine: Engine, name: string, url: string, key: string, byHand: () => Promise<unknown>) {
  const times = { ours: [] as number[], theirs: [] as number[] }
  // A process that has only just started is still compiling itself.
  for (let round = 0; round < WARM_UP; round += 1) await timeWhole(url, key)
  for (let round = 0; round < ROUNDS; round += 1) {
    times.ours.push((await timeWhole(url, key)).ms)
    const started = performance.now()
    await byHand()
    times.theirs.push(performance.now() - started)
  }
  const [ours, theirs] = [median(times.ours), median(times.theirs)]
  const isFast = ours <= 2 * theirs && ours < 1500
  return `${engine}, ${name}: ${ours.toFixed(0)} ms against ${theirs.toFixed(0)} ms, ratio ${(ours / theirs).toFixed(2)}${isFast ? '' : ': NOT at most 2 and below 1.5 s'}`
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
