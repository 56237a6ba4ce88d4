// Benchmark: latency of reads of one scenario while 50,000 scenarios are posted to the same service, or imported by another
// process.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark, Report } from '../benchmark.ts'
import { writeScenarios } from '../data.ts'
import { ROUNDS } from '../reference/compare.ts'
import { startReader } from '../small-reader.ts'
import { quantile } from '../timing.ts'
import { importFile, startUploader } from '../uploads.ts'

const SCENARIOS = 50_000
const IDLE_MS = 5000

export const readsDuringImport: Benchmark = {
  title: 'small reads during the import of 50,000 scenarios',
  async run({ baseUrl, key, writeKey, small, folder }) {
    const reader = startReader(`${baseUrl}${small}?limit=1`, key)
    const file = join(folder, 'scenarios.ndjson')
    try {
      await reader.measureDuring(() => delay(IDLE_MS))
      const idle = await reader.measureDuring(() => delay(IDLE_MS))
      const report: Report = { lines: [formatTimes('idle', idle)], measurements: {} }
      const percentiles: number[] = []
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = `posted-${round}`
        await writeScenarios(file, id, SCENARIOS)
        const target = `${baseUrl}/api/evaluations/${id}/evaluation_scenarios`
        const times = await reader.measureDuring(await startUploader(target, writeKey, file))
        report.lines.push(formatTimes('during a POST to the same service', times))
        percentiles.push(quantile(times, 0.99))
      }
      await writeScenarios(file, 'imported', SCENARIOS)
      const imported = await reader.measureDuring(() => importFile(folder, file))
      report.lines.push(formatTimes('during assay import', imported))
      report.measurements['reads-during-post'] = percentiles
      return report
    } finally {
      reader.stop()
      rmSync(file, { force: true })
    }
  },
}

export function formatTimes(name: string, times: number[]): string {
  const [median, p99, worst] = [0.5, 0.99, 1].map((fraction) => quantile(times, fraction).toFixed(2))
  return `${name}: median ${median} ms, 99th percentile ${p99} ms, longest ${worst} ms of ${times.length}`
}
