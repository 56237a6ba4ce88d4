// Does the time to the first byte grow with the size of the evaluation?
import type { Bench } from './bench.ts'
import { median, timeToFirstByte } from './timing.ts'

const ROUNDS = 15

export const firstByte: Bench = {
  question: 'time to first byte, 100,000 scenarios against 1,000',
  async run({ base, key, small, large }) {
    const lines: string[] = []
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
      const times = { small: [] as number[], large: [] as number[] }
      // In turns, so that whatever else the machine does falls on both.
      for (let round = 0; round < ROUNDS; round += 1) {
        times.small.push(await timeToFirstByte(base, small, key, coding))
        times.large.push(await timeToFirstByte(base, large, key, coding))
      }
      const [few, many] = [median(times.small), median(times.large)]
      lines.push(
        `${coding}: ${many.toFixed(1)} ms against ${few.toFixed(1)} ms, ratio ${(many / few).toFixed(2)}`,
      )
    }
    return lines
  },
}
