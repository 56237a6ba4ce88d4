// Benchmark: full read of 100,000 scenarios, compared with a bare Node server that pipes the same file.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Benchmark } from './benchmark.ts'
import { CACHE_DISABLED, startService, stopService } from './service.ts'
import { median, timeFullRead } from './timing.ts'

const ROUNDS = 7

export const fullRead: Benchmark = {
  title: 'full read of 100,000 scenarios, compared with bare Node piping the same file',
  async run({ baseUrl, key, large, folder }) {
    const file = join(folder, 'response.json')
    const clientRequest = request(baseUrl + large, { headers: { authorization: key } })
    clientRequest.end()
    const [response] = await once(clientRequest, 'response')
    await pipeline(response, createWriteStream(file))
    // The second read writes the response to the file cache.
    await timeFullRead(baseUrl + large, key)
    const uncached = await startService(['--data', folder, '--log-level', 'warn', ...CACHE_DISABLED])
    const bare = fork(new URL('./bare-file-server.ts', import.meta.url), [file])
    const [port] = await once(bare, 'message')
    const bareUrl = `http://127.0.0.1:${port}/`
    const lines = [
      `cached: ${await compareReads(baseUrl + large, bareUrl, key)}`,
      `without cache: ${await compareReads(uncached.baseUrl + large, bareUrl, key)}`,
    ]
    bare.kill()
    await stopService(uncached)
    return lines
  },
}

/** Alternates, so that other load on the machine affects both. */
async function compareReads(ours: string, theirs: string, key: string): Promise<string> {
  const times = { ours: [] as number[], theirs: [] as number[] }
  let size = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const read = await timeFullRead(ours, key)
    times.ours.push(read.ms)
    times.theirs.push((await timeFullRead(theirs, key)).ms)
    size = read.bytes
  }
  const rate = (ms: number) => `${(size / 1000 / ms).toFixed(0)} MB/s`
  const [oursMs, bareMs] = [median(times.ours), median(times.theirs)]
  return `${rate(oursMs)}, bare ${rate(bareMs)}, ratio ${(bareMs / oursMs).toFixed(2)}`
}
