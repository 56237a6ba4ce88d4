// Runs all benchmarks, or only the named ones: npm run bench -- first-byte. The service runs in a separate process.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { analysis } from './analysis.ts'
import type { Benchmark } from './benchmark.ts'
import { changeLog } from './change-log.ts'
import { coldRead } from './cold-read.ts'
import { addLargeEvaluation, addReadKey, addWriteKey } from './data.ts'
import { deletion } from './deletion.ts'
import { firstByte } from './first-byte.ts'
import { fullRead } from './full-read.ts'
import { growth } from './growth.ts'
import { importRate } from './import-rate.ts'
import { largeImports } from './large-imports.ts'
import { page } from './page.ts'
import { peakMemory } from './peak-memory.ts'
import { postgresRead } from './postgres-read.ts'
import { postgresWrite } from './postgres-write.ts'
import { promptfooRate } from './promptfoo-rate.ts'
import { queries } from './queries.ts'
import { readsDuringImport } from './reads-during-import.ts'
import { replica } from './replica.ts'
import { results } from './results.ts'
import { scores } from './scores.ts'
import { startService, stopService } from './service.ts'
import { smallReads } from './small-reads.ts'
import { start } from './start.ts'
import { openStoreAt } from './store.ts'
import { warmRead } from './warm-read.ts'

const BENCHMARKS: Record<string, Benchmark> = {
  'first-byte': firstByte,
  'small-reads': smallReads,
  'full-read': fullRead,
  'warm-read': warmRead,
  'cold-read': coldRead,
  'peak-memory': peakMemory,
  'import-rate': importRate,
  'promptfoo-rate': promptfooRate,
  'change-log': changeLog,
  'reads-during-import': readsDuringImport,
  'postgres-read': postgresRead,
  'postgres-write': postgresWrite,
  replica,
  results,
  scores,
  queries,
  page,
  start,
}

/** Benchmarks with stores and options of their own, which take long: npm run bench -- growth --engine sqlite. */
const SEPARATE_BENCHMARKS: Record<string, (args: string[]) => Promise<void>> = {
  growth,
  analysis,
  deletion,
  'large-imports': largeImports,
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function main(names: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const path = (id: string) => `/api/evaluations/${id}/evaluation_scenarios`
  try {
    const store = await openStoreAt(`sqlite:${join(folder, 'assay.db')}`)
    const small = path(await addLargeEvaluation(store, 1000))
    const large = path(await addLargeEvaluation(store, 100_000))
    const key = await addReadKey(store)
    const writeKey = await addWriteKey(store)
    await store.close()
    print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`)
    for (const name of names) {
      const service = await startService(['--data', folder, '--log-level', 'warn'])
      print(`\n${BENCHMARKS[name]?.title}`)
      try {
        const lines = await BENCHMARKS[name]?.run({
          baseUrl: service.baseUrl,
          pid: service.child.pid ?? 0,
          key,
          writeKey,
          small,
          large,
          folder,
        })
        for (const line of lines ?? []) print(`  ${line}`)
      } finally {
        await stopService(service)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const names = process.argv.slice(2)
  const separate = SEPARATE_BENCHMARKS[names[0] ?? '']
  const unknownName = names.find((name) => !(name in BENCHMARKS))
  if (separate) await separate(names.slice(1))
  else if (unknownName !== undefined)
    print(
      `Unknown benchmark '${unknownName}'. Benchmarks: ${Object.keys({ ...BENCHMARKS, ...SEPARATE_BENCHMARKS }).join(', ')}.`,
    )
  else await main(names.length > 0 ? names : Object.keys(BENCHMARKS))
}
