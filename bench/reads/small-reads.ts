// Benchmark: latency of small reads while two clients read 100,000 scenarios repeatedly.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Benchmark } from '../benchmark.ts'
import { quantile, timeFullRead } from '../timing.ts'

const READS = 1500

export const smallReads: Benchmark = {
  title: 'small reads while two clients read 100,000 scenarios, compared with an idle service',
  async run({ baseUrl, key, small, large }) {
    const url = `${baseUrl}${small}?limit=1`
    const idle = await readMany(url, key)
    const readers = [1, 2].map(() =>
      fork(new URL('../looping-reader.ts', import.meta.url), [baseUrl + large, key]),
    )
    await Promise.all(readers.map((reader) => once(reader, 'message')))
    const busy = await readMany(url, key)
    for (const reader of readers) reader.kill()
    const line = (name: string, times: number[]) =>
      `${name}: median ${quantile(times, 0.5).toFixed(2)} ms, 99th percentile ${quantile(times, 0.99).toFixed(2)} ms`
    return [line('idle', idle), line('with two large readers', busy), gate(quantile(busy, 0.99))]
  },
}

async function readMany(url: string, key: string): Promise<number[]> {
  const times: number[] = []
  for (let read = 0; read < READS; read += 1) times.push((await timeFullRead(url, key)).ms)
  return times
}

function gate(p99: number): string {
  return `99th percentile under 100 ms: ${p99 < 100 ? 'yes' : 'NO'}`
}
