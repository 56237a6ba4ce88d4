// Benchmark: the time of every read operation and of small writes, in stores of different sizes, on both engines.
// npm run bench -- growth [--engine sqlite|postgres|both] [--folder FOLDER] [--postgres URL] [SIZE…]
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { addReadKey, addWriteKey } from '../data.ts'
import { type BenchStore, runOnEngines } from '../engines.ts'
import { memoryMiB } from '../process-stats.ts'
import { type ServiceProcess, startService, stopService } from '../service.ts'
import { openStoreAt } from '../store.ts'
import { median, type TimedResponse, timeFullRead } from '../timing.ts'
import { fillStore } from './data.ts'
import { isNextPage, type Operation, operationsOf } from './operations.ts'
import { type Column, printTable } from './table.ts'

/** EVALUATIONS or EVALUATIONSxSCENARIOS, with 1,000 scenarios per evaluation by default. */
const SIZES = ['20', '200', '2000', '1x1000000', '1000000x0']
const ROUNDS = 9
const STARTS = 3
/** An operation that takes longer in total is measured less often. */
const MAX_TOTAL_MS = 5000
/** Memory and rate matter for larger responses. */
const LARGE_BYTES = 10e6

/** One store, with its own service. All are measured in turn, so that other load on the machine affects all of them. */
interface Subject {
  benchStore: BenchStore
  column: Column
  service: ServiceProcess
  keys: { read: string; write: string }
  operations: Operation[]
}

export async function growth(args: string[]): Promise<void> {
  await runOnEngines(args, async (openBenchStore, sizes) => {
    const subjects: Subject[] = []
    try {
      for (const name of sizes.length > 0 ? sizes : SIZES)
        subjects.push(await prepare(name, await openBenchStore(name)))
      await measure(subjects)
      printTable(
        `${subjects[0]?.benchStore.engine}, load ${loadavg()[1]?.toFixed(0)}`,
        subjects.map(({ column }) => column),
      )
    } finally {
      for (const { service, benchStore } of subjects) {
        await stopService(service)
        await benchStore.remove()
      }
    }
  })
}

async function prepare(name: string, benchStore: BenchStore): Promise<Subject> {
  const { engine, url, data } = benchStore
  const [evaluations = 0, scenarios = 1000] = name.split('x').map(Number)
  const store = await openStoreAt(url)
  await fillStore(store, { evaluations, scenarios }, engine)
  const keys = { read: await addReadKey(store), write: await addWriteKey(store) }
  await store.close()
  const column: Column = { name, cells: new Map() }
  const settings = ['--data', data, '--database', url]
  const times: number[] = []
  for (let round = 0; round < STARTS; round += 1) times.push(await timeStart(settings))
  column.cells.set('start', { value: median(times), unit: 'ms' })
  const service = await startService(settings)
  column.cells.set('memory after the start', { value: memoryMiB(service.child, 'current'), unit: 'MiB' })
  return { benchStore, column, service, keys, operations: operationsOf({ evaluations, scenarios }) }
}

/** Milliseconds until the service is ready. */
async function timeStart(settings: string[]): Promise<number> {
  const startTime = performance.now()
  const service = await startService(settings)
  const { status } = await timeFullRead(`${service.baseUrl}/readyz`, '')
  const ms = performance.now() - startTime
  await stopService(service)
  if (status !== 200) throw new Error(`/readyz returned ${status}`)
  return ms
}

async function measure(subjects: Subject[]): Promise<void> {
  const names = new Set(subjects.flatMap(({ operations }) => operations.map(({ name }) => name)))
  for (const name of names) {
    const runs: Run[] = []
    for (const subject of subjects) {
      const operation = subject.operations.find((operation) => operation.name === name)
      if (!operation) continue
      const url = await getUrl(subject, operation)
      if (url === undefined) continue
      resetPeakMemory(subject.service)
      runs.push({ subject, operation, url, responses: [], totalMs: 0 })
    }
    // The first response warms up.
    for (let round = -1; round < ROUNDS; round += 1)
      for (const run of runs) if (run.totalMs < MAX_TOTAL_MS) await sendRequest(run, round)
    for (const run of runs) report(run)
  }
}

/** The measurements of one operation in one store. */
interface Run {
  subject: Subject
  operation: Operation
  url: string
  responses: TimedResponse[]
  totalMs: number
}

/** Undefined if the list has only one page. */
async function getUrl({ service, keys }: Subject, operation: Operation): Promise<string | undefined> {
  const url = service.baseUrl + operation.path
  if (!isNextPage(operation)) return url
  const { link } = await timeFullRead(url, keys.read)
  const next = /<([^>]+)>; rel="next"/.exec(link)?.[1]
  return next && new URL(next, service.baseUrl).href
}

async function sendRequest(run: Run, round: number): Promise<void> {
  const { service, keys } = run.subject
  const { evaluation, write } = run.operation
  if (evaluation !== undefined) {
    const body = { note: `note ${Date.now()} ${round}` }
    const url = `${service.baseUrl}/api/evaluations/${evaluation}/evaluation_scenarios/scenario-1`
    const { status } = await timeFullRead(url, keys.write, { method: 'PATCH', body })
    if (status !== 200) throw new Error(`PATCH returned ${status}`)
  }
  const response = write
    ? await timeFullRead(run.url, keys.write, { method: write.method, body: write.body(round) })
    : await timeFullRead(run.url, keys.read)
  run.totalMs += response.ms
  if (round >= 0 || run.totalMs > MAX_TOTAL_MS) run.responses.push(response)
}

function report({ subject, operation: { name, grows }, responses }: Run): void {
  const { cells } = subject.column
  const status = responses.find((response) => response.status >= 300)?.status
  const ms = median(responses.map((response) => response.ms))
  const bytes = responses[0]?.bytes ?? 0
  cells.set(name, { value: ms, unit: 'ms', status, grows: grows ?? false })
  if (bytes > LARGE_BYTES || name.endsWith('all scenarios')) {
    const firstByteMs = median(responses.map((response) => response.firstByteMs))
    cells.set(`${name}, first byte`, { value: firstByteMs, unit: 'ms', grows: false })
  }
  if (bytes < LARGE_BYTES) return
  cells.set(`${name}, size`, { value: bytes / 1e6, unit: 'MB' })
  cells.set(`${name}, rate`, { value: bytes / 1000 / ms, unit: 'MB/s' })
  cells.set(`${name}, peak memory`, { value: memoryMiB(subject.service.child, 'peak'), unit: 'MiB' })
}

/** From now on, the peak is measured again (Linux only). */
function resetPeakMemory({ child }: ServiceProcess): void {
  writeFileSync(`/proc/${child.pid}/clear_refs`, '5')
}
