// Benchmark: adding, replacing and deleting 100,000 results, compared with uploading the 100,000 scenarios, on both engines.
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { freshDatabase, startCluster } from '../../test/postgres/cluster.ts'
import type { Benchmark } from '../benchmark.ts'
import { addWriteKey, writeScenarios } from '../data.ts'
import { startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { median } from '../timing.ts'
import { NDJSON, postFile } from '../uploads.ts'

const ROUNDS = 3
const SCENARIOS = 100_000
const ID = 'scored'

export const results: Benchmark = {
  title: 'adding 100,000 results, compared with uploading 100,000 scenarios',
  async run({ folder }) {
    const files = {
      scenarios: join(folder, 'scenarios.ndjson'),
      first: join(folder, 'first-results.ndjson'),
      second: join(folder, 'second-results.ndjson'),
    }
    await writeScenarios(files.scenarios, ID, SCENARIOS)
    await writeResults(files.first, 3)
    await writeResults(files.second, 7)
    const cluster = await startCluster()
    try {
      const lines: string[] = []
      for (const engine of ['SQLite', 'PostgreSQL'] as const) {
        const times = new Map<string, number[]>()
        for (let round = 0; round < ROUNDS; round += 1) {
          const data = join(folder, 'fresh')
          mkdirSync(data)
          const url =
            engine === 'SQLite' ? `sqlite:${join(data, 'assay.db')}` : await freshDatabase(cluster.url())
          for (const [name, ms] of await measure(url, data, files))
            times.set(name, [...(times.get(name) ?? []), ms])
          rmSync(data, { recursive: true })
        }
        const scenarios = median(times.get('scenarios') ?? [])
        for (const [name, all] of times)
          lines.push(
            `${engine}, ${name}: ${(median(all) / 1000).toFixed(1)} s, ratio ${(median(all) / scenarios).toFixed(2)}`,
          )
      }
      return lines
    } finally {
      await cluster.stop()
    }
  },
}

/** Milliseconds of each request to a new service with an empty store. */
async function measure(
  url: string,
  data: string,
  files: Record<'scenarios' | 'first' | 'second', string>,
): Promise<[name: string, ms: number][]> {
  const store = await openStoreAt(url)
  const key = await addWriteKey(store)
  await store.close()
  const service = await startService(['--data', data, '--database', url])
  const evaluation = `${service.baseUrl}/api/evaluations/${ID}`
  const requests: Record<string, () => Promise<unknown>> = {
    scenarios: () => postFile(`${evaluation}/evaluation_scenarios`, key, files.scenarios, NDJSON),
    'added results': () => postFile(`${evaluation}/results`, key, files.first, NDJSON),
    'replaced results': () => postFile(`${evaluation}/results`, key, files.second, NDJSON),
    'deleted results': () => deleteResults(`${evaluation}/results?evaluator=judge`, key),
  }
  const times: [string, number][] = []
  try {
    for (const [name, send] of Object.entries(requests)) {
      const startTime = performance.now()
      await send()
      times.push([name, performance.now() - startTime])
    }
  } finally {
    await stopService(service)
  }
  return times
}

async function deleteResults(url: string, key: string): Promise<void> {
  const response = await fetch(url, { method: 'DELETE', headers: { authorization: key } })
  if (response.status !== 204) throw new Error(`DELETE returned ${response.status}`)
}

/** One result per scenario, with a reason. */
function writeResults(file: string, modulus: number): Promise<void> {
  function* lines(): Generator<string> {
    for (let index = 0; index < SCENARIOS; index += 1) {
      const result = { type: 'bool', value: index % modulus === 0 }
      const reason = `The answer number ${index} follows ${index % modulus} of the ${modulus} rules of the policy.`
      yield `${JSON.stringify({ scenario_id: `scenario-${index}`, evaluator_config: 'judge', result, reason })}\n`
    }
  }
  return pipeline(Readable.from(lines()), createWriteStream(file))
}
