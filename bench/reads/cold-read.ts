// Benchmark: full read of 1,000 scenarios without cache, compared with a bare loop from SQLite to the socket.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Benchmark } from '../benchmark.ts'
import { cpuMs } from '../process-stats.ts'
import { CACHE_DISABLED, startService, stopService } from '../service.ts'
import { median, timeFullRead } from '../timing.ts'

const ROUNDS = 300
const WARM_UP = 30

export const coldRead: Benchmark = {
  title: 'full read of 1,000 scenarios without cache, compared with a bare loop from SQLite to the socket',
  async run({ key, small, folder }) {
    const service = await startService(['--data', folder, ...CACHE_DISABLED])
    const script = new URL('../reference/bare-sqlite-server.ts', import.meta.url)
    const bare = fork(script, [join(folder, 'assay.db'), small.split('/')[3] ?? ''])
    const [port] = await once(bare, 'message')
    const url = { ours: service.baseUrl + small, bare: `http://127.0.0.1:${port}/` }
    const times = { ours: [] as number[], bare: [] as number[] }
    let cpu = { ours: 0, bare: 0 }
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      if (round === 0) cpu = { ours: cpuMs(service.child), bare: cpuMs(bare) }
      const [ours, theirs] = [await timeFullRead(url.ours, key), await timeFullRead(url.bare, key)]
      if (ours.bytes !== theirs.bytes) throw new Error(`${ours.bytes} bytes, expected ${theirs.bytes}`)
      if (round < 0) continue
      times.ours.push(ours.ms)
      times.bare.push(theirs.ms)
    }
    const [ours, theirs] = [median(times.ours), median(times.bare)]
    const cpuUsed = [cpuMs(service.child) - cpu.ours, cpuMs(bare) - cpu.bare] as const
    bare.kill()
    await stopService(service)
    return [
      `${ours.toFixed(1)} ms, bare ${theirs.toFixed(1)} ms, ratio ${(theirs / ours).toFixed(2)}`,
      `CPU time ${(cpuUsed[0] / ROUNDS).toFixed(1)} ms, bare ${(cpuUsed[1] / ROUNDS).toFixed(1)} ms, ratio ${(cpuUsed[1] / cpuUsed[0]).toFixed(2)}`,
    ]
  },
}
