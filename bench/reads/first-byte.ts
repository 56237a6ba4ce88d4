// Benchmark: time to the first byte for 100,000 scenarios, compared with 1,000.
import type { Benchmark } from '../benchmark.ts'
import { median, timeToFirstByte } from '../timing.ts'

const ROUNDS = 15

export const firstByte: Benchmark = {
  title: 'time to the first byte for 100,000 scenarios, compared with 1,000',
  async run({ baseUrl, key, small, large }) {
    const lines: string[] = []
    for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
      const times = { small: [] as number[], large: [] as number[] }
      // Alternates, so that other load on the machine affects both.
      for (let round = 0; round < ROUNDS; round += 1) {
        times.small.push(await timeToFirstByte(baseUrl, small, key, encoding))
        times.large.push(await timeToFirstByte(baseUrl, large, key, encoding))
      }
      const [smallMs, largeMs] = [median(times.small), median(times.large)]
      lines.push(
        `${encoding}: ${largeMs.toFixed(1)} ms, small ${smallMs.toFixed(1)} ms, ratio ${(largeMs / smallMs).toFixed(2)}`,
      )
    }
    return lines
  },
}
