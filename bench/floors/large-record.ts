// Benchmark: the longest small read while one record of 30 MB is posted to the same service.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark, Report } from '../benchmark.ts'
import { onCore } from '../load-generator.ts'
import { ROUNDS } from '../reference/compare.ts'
import { startService, stopService } from '../service.ts'
import { startReader } from '../small-reader.ts'
import { startUploader } from '../uploads.ts'
import { formatTimes } from './reads-during-import.ts'

const BYTES = 30_000_000
/** The default limit is 8 MiB. */
const LIMIT = ['--max-record-bytes', String(64 * 1024 * 1024)]
const IDLE_MS = 2000

/** A long text, and a trace of many small values, which take longer to parse. */
const RECORDS = {
  'large-text': () => ({ type: 'text', value: 'The capital of France is Paris. '.repeat(BYTES / 32) }),
  'large-values': () => ({
    type: 'json',
    value: Array.from({ length: BYTES / 75 }, (_, step) => ({
      step,
      tool: 'search',
      arguments: { query: 'capital of France', limit: 5 },
    })),
  }),
}

export const largeRecord: Benchmark = {
  title: 'small reads while one record of 30 MB is posted',
  async run({ key, writeKey, small, folder }) {
    const service = await startService(['--data', folder, ...LIMIT], { launcher: onCore(0) })
    const reader = startReader(`${service.baseUrl}${small}?limit=1`, key)
    const file = join(folder, 'record.ndjson')
    const report: Report = { lines: [], measurements: {} }
    try {
      for (const [name, result] of Object.entries(RECORDS)) {
        const longest: number[] = []
        for (let round = 0; round < ROUNDS; round += 1) {
          const record = { id: 'large', inputs: [], outputs: [{ result: result() }], results: [] }
          writeFileSync(file, `${JSON.stringify(record)}\n`)
          const idle = await reader.measureDuring(() => delay(IDLE_MS))
          const target = `${service.baseUrl}/api/evaluations/${name}-${round}/evaluation_scenarios`
          const times = await reader.measureDuring(await startUploader(target, writeKey, file))
          report.lines.push(formatTimes(`${name}, idle`, idle), formatTimes(`${name}, POST`, times))
          longest.push(Math.max(...times))
        }
        report.measurements[name as keyof typeof RECORDS] = longest
      }
      return report
    } finally {
      reader.stop()
      rmSync(file, { force: true })
      await stopService(service)
    }
  },
}
