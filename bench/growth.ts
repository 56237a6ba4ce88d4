// Measures how time, memory and disk grow with the number and the size of evaluations, and draws docs/images/growth.svg.
// A separate command, because it takes many minutes and several gigabytes: node bench/growth.ts.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addLargeEvaluation, addReadKey } from './data.ts'
import { type Panel, plot } from './growth-plot.ts'
import { type ServiceProcess, startService, stopService } from './service.ts'
import { openStoreAt } from './store.ts'
import { median, timeFullRead, timeToFirstByte } from './timing.ts'

const EVALUATIONS = [10, 50, 200, 500, 1000, 2000]
const SCENARIOS = [1000, 3000, 10_000, 30_000, 100_000, 300_000]
const ROUNDS = 7
const PLOT = new URL('../docs/images/growth.svg', import.meta.url)

interface Point {
  count: number
  readMs: number
  firstByteMs: number
  startMs: number
  idleMb: number
  peakMb: number
  diskMb: number
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Fills one store step by step, and measures after each step. */
async function measureGrowth(
  counts: number[],
  add: (store: Store, count: number) => Promise<string>,
): Promise<Point[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-growth-'))
  const points: Point[] = []
  try {
    for (const count of counts) {
      const store = await openStoreAt(`sqlite:${join(folder, 'assay.db')}`)
      const path = `/api/evaluations/${await add(store, count)}/evaluation_scenarios`
      const key = await addReadKey(store)
      await store.close()
      const point = { count, ...(await measure(folder, path, key)) }
      print(JSON.stringify(point))
      points.push(point)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return points
}

type Store = Awaited<ReturnType<typeof openStoreAt>>

async function measure(folder: string, path: string, key: string): Promise<Omit<Point, 'count'>> {
  // Without cache, so that each read reads the store.
  const settings = ['--data', folder, '--log-level', 'warn', '--max-cache-bytes', '0']
  // The first start loads files into the page cache of the system, so it is not measured.
  await stopService(await startService(settings))
  const startTime = performance.now()
  const service = await startService(settings)
  await fetch(`${service.baseUrl}/readyz`)
  const startMs = performance.now() - startTime
  try {
    const idleMb = memoryMb(service, 'VmRSS')
    const reads: number[] = []
    const firsts: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      firsts.push(await timeToFirstByte(service.baseUrl, path, key, 'identity'))
      reads.push((await timeFullRead(service.baseUrl + path, key)).ms)
    }
    return {
      readMs: median(reads),
      firstByteMs: median(firsts),
      startMs,
      idleMb,
      peakMb: memoryMb(service, 'VmHWM'),
      diskMb: statSync(join(folder, 'assay.db')).size / 1e6,
    }
  } finally {
    await stopService(service)
  }
}

/** Memory in megabytes, from /proc (Linux only). */
function memoryMb({ child }: ServiceProcess, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000
}

async function addUpTo(store: Store, count: number): Promise<string> {
  const existing = await store.reader.get<{ count: number }>('SELECT count(*) AS count FROM evaluation')
  for (let number = existing?.count ?? 0; number < count; number += 1)
    await addLargeEvaluation(store, 1000, { id: `run-${number}`, seed: number })
  return `run-${Math.floor(count / 2)}`
}

function panels(many: Point[], large: Point[]): Panel[] {
  const line = (points: Point[], name: string, of: (point: Point) => number) => ({
    name,
    points: points.map((point): [number, number] => [point.count, of(point)]),
  })
  const both = (points: Point[], xLabel: string): Panel[] => [
    {
      title: 'Time, in ms',
      xLabel,
      lines: [
        line(points, 'whole read', ({ readMs }) => readMs),
        line(points, 'first byte', ({ firstByteMs }) => firstByteMs),
        line(points, 'start', ({ startMs }) => startMs),
      ],
    },
    {
      title: 'Memory and disk, in MB',
      xLabel,
      lines: [
        line(points, 'store', ({ diskMb }) => diskMb),
        line(points, 'peak memory', ({ peakMb }) => peakMb),
        line(points, 'idle memory', ({ idleMb }) => idleMb),
      ],
    },
  ]
  return [...both(many, 'evaluations of 1,000 scenarios'), ...both(large, 'scenarios in one evaluation')]
}

if (import.meta.main) {
  const large = await measureGrowth(SCENARIOS, (store, count) => addLargeEvaluation(store, count))
  const many = await measureGrowth(EVALUATIONS, addUpTo)
  writeFileSync(PLOT, plot(panels(many, large)))
}
