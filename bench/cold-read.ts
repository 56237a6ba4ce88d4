// How fast is the whole read of 1,000 scenarios of which nothing is kept, against a bare loop from SQLite to the socket?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { cpuMs } from './process.ts'
import { NOTHING_KEPT, startService, stopService } from './service.ts'
import { median, timeWhole } from './timing.ts'

const ROUNDS = 300
const WARM_UP = 30

export const coldRead: Bench = {
  question: 'whole read of 1,000 scenarios, nothing kept, against a bare loop from SQLite to the socket',
  async run({ key, small, folder }) {
    const service = await startService(['--data', folder, '--log-level', 'warn', ...NOTHING_KEPT])
    const script = new URL('./bare-store-server.ts', import.meta.url)
    const bare = fork(script, [join(folder, 'assay.db'), small.split('/')[3] ?? ''])
    const [port] = await once(bare, 'message')
    const url = { ours: service.base + small, bare: `http://127.0.0.1:${port}/` }
    const times = { ours: [] as number[], bare: [] as number[] }
    let cpu = { ours: 0, bare: 0 }
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      if (round === 0) cpu = { ours: cpuMs(service.child), bare: cpuMs(bare) }
      const [ours, theirs] = [await timeWhole(url.ours, key), await timeWhole(url.bare, key)]
      if (ours.bytes !== theirs.bytes) throw new Error(`${ours.bytes} bytes against ${theirs.bytes}`)
      if (round < 0) continue
      times.ours.push(ours.ms)
      times.bare.push(theirs.ms)
    }
    const [ours, theirs] = [median(times.ours), median(times.bare)]
    const used = [cpuMs(service.child) - cpu.ours, cpuMs(bare) - cpu.bare] as const
    bare.kill()
    await stopService(service)
    return [
      `${ours.toFixed(1)} ms against ${theirs.toFixed(1)} ms, ratio ${(theirs / ours).toFixed(2)}`,
      `processor time ${(used[0] / ROUNDS).toFixed(1)} ms against ${(used[1] / ROUNDS).toFixed(1)} ms, ratio ${(used[1] / used[0]).toFixed(2)}`,
    ]
  },
}
