// Benchmark: queries over 100,000 scenarios, compared with hand-written SQL; and latency of small reads meanwhile.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freshDatabase, startCluster } from '../../test/postgres/cluster.ts'
import type { Benchmark } from '../benchmark.ts'
import { addLargeEvaluation, addReadKey } from '../data.ts'
import { type Engine, QUERIES } from '../reference/hand-written-queries.ts'
import { startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { median, quantile, timeFullRead } from '../timing.ts'

const SCENARIOS = 100_000
const ROUNDS = 7
const WARM_UP = 10
const READS = 400

export const queries: Benchmark = {
  title: 'queries over 100,000 scenarios, compared with hand-written SQL behind a bare server',
  async run({ folder }) {
    const embedded = await compareQueries('sqlite', `sqlite:${join(folder, 'queries', 'assay.db')}`, folder)
    const cluster = await startCluster()
    try {
      return [...embedded, ...(await compareQueries('postgres', await freshDatabase(cluster.url()), folder))]
    } finally {
      await cluster.remove()
    }
  },
}

async function compareQueries(engine: Engine, url: string, folder: string): Promise<string[]> {
  const store = await openStoreAt(url)
  await addLargeEvaluation(store, SCENARIOS, { id: 'base', seed: 1 })
  await addLargeEvaluation(store, SCENARIOS, { id: 'candidate', seed: 2 })
  const small = await addLargeEvaluation(store, 1000)
  const key = await addReadKey(store)
  await store.close()
  const data = join(folder, `queries-${engine}`)
  const service = await startService(['--data', data, '--database', url])
  const bareServer = await startBareServer(engine, url)
  try {
    const lines: string[] = []
    for (const { name, path } of QUERIES)
      lines.push(
        await measureQuery(`${engine}, ${name}`, service.baseUrl + path, bareServer.urlOf(name), key),
      )
    const read = `${service.baseUrl}/api/evaluations/${small}/evaluation_scenarios?limit=1`
    return [...lines, await measureSmallReads(engine, service.baseUrl, read, key)]
  } finally {
    bareServer.stop()
    await stopService(service)
  }
}

/** Starts the process that runs the hand-written queries. */
export async function startBareServer(engine: Engine, url: string) {
  const child = fork(new URL('../reference/hand-written-query-server.ts', import.meta.url), [engine, url])
  const [baseUrl] = (await once(child, 'message')) as [string]
  return { urlOf: (name: string) => `${baseUrl}/${encodeURIComponent(name)}`, stop: () => child.kill() }
}

/** Medians of the times of both servers, in milliseconds. */
export async function timeBoth(
  url: string,
  bareUrl: string,
  key: string,
  rounds: number,
  beforeRound: (round: number) => Promise<unknown> = async () => undefined,
): Promise<{ ours: number; theirs: number }> {
  const times = { ours: [] as number[], theirs: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    await beforeRound(round)
    times.ours.push(await timeRead(url, key))
    times.theirs.push(await timeRead(bareUrl, key))
  }
  return { ours: median(times.ours), theirs: median(times.theirs) }
}

async function timeRead(url: string, key: string): Promise<number> {
  const { status, ms } = await timeFullRead(url, key)
  if (status !== 200) throw new Error(`GET ${url} returned ${status}`)
  return ms
}

async function measureQuery(name: string, url: string, bareUrl: string, key: string): Promise<string> {
  // Warm-up, because a new process still compiles its code.
  await timeBoth(url, bareUrl, key, WARM_UP)
  const { ours, theirs } = await timeBoth(url, bareUrl, key, ROUNDS)
  const isFast = ours <= 2 * theirs && ours < 1500
  return `${name}: ${ours.toFixed(0)} ms, bare ${theirs.toFixed(0)} ms, ratio ${(ours / theirs).toFixed(2)}${isFast ? '' : ': FAILED (limits: ratio 2, 1.5 s)'}`
}

/** Measures small reads while three clients repeat expensive queries. */
async function measureSmallReads(engine: Engine, baseUrl: string, url: string, key: string): Promise<string> {
  const reader = new URL('../looping-reader.ts', import.meta.url)
  const clients = ['summary', 'search', 'comparison'].map((name) => {
    const { path = '' } = QUERIES.find((query) => query.name === name) ?? {}
    return fork(reader, [baseUrl + path, key])
  })
  await Promise.all(clients.map((client) => once(client, 'message')))
  const times: number[] = []
  for (let read = 0; read < READS; read += 1) times.push((await timeFullRead(url, key)).ms)
  for (const client of clients) client.kill()
  const p99 = quantile(times, 0.99)
  return `${engine}, small reads during queries: median ${median(times).toFixed(1)} ms, 99th percentile ${p99.toFixed(1)} ms, under 100: ${p99 < 100 ? 'yes' : 'NO'}`
}
