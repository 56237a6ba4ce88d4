// Runs the benchmarks with floors, or the named ones: npm run bench -- first-byte. Exits with 1 if a floor is missed.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark } from './benchmark.ts'
import { addLargeEvaluation, addReadKey, addWriteKey } from './data.ts'
import { fullRead } from './floors/full-read.ts'
import { importRate } from './floors/import-rate.ts'
import { largeRecord } from './floors/large-record.ts'
import { readsDuringImport } from './floors/reads-during-import.ts'
import { start } from './floors/start.ts'
import { warmRead } from './floors/warm-read.ts'
import { exitCode, formatTable, type Measurements, UNMEASURED } from './floors.ts'
import { growth } from './growth/growth.ts'
import { onCore } from './load-generator.ts'
import { analysis } from './reads/analysis.ts'
import { coldRead } from './reads/cold-read.ts'
import { firstByte } from './reads/first-byte.ts'
import { leaderboard } from './reads/leaderboard.ts'
import { nginxRead } from './reads/nginx-read.ts'
import { page } from './reads/page.ts'
import { peakMemory } from './reads/peak-memory.ts'
import { postgresRead } from './reads/postgres-read.ts'
import { queries } from './reads/queries.ts'
import { replica } from './reads/replica.ts'
import { scores } from './reads/scores.ts'
import { smallReads } from './reads/small-reads.ts'
import { startService, stopService } from './service.ts'
import { openStoreAt } from './store.ts'
import { gate } from './verdicts/gate.ts'
import { verdicts } from './verdicts/verdicts.ts'
import { changeLog } from './writes/change-log.ts'
import { deletion } from './writes/deletion.ts'
import { largeImports } from './writes/large-imports.ts'
import { postgresWrite } from './writes/postgres-write.ts'
import { promptfooRate } from './writes/promptfoo-rate.ts'
import { results } from './writes/results.ts'

/** Benchmarks with a floor, which `npm run bench` runs. */
const FLOOR_BENCHMARKS: Record<string, Benchmark> = {
  'warm-read': warmRead,
  'full-read': fullRead,
  'import-rate': importRate,
  'reads-during-import': readsDuringImport,
  'large-record': largeRecord,
  start,
}

const OTHER_BENCHMARKS: Record<string, Benchmark> = {
  'first-byte': firstByte,
  'small-reads': smallReads,
  'nginx-read': nginxRead,
  'cold-read': coldRead,
  'peak-memory': peakMemory,
  'promptfoo-rate': promptfooRate,
  'change-log': changeLog,
  'postgres-read': postgresRead,
  'postgres-write': postgresWrite,
  replica,
  results,
  scores,
  queries,
  page,
}

/** Benchmarks with stores and options of their own, which take long: npm run bench -- growth --engine sqlite. */
const SEPARATE_BENCHMARKS: Record<string, (args: string[]) => Promise<void>> = {
  growth,
  analysis,
  leaderboard,
  deletion,
  'large-imports': largeImports,
  verdicts,
  gate,
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Returns the measurements that have a floor. */
async function runBenchmarks(benchmarks: Benchmark[]): Promise<Measurements> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const path = (id: string) => `/api/evaluations/${id}/evaluation_scenarios`
  const measurements: Measurements = {}
  try {
    const store = await openStoreAt(`sqlite:${join(folder, 'assay.db')}`)
    const small = path(await addLargeEvaluation(store, 1000))
    const large = path(await addLargeEvaluation(store, 100_000))
    const key = await addReadKey(store)
    const writeKey = await addWriteKey(store)
    await store.close()
    for (const benchmark of benchmarks) {
      const service = await startService(['--data', folder], { launcher: onCore(0) })
      print(`\n${benchmark.title}`)
      try {
        const subject = { baseUrl: service.baseUrl, key, writeKey, small, large, folder }
        const report = await benchmark.run(subject)
        for (const line of Array.isArray(report) ? report : report.lines) print(`  ${line}`)
        if (!Array.isArray(report)) Object.assign(measurements, report.measurements)
      } finally {
        await stopService(service)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return measurements
}

async function main(names: string[]): Promise<void> {
  const separate = SEPARATE_BENCHMARKS[names[0] ?? '']
  if (separate) return separate(names.slice(1))
  const known = { ...FLOOR_BENCHMARKS, ...OTHER_BENCHMARKS }
  const benchmarks = names.length > 0 ? names.map((name) => known[name]) : Object.values(FLOOR_BENCHMARKS)
  if (!benchmarks.every((benchmark) => benchmark !== undefined)) {
    print(`Unknown benchmark. Benchmarks: ${Object.keys({ ...known, ...SEPARATE_BENCHMARKS }).join(', ')}.`)
    process.exitCode = 1
    return
  }
  const [load = 0] = loadavg()
  print(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, load ${load.toFixed(1)}`,
  )
  const measurements = { ...(names.length === 0 && UNMEASURED), ...(await runBenchmarks(benchmarks)) }
  if (Object.keys(measurements).length === 0) return
  print(`\n${formatTable(measurements).join('\n')}`)
  process.exitCode = exitCode(measurements)
}

if (import.meta.main) await main(process.argv.slice(2))
