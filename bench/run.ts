// Runs the benchmarks, all or those named: npm run bench -- first-byte. Every figure is a ratio or a gate
// within one run, over seeded data, with the service in a process of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { coldRead } from './cold-read.ts'
import { addLargeEvaluation, addReadKey, addWriteKey } from './data.ts'
import { firstByte } from './first-byte.ts'
import { importRate } from './import-rate.ts'
import { page } from './page.ts'
import { peakMemory } from './peak-memory.ts'
import { postgresRead } from './postgres-read.ts'
import { promptfooRate } from './promptfoo-rate.ts'
import { questions } from './questions.ts'
import { readsDuringImport } from './reads-during-import.ts'
import { startService, stopService } from './service.ts'
import { smallReads } from './small-reads.ts'
import { start } from './start.ts'
import { openAt } from './store.ts'
import { warmRead } from './warm-read.ts'
import { wholeRead } from './whole-read.ts'

const BENCHES: Record<string, Bench> = {
  'first-byte': firstByte,
  'small-reads': smallReads,
  'whole-read': wholeRead,
  'warm-read': warmRead,
  'cold-read': coldRead,
  'peak-memory': peakMemory,
  'import-rate': importRate,
  'promptfoo-rate': promptfooRate,
  'reads-during-import': readsDuringImport,
  'postgres-read': postgresRead,
  questions,
  page,
  start,
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function main(names: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const path = (id: string) => `/api/evaluations/${id}/evaluation_scenarios`
  try {
    const store = await openAt(`sqlite:${join(folder, 'assay.db')}`)
    const small = path(await addLargeEvaluation(store, 1000))
    const large = path(await addLargeEvaluation(store, 100_000))
    const key = await addReadKey(store)
    const writeKey = await addWriteKey(store)
    await store.close()
    say(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`)
    for (const name of names) {
      const service = await startService(['--data', folder, '--log-level', 'warn'])
      say(`\n${BENCHES[name]?.question}`)
      try {
        const lines = await BENCHES[name]?.run({
          base: service.base,
          pid: service.child.pid ?? 0,
          key,
          writeKey,
          small,
          large,
          folder,
        })
        for (const line of lines ?? []) say(`  ${line}`)
      } finally {
        await stopService(service)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const asked = process.argv.slice(2)
  const unknown = asked.find((name) => !(name in BENCHES))
  if (unknown !== undefined)
    say(`There is no benchmark '${unknown}'; there are ${Object.keys(BENCHES).join(', ')}.`)
  else await main(asked.length > 0 ? asked : Object.keys(BENCHES))
}
