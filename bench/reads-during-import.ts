// Benchmark: latency of reads during the import of 100,000 scenarios, by another process and by the service itself.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'
import { writeScenarios } from './data.ts'
import { importFile, postFile } from './import-rate.ts'
import { quantile, timeFullRead } from './timing.ts'

const SCENARIOS = 100_000
const IDLE_READS = 1000

interface Times {
  small: number[]
  full: number[]
}

export const readsDuringImport: Benchmark = {
  title: 'reads during the import of 100,000 scenarios, compared with an idle service',
  async run({ baseUrl, key, writeKey, small, folder }) {
    const url = baseUrl + small
    const file = join(folder, 'scenarios.ndjson')
    await readMany(url, key, (reads) => reads < 100)
    const idle = await readMany(url, key, (reads) => reads < IDLE_READS)

    await writeScenarios(file, 'imported', SCENARIOS, 'lines')
    const imported = await readWhile(importFile(folder, file), url, key)

    await writeScenarios(file, 'posted', SCENARIOS, 'lines')
    const target = `${baseUrl}/api/evaluations/posted/evaluation_scenarios`
    const posted = await readWhile(postInProcess(target, writeKey, file), url, key)
    rmSync(file)

    return [
      ...formatTimes('idle', idle),
      ...formatTimes('during assay import', imported),
      ...formatTimes('during a POST to the same service', posted),
      describeLimit([imported, posted]),
    ]
  },
}

/** Alternates between reading one scenario and the full evaluation, as long as `shouldContinue` returns true. */
async function readMany(
  url: string,
  key: string,
  shouldContinue: (reads: number) => boolean,
): Promise<Times> {
  const times: Times = { small: [], full: [] }
  while (shouldContinue(times.small.length)) {
    times.small.push((await timeFullRead(`${url}?limit=1`, key)).ms)
    times.full.push((await timeFullRead(url, key)).ms)
  }
  return times
}

async function readWhile(work: Promise<void>, url: string, key: string): Promise<Times> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  done.catch(() => undefined)
  const times = await readMany(url, key, () => !isDone)
  await done
  return times
}

/** Uploads from another process, so that the upload does not delay the measurement of reads. */
async function postInProcess(url: string, key: string, file: string): Promise<void> {
  const [code] = await once(fork(import.meta.filename, [url, key, file]), 'exit')
  if (code !== 0) throw new Error(`The upload process exited with code ${code}`)
}

function formatTimes(name: string, { small, full }: Times): string[] {
  return [formatLine(`${name}, small`, small), formatLine(`${name}, 1,000 scenarios`, full)]
}

function formatLine(name: string, times: number[]): string {
  const [median, p99, worst] = [0.5, 0.99, 1].map((fraction) => quantile(times, fraction).toFixed(2))
  return `${name}: median ${median} ms, 99th percentile ${p99} ms, worst ${worst} ms of ${times.length}`
}

function describeLimit(all: Times[]): string {
  const p99 = Math.max(...all.flatMap(({ small, full }) => [quantile(small, 0.99), quantile(full, 0.99)]))
  return `99th percentiles under 100 ms: ${p99 < 100 ? 'yes' : 'NO'}`
}

if (import.meta.main) {
  const [url = '', key = '', file = ''] = process.argv.slice(2)
  await postFile(url, key, file, 'application/x-ndjson')
}
