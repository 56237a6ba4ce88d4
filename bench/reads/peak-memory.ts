// Benchmark: memory of the service while 8 clients read 100,000 scenarios, without cache.
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { memoryMiB } from '../process-stats.ts'
import { CACHE_DISABLED, startService, stopService } from '../service.ts'

const CLIENTS = 8
const LIMIT_MIB = 96
const SETTLE_MS = 2000

export const peakMemory: Benchmark = {
  title: `memory above idle while ${CLIENTS} clients read 100,000 scenarios, without cache`,
  async run({ key, large, folder }) {
    const lines: string[] = []
    for (const encoding of ['identity', 'gzip']) {
      const service = await startService(['--data', folder, ...CACHE_DISABLED])
      await delay(SETTLE_MS)
      const idle = memoryMiB(service.child, 'current')
      const headers = { authorization: key, 'accept-encoding': encoding }
      await Promise.all(Array.from({ length: CLIENTS }, () => drain(service.baseUrl + large, headers)))
      const over = memoryMiB(service.child, 'peak') - idle
      await stopService(service)
      lines.push(
        `${encoding}: ${over.toFixed(0)} MiB above ${idle.toFixed(0)} MiB idle; at most ${LIMIT_MIB} MiB: ${over <= LIMIT_MIB ? 'yes' : 'NO'}`,
      )
    }
    return lines
  },
}

async function drain(url: string, headers: Record<string, string>): Promise<void> {
  const clientRequest = request(url, { headers, agent: false })
  clientRequest.end()
  const [response] = await once(clientRequest, 'response')
  response.resume()
  await once(response, 'end')
}
