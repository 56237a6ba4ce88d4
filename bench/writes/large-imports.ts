// Benchmark: peak memory and rate of `assay import` with a large CSV file and a large promptfoo file, compared with another
// checkout: npm run bench -- large-imports [--bytes N] [--rounds N] [--compare CHECKOUT] [--folder FOLDER]
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { cpuMs, memoryMiB } from '../process-stats.ts'
import { writePromptfoo } from '../promptfoo-file.ts'
import { MAIN } from '../service.ts'
import { median } from '../timing.ts'

const LIMIT_MIB = 128
const SMALL_BYTES = 20_000
const POLL_MS = 50

const FILES = {
  'CSV with detected roles': { name: 'answers.csv', write: writeTable },
  promptfoo: { name: 'promptfoo.json', write: writePromptfoo },
}

interface Measurement {
  ms: number
  cpuMs: number
  peakMiB: number
}

export async function largeImports(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      bytes: { type: 'string', default: '1000000000' },
      rounds: { type: 'string', default: '1' },
      compare: { type: 'string' },
      folder: { type: 'string', default: tmpdir() },
    },
  })
  const folder = mkdtempSync(join(values.folder, 'assay-large-imports-'))
  const mains = { 'this checkout': MAIN, ...(values.compare && { other: mainOf(values.compare) }) }
  try {
    for (const [title, { name, write }] of Object.entries(FILES)) {
      const [large, small] = [join(folder, name), join(folder, `small-${name}`)]
      await write(large, Number(values.bytes))
      await write(small, SMALL_BYTES)
      print(`\n${title}, ${(statSync(large).size / 1e6).toFixed(0)} MB`)
      const cpuTimes: Record<string, number> = {}
      const runs: Record<string, Measurement[]> = { 'this checkout': [], other: [] }
      // Alternates, so that other load on the machine affects both.
      for (let round = 0; round < Number(values.rounds); round += 1)
        for (const [checkout, main] of Object.entries(mains)) {
          runs[checkout]?.push(await measureImport(main, large, folder))
        }
      for (const [checkout, main] of Object.entries(mains)) {
        const idle = await measureImport(main, small, folder)
        const measurements = runs[checkout] ?? []
        const over = Math.max(...measurements.map(({ peakMiB }) => peakMiB)) - idle.peakMiB
        const bytes = statSync(large).size
        const rate = (times: number[]) => `${(bytes / 1000 / median(times)).toFixed(1)} MB/s`
        cpuTimes[checkout] = median(measurements.map((run) => run.cpuMs))
        print(
          `${checkout}: ${rate(measurements.map(({ ms }) => ms))} (${rate(measurements.map((run) => run.cpuMs))} of CPU time), ` +
            `${over.toFixed(0)} MiB above ${idle.peakMiB.toFixed(0)} MiB; at most ${LIMIT_MIB} MiB: ${over <= LIMIT_MIB ? 'yes' : 'NO'}`,
        )
      }
      if (values.compare)
        print(
          `rate by CPU time, compared: ${((cpuTimes.other ?? 0) / (cpuTimes['this checkout'] ?? 0)).toFixed(2)}`,
        )
      rmSync(large)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function mainOf(checkout: string): string {
  return join(resolve(checkout), 'src/main.ts')
}

async function measureImport(main: string, file: string, folder: string): Promise<Measurement> {
  const data = join(folder, 'fresh')
  mkdirSync(data)
  const startTime = performance.now()
  const child = spawn(process.execPath, [main, 'import', '--data', data, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const usage = { cpuMs: 0, peakMiB: 0 }
  const timer = setInterval(() => Object.assign(usage, readUsage(child)), POLL_MS)
  const [code] = await once(child, 'exit')
  clearInterval(timer)
  rmSync(data, { recursive: true })
  if (code !== 0) throw new Error(`The import of ${file} exited with code ${code}`)
  return { ms: performance.now() - startTime, ...usage }
}

/** Nothing if the process has just ended. Both values only grow, so the last ones count. */
function readUsage(child: ChildProcess): { cpuMs: number; peakMiB: number } | undefined {
  try {
    const usage = { cpuMs: cpuMs(child), peakMiB: memoryMiB(child, 'peak') }
    return Number.isNaN(usage.cpuMs + usage.peakMiB) ? undefined : usage
  } catch {
    return undefined
  }
}

async function writeTable(file: string, bytes: number): Promise<void> {
  function* lines(): Generator<string> {
    yield 'case_id,question,answer,ground_truth,correct,latency_ms,cost_usd\n'
    for (let [row, written] = [0, 0]; written < bytes; row += 1) {
      const question = `Question ${row}: ${'where does this road lead, and who built it? '.repeat(5)}`
      const answer = `Answer ${row}: ${'it leads to the ""old"" harbour\nand was built by the town. '.repeat(12)}`
      const line = `case-${row},"${question}","${answer}",the harbour,${row % 7 !== 0},${row % 5000},${(row % 100) / 1e4}\n`
      written += line.length
      yield line
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file))
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
