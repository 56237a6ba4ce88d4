// How fast is the read of 100,000 scenarios against a bare Node server that pipes the same bytes from a file?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Bench } from './bench.ts'
import { NOTHING_KEPT, startService, stopService } from './service.ts'
import { median, timeWhole } from './timing.ts'

const ROUNDS = 7

export const wholeRead: Bench = {
  question: 'whole read of 100,000 scenarios, against bare Node piping the same file',
  async run({ base, key, large, folder }) {
    const file = join(folder, 'answer.json')
    const asked = request(base + large, { headers: { authorization: key } })
    asked.end()
    const [response] = await once(asked, 'response')
    await pipeline(response, createWriteStream(file))
    // Whoever asks for the second time has it kept for those who come then.
    await timeWhole(base + large, key)
    const cold = await startService(['--data', folder, '--log-level', 'warn', ...NOTHING_KEPT])
    const bare = fork(new URL('./bare-server.ts', import.meta.url), [file])
    const [port] = await once(bare, 'message')
    const theirs = `http://127.0.0.1:${port}/`
    const lines = [
      `asked for before: ${await against(base + large, theirs, key)}`,
      `nothing kept: ${await against(cold.base + large, theirs, key)}`,
    ]
    bare.kill()
    await stopService(cold)
    return lines
  },
}

/** One after the other in each round, so that both have the same machine. */
async function against(ours: string, theirs: string, key: string): Promise<string> {
  const times = { ours: [] as number[], theirs: [] as number[] }
  let size = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const whole = await timeWhole(ours, key)
    times.ours.push(whole.ms)
    times.theirs.push((await timeWhole(theirs, key)).ms)
    size = whole.bytes
  }
  const rate = (ms: number) => `${(size / 1000 / ms).toFixed(0)} MB/s`
  const [mine, bare] = [median(times.ours), median(times.theirs)]
  return `${rate(mine)} against ${rate(bare)}, ratio ${(bare / mine).toFixed(2)}`
}
