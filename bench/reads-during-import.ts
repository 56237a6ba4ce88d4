// Do reads stay fast while 100,000 scenarios are taken in: by another process, and by the service itself?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { writeScenarios } from './data.ts'
import { importFile, postFile } from './import-rate.ts'
import { quantile, timeWhole } from './timing.ts'

const SCENARIOS = 100_000
const IDLE_READS = 1000

interface Times {
  small: number[]
  whole: number[]
}

export const readsDuringImport: Bench = {
  question: 'reads while 100,000 scenarios are taken in, against an idle service',
  async run({ base, key, writeKey, small, folder }) {
    const url = base + small
    const file = join(folder, 'scenarios.ndjson')
    await readMany(url, key, (reads) => reads < 100)
    const idle = await readMany(url, key, (reads) => reads < IDLE_READS)

    await writeScenarios(file, 'imported', SCENARIOS, 'lines')
    const imported = await readWhile(importFile(folder, file), url, key)

    await writeScenarios(file, 'posted', SCENARIOS, 'lines')
    const target = `${base}/api/evaluations/posted/evaluation_scenarios`
    const posted = await readWhile(postInProcess(target, writeKey, file), url, key)
    rmSync(file)

    return [
      ...lines('idle', idle),
      ...lines('with assay import beside it', imported),
      ...lines('with a POST of its own', posted),
      gate([imported, posted]),
    ]
  },
}

/** Reads one element and the whole evaluation in turns, one after the other, as long as there is need. */
async function readMany(url: string, key: string, more: (reads: number) => boolean): Promise<Times> {
  const times: Times = { small: [], whole: [] }
  while (more(times.small.length)) {
    times.small.push((await timeWhole(`${url}?limit=1`, key)).ms)
    times.whole.push((await timeWhole(url, key)).ms)
  }
  return times
}

async function readWhile(work: Promise<void>, url: string, key: string): Promise<Times> {
  let isOver = false
  const watched = work.finally(() => {
    isOver = true
  })
  watched.catch(() => undefined)
  const times = await readMany(url, key, () => !isOver)
  await watched
  return times
}

/** In a process of its own, so that sending does not hold up the clock of the reads. */
async function postInProcess(url: string, key: string, file: string): Promise<void> {
  const [code] = await once(fork(import.meta.filename, [url, key, file]), 'exit')
  if (code !== 0) throw new Error(`The sender ended with ${code}`)
}

function lines(name: string, { small, whole }: Times): string[] {
  return [line(`${name}, small`, small), line(`${name}, 1,000 scenarios`, whole)]
}

function line(name: string, times: number[]): string {
  const [median, p99, worst] = [0.5, 0.99, 1].map((at) => quantile(times, at).toFixed(2))
  return `${name}: median ${median} ms, 99th percentile ${p99} ms, worst ${worst} ms of ${times.length}`
}

function gate(all: Times[]): string {
  const p99 = Math.max(...all.flatMap(({ small, whole }) => [quantile(small, 0.99), quantile(whole, 0.99)]))
  return `99th percentiles under 100 ms: ${p99 < 100 ? 'yes' : 'NO'}`
}

if (import.meta.main) {
  const [url = '', key = '', file = ''] = process.argv.slice(2)
  await postFile(url, key, file, 'application/x-ndjson')
}
