// How do time, memory and disk grow: with the number of evaluations in the store, and with the size of one?
// Takes many minutes and some gigabytes, so it is a command of its own: node bench/growth.ts. Draws docs/images/growth.svg.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addLargeEvaluation, addReadKey } from './data.ts'
import { type Panel, plot } from './growth-plot.ts'
import { type ServiceProcess, startService, stopService } from './service.ts'
import { openAt } from './store.ts'
import { median, timeToFirstByte, timeWhole } from './timing.ts'

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

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Grows one store step by step, and looks at it at each. */
async function grow(
  counts: number[],
  add: (store: Store, count: number) => Promise<string>,
): Promise<Point[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-growth-'))
  const points: Point[] = []
  try {
    for (const count of counts) {
      const store = await openAt(`sqlite:${join(folder, 'assay.db')}`)
      const path = `/api/evaluations/${await add(store, count)}/evaluation_scenarios`
      const key = await addReadKey(store)
      await store.close()
      const point = { count, ...(await look(folder, path, key)) }
      say(JSON.stringify(point))
      points.push(point)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return points
}

type Store = Awaited<ReturnType<typeof openAt>>

async function look(folder: string, path: string, key: string): Promise<Omit<Point, 'count'>> {
  // Nothing is kept, so that each read is a read of the store.
  const settings = ['--data', folder, '--log-level', 'warn', '--max-rendition-bytes', '0']
  // What the system has to load for the first time is not the store's.
  await stopService(await startService(settings))
  const begun = performance.now()
  const service = await startService(settings)
  await fetch(`${service.base}/readyz`)
  const startMs = performance.now() - begun
  try {
    const idleMb = memory(service, 'VmRSS')
    const reads: number[] = []
    const firsts: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      firsts.push(await timeToFirstByte(service.base, path, key, 'identity'))
      reads.push((await timeWhole(service.base + path, key)).ms)
    }
    return {
      readMs: median(reads),
      firstByteMs: median(firsts),
      startMs,
      idleMb,
      peakMb: memory(service, 'VmHWM'),
      diskMb: statSync(join(folder, 'assay.db')).size / 1e6,
    }
  } finally {
    await stopService(service)
  }
}

/** In megabytes, as Linux tells it. */
function memory({ child }: ServiceProcess, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000
}

async function addUpTo(store: Store, count: number): Promise<string> {
  const there = await store.reader.get<{ count: number }>('SELECT count(*) AS count FROM evaluation')
  for (let number = there?.count ?? 0; number < count; number += 1)
    await addLargeEvaluation(store, 1000, { id: `run-${number}`, seed: number })
  return `run-${Math.floor(count / 2)}`
}

function panels(many: Point[], large: Point[]): Panel[] {
  const line = (points: Point[], name: string, of: (point: Point) => number) => ({
    name,
    points: points.map((point): [number, number] => [point.count, of(point)]),
  })
  const both = (points: Point[], along: string): Panel[] => [
    {
      title: 'Time, in ms',
      along,
      lines: [
        line(points, 'whole read', ({ readMs }) => readMs),
        line(points, 'first byte', ({ firstByteMs }) => firstByteMs),
        line(points, 'start', ({ startMs }) => startMs),
      ],
    },
    {
      title: 'Memory and disk, in MB',
      along,
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
  const large = await grow(SCENARIOS, (store, count) => addLargeEvaluation(store, count))
  const many = await grow(EVALUATIONS, addUpTo)
  writeFileSync(PLOT, plot(panels(many, large)))
}
