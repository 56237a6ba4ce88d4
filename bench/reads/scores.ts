// Benchmark: first page of 50 evaluations with scores, one of them large, compared with the page without scores.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freshDatabase, startCluster } from '../../test/postgres/cluster.ts'
import type { Benchmark } from '../benchmark.ts'
import { addLargeEvaluation, addReadKey, addWriteKey } from '../data.ts'
import { startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { median, timeFullRead } from '../timing.ts'

const ROUNDS = 30
const EVALUATIONS = 50
const SMALL = 100
/** Fewer on PostgreSQL, where writing takes longer. */
const LARGE = { sqlite: 100_000, postgres: 30_000 }
const PAGE = `/api/evaluations?limit=${EVALUATIONS}`

export const scores: Benchmark = {
  title: 'first page of evaluations with scores, one of them large, compared with the page without scores',
  async run({ folder }) {
    const data = join(folder, 'scores')
    mkdirSync(data, { recursive: true })
    const cluster = await startCluster()
    try {
      return [
        await measure('SQLite', `sqlite:${join(data, 'assay.db')}`, LARGE.sqlite, data),
        await measure('PostgreSQL', await freshDatabase(cluster.url()), LARGE.postgres, data),
      ]
    } finally {
      await cluster.remove()
    }
  },
}

async function measure(engine: string, url: string, size: number, data: string): Promise<string> {
  const store = await openStoreAt(url)
  for (let index = 1; index < EVALUATIONS; index += 1)
    await addLargeEvaluation(store, SMALL, { id: `small-${index}`, seed: index })
  await addLargeEvaluation(store, size, { id: 'large' })
  const [key, writeKey] = [await addReadKey(store), await addWriteKey(store)]
  await store.close()
  const service = await startService(['--data', data, '--database', url])
  const times = { with: [] as number[], without: [] as number[], append: [] as number[] }
  try {
    // The first round warms up. Each round changes the large evaluation, so that nothing about it is cached.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const append = await timeAppend(service.baseUrl, writeKey, round)
      const withScores = (await timeFullRead(`${service.baseUrl}${PAGE}&include=scores`, key)).ms
      const withoutScores = (await timeFullRead(`${service.baseUrl}${PAGE}`, key)).ms
      if (round === 0) continue
      times.append.push(append)
      times.with.push(withScores)
      times.without.push(withoutScores)
    }
  } finally {
    await stopService(service)
  }
  const [ours, plain] = [median(times.with), median(times.without)]
  const append = `append of one scenario to it ${median(times.append).toFixed(1)} ms`
  return `${engine}, ${size} scenarios: ${ours.toFixed(1)} ms, without scores ${plain.toFixed(1)} ms, ratio ${(ours / plain).toFixed(2)}; ${append}`
}

async function timeAppend(baseUrl: string, key: string, round: number): Promise<number> {
  const result = { type: 'number', value: Math.random() }
  const scenario = {
    id: `new-${round}`,
    outputs: [{ result: { type: 'text', value: 'x' }, cost: 0.01, latency: 1.5 }],
    results: [{ evaluator_config: 'similarity', result }],
  }
  const startTime = performance.now()
  const response = await fetch(`${baseUrl}/api/evaluations/large/evaluation_scenarios`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify([scenario]),
  })
  if (!response.ok) throw new Error(`The service returned ${response.status}: ${await response.text()}`)
  await response.text()
  return performance.now() - startTime
}
