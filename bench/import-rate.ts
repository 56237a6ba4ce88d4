// How fast do scenarios go in, against a bare loop that only reads the same file and parses each line?
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdirSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Bench } from './bench.ts'
import { addWriteKey, writeScenarios } from './data.ts'
import { MAIN, startService, stopService } from './service.ts'
import { openAt } from './store.ts'
import { median } from './timing.ts'

const ROUNDS = 3
const SCENARIOS = 100_000
const ID = 'imported'

export const importRate: Bench = {
  question: 'taking in 100,000 scenarios, against a bare loop that reads the file and parses each line',
  async run({ folder }) {
    const [lines, array] = [join(folder, 'scenarios.ndjson'), join(folder, 'scenarios.json')]
    await writeScenarios(lines, ID, SCENARIOS, 'lines')
    await writeScenarios(array, ID, SCENARIOS, 'array')
    const ways: Record<string, (data: string) => Promise<number>> = {
      'the bare loop': () => parsing(lines),
      'assay import': (data) => importing(data, lines),
      'NDJSON over HTTP': (data) => posting(data, lines, 'application/x-ndjson'),
      'an array over HTTP': (data) => posting(data, array, 'application/json'),
    }
    const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]))
    // In turns, so that whatever else the machine does falls on all.
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, way] of Object.entries(ways)) {
        const data = join(folder, 'fresh')
        mkdirSync(data)
        times.get(name)?.push(await way(data))
        rmSync(data, { recursive: true })
      }
    }
    const bytes = statSync(lines).size
    const bare = median(times.get('the bare loop') ?? [])
    return [...times].map(([name, all]) => {
      const ms = median(all)
      return `${name}: ${(bytes / 1000 / ms).toFixed(1)} MB/s, ratio ${(bare / ms).toFixed(3)}`
    })
  },
}

/** Milliseconds of the loop alone, without the start of its process. */
async function parsing(file: string): Promise<number> {
  const [ms] = await once(fork(import.meta.filename, [file]), 'message')
  return ms
}

/** Milliseconds of the whole command, its start included. */
async function importing(data: string, file: string): Promise<number> {
  const started = performance.now()
  await importFile(data, file)
  return performance.now() - started
}

/** Milliseconds of the request; the service has started before. */
async function posting(data: string, file: string, type: string): Promise<number> {
  const store = await openAt(`sqlite:${join(data, 'assay.db')}`)
  const key = await addWriteKey(store)
  await store.close()
  const service = await startService(['--data', data, '--log-level', 'warn'])
  const started = performance.now()
  await postFile(`${service.base}/api/evaluations/${ID}/evaluation_scenarios`, key, file, type)
  const taken = performance.now() - started
  await stopService(service)
  return taken
}

export async function importFile(data: string, file: string): Promise<void> {
  const child = spawn(process.execPath, [MAIN, 'import', '--data', data, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The import ended with ${code}`)
}

export async function postFile(url: string, key: string, file: string, type: string): Promise<void> {
  const headers = { authorization: key, 'content-type': type, 'content-length': statSync(file).size }
  const asked = request(url, { method: 'POST', headers })
  const answered = once(asked, 'response')
  await pipeline(createReadStream(file), asked)
  const [response] = await answered
  const answer = await text(response)
  if (response.statusCode !== 201) throw new Error(`The service answered ${response.statusCode}: ${answer}`)
}

/** The plain way that was fastest: readline, and larger chunks, take longer. */
async function parseLines(file: string): Promise<void> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) JSON.parse(line)
  }
}

if (import.meta.main) {
  const started = performance.now()
  await parseLines(process.argv[2] ?? '')
  process.send?.(performance.now() - started)
}
