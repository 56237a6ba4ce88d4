// How much memory do 8 clients take that read 100,000 scenarios at once, of which nothing is kept?
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { memoryMiB } from './process.ts'
import { NOTHING_KEPT, startService, stopService } from './service.ts'

const CLIENTS = 8
const MOST_MIB = 96
const SETTLING_MS = 2000

export const peakMemory: Bench = {
  question: `memory over idle while ${CLIENTS} clients read 100,000 scenarios, nothing kept`,
  async run({ key, large, folder }) {
    const lines: string[] = []
    for (const coding of ['identity', 'gzip']) {
      const service = await startService(['--data', folder, '--log-level', 'warn', ...NOTHING_KEPT])
      await delay(SETTLING_MS)
      const idle = memoryMiB(service.child, 'now')
      const fields = { authorization: key, 'accept-encoding': coding }
      await Promise.all(Array.from({ length: CLIENTS }, () => drain(service.base + large, fields)))
      const over = memoryMiB(service.child, 'most') - idle
      await stopService(service)
      lines.push(
        `${coding}: ${over.toFixed(0)} MiB over the ${idle.toFixed(0)} of idle; at most ${MOST_MIB}: ${over <= MOST_MIB ? 'yes' : 'NO'}`,
      )
    }
    return lines
  },
}

async function drain(url: string, headers: Record<string, string>): Promise<void> {
  const asked = request(url, { headers, agent: false })
  asked.end()
  const [response] = await once(asked, 'response')
  response.resume()
  await once(response, 'end')
}
