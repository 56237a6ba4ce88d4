// Benchmark: import of 100,000 scenarios, compared with a loop that parses each line and inserts it into one table.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark } from '../benchmark.ts'
import { addWriteKey, writeScenarios } from '../data.ts'
import { compare, formatComparison } from '../reference/compare.ts'
import { startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { importFile, NDJSON, postFile } from '../uploads.ts'

const SCENARIOS = 100_000
const ID = 'imported'

const REFERENCE = new URL('../reference/bare-insert.ts', import.meta.url).pathname

/** Not pinned to a core, because the service uses several threads. */
export const importRate: Benchmark = {
  title:
    'import of 100,000 scenarios, in MB per second of Assay and of a loop that parses and inserts each line',
  async run({ folder }) {
    const file = join(folder, 'scenarios.ndjson')
    await writeScenarios(file, ID, SCENARIOS)
    const rate = (ms: number) => statSync(file).size / 1000 / ms
    const inEmptyFolder = async (measure: (data: string) => Promise<number>) => {
      const data = join(folder, 'fresh')
      mkdirSync(data)
      const ms = await measure(data)
      rmSync(data, { recursive: true })
      return rate(ms)
    }
    const compareWithLoop = (measure: (data: string, file: string) => Promise<number>) =>
      compare(
        () => inEmptyFolder((data) => measure(data, file)),
        () => inEmptyFolder((data) => timeInsertion(data, file)),
      )
    const imported = await compareWithLoop(timeImport)
    const posted = await compareWithLoop(timePost)
    rmSync(file)
    return {
      lines: [`assay import: ${formatComparison(imported)}`, `NDJSON over HTTP: ${formatComparison(posted)}`],
      measurements: { import: imported.ratios, post: posted.ratios },
    }
  },
}

/** Milliseconds of the loop, without the start of its process. */
async function timeInsertion(data: string, file: string): Promise<number> {
  const [ms] = await once(fork(REFERENCE, [file, join(data, 'bare.db')]), 'message')
  return ms
}

/** Milliseconds of the whole command, including its start. */
async function timeImport(data: string, file: string): Promise<number> {
  const startTime = performance.now()
  await importFile(data, file)
  return performance.now() - startTime
}

/** Milliseconds of the request, without the start of the service. */
async function timePost(data: string, file: string): Promise<number> {
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  const key = await addWriteKey(store)
  await store.close()
  const service = await startService(['--data', data])
  const startTime = performance.now()
  await postFile(`${service.baseUrl}/api/evaluations/${ID}/evaluation_scenarios`, key, file, NDJSON)
  const elapsed = performance.now() - startTime
  await stopService(service)
  return elapsed
}
