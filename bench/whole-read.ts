// How fast is the read of 100,000 scenarios against a bare Node server that pipes the same bytes from a file?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Bench } from './bench.ts'
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
    const bare = fork(new URL('./bare-server.ts', import.meta.url), [file])
    const [port] = await once(bare, 'message')
    const times = { ours: [] as number[], bare: [] as number[] }
    let size = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const whole = await timeWhole(base + large, key)
      times.ours.push(whole.ms)
      times.bare.push((await timeWhole(`http://127.0.0.1:${port}/`, key)).ms)
      size = whole.bytes
    }
    bare.kill()
    const [ours, theirs] = [median(times.ours), median(times.bare)]
    const rate = (ms: number) => `${(size / 1000 / ms).toFixed(0)} MB/s`
    return [`${rate(ours)} against ${rate(theirs)}, ratio ${(theirs / ours).toFixed(2)}`]
  },
}
