// Benchmark: import of 100,000 scenarios, compared with a bare loop that only parses each line.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Benchmark } from './benchmark.ts'
import { addWriteKey, writeScenarios } from './data.ts'
import { MAIN, startService, stopService } from './service.ts'
import { openStoreAt } from './store.ts'
import { median } from './timing.ts'

const ROUNDS = 3
const SCENARIOS = 100_000
const ID = 'imported'

export const importRate: Benchmark = {
  title: 'import of 100,000 scenarios, compared with a bare loop that only parses each line',
  async run({ folder }) {
    const [lines, array] = [join(folder, 'scenarios.ndjson'), join(folder, 'scenarios.json')]
    await writeScenarios(lines, ID, SCENARIOS, 'lines')
    await writeScenarios(array, ID, SCENARIOS, 'array')
    const methods: Record<string, (data: string) => Promise<number>> = {
      'bare loop': () => timeParsing(lines),
      'assay import': (data) => timeImport(data, lines),
      'NDJSON over HTTP': (data) => timePost(data, lines, 'application/x-ndjson'),
      'JSON array over HTTP': (data) => timePost(data, array, 'application/json'),
    }
    const times = new Map(Object.keys(methods).map((name) => [name, [] as number[]]))
    // Alternates, so that other load on the machine affects all methods.
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, measure] of Object.entries(methods)) {
        const data = join(folder, 'fresh')
        mkdirSync(data)
        times.get(name)?.push(await measure(data))
        rmSync(data, { recursive: true })
      }
    }
    const bytes = statSync(lines).size
    const bare = median(times.get('bare loop') ?? [])
    return [...times].map(([name, all]) => {
      const ms = median(all)
      return `${name}: ${(bytes / 1000 / ms).toFixed(1)} MB/s, ratio ${(bare / ms).toFixed(3)}`
    })
  },
}

/** Milliseconds of the loop, without the start of its process. */
async function timeParsing(file: string): Promise<number> {
  const [ms] = await once(fork(import.meta.filename, [file]), 'message')
  return ms
}

/** Milliseconds of the whole command, including its start. */
async function timeImport(data: string, file: string): Promise<number> {
  const startTime = performance.now()
  await importFile(data, file)
  return performance.now() - startTime
}

/** Milliseconds of the request, without the start of the service. */
async function timePost(data: string, file: string, type: string): Promise<number> {
  const store = await openStoreAt(`sqlite:${join(data, 'assay.db')}`)
  const key = await addWriteKey(store)
  await store.close()
  const service = await startService(['--data', data, '--log-level', 'warn'])
  const startTime = performance.now()
  await postFile(`${service.baseUrl}/api/evaluations/${ID}/evaluation_scenarios`, key, file, type)
  const elapsed = performance.now() - startTime
  await stopService(service)
  return elapsed
}

export async function importFile(data: string, file: string, flags: string[] = []): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'import', '--data', data, ...flags, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The import exited with code ${code}`)
}

export async function postFile(url: string, key: string, file: string, type: string): Promise<void> {
  const headers = { authorization: key, 'content-type': type, 'content-length': statSync(file).size }
  const upload = request(url, { method: 'POST', headers })
  const responsePromise = once(upload, 'response')
  await pipeline(createReadStream(file), upload)
  const [response] = await responsePromise
  const body = await text(response)
  if (response.statusCode >= 300) throw new Error(`The service returned ${response.statusCode}: ${body}`)
}

/** The fastest simple method: readline and larger chunks are slower. */
async function parseLines(file: string): Promise<void> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) JSON.parse(line)
  }
}

if (import.meta.main) {
  const startTime = performance.now()
  await parseLines(process.argv[2] ?? '')
  process.send?.(performance.now() - startTime)
}
