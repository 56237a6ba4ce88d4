// Benchmark: full read of 100,000 scenarios, compared with a bare Node server that pipes the same file. One client.
import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Benchmark } from '../benchmark.ts'
import { measureLoad, onCore } from '../load-generator.ts'
import { compare, formatComparison, startReference } from '../reference/compare.ts'
import { CACHE_DISABLED, startService, stopService } from '../service.ts'
import { timeFullRead } from '../timing.ts'

export const fullRead: Benchmark = {
  title:
    'full read of 100,000 scenarios, in MB per second of the service and of bare Node piping the same file',
  async run({ baseUrl, key, large, folder }) {
    const file = join(folder, 'response.json')
    const clientRequest = request(baseUrl + large, { headers: { authorization: key } })
    clientRequest.end()
    const [response] = await once(clientRequest, 'response')
    await pipeline(response, createWriteStream(file))
    // The second read writes the response to the file cache.
    await timeFullRead(baseUrl + large, key)
    const uncached = await startService(['--data', folder, ...CACHE_DISABLED], { launcher: onCore(0) })
    const bare = await startReference('bare-file-server.ts', [file])
    // With several clients, the service would read the rows once for all of them.
    const measureRate = async (url: string) =>
      (await measureLoad(url, { authorization: key }, 200, 1)).bytes / 1e6
    const compareWithBare = (url: string) =>
      compare(
        () => measureRate(url + large),
        () => measureRate(bare.url),
      )
    const fromStore = await compareWithBare(uncached.baseUrl)
    const cached = await compareWithBare(baseUrl)
    await bare.stop()
    await stopService(uncached)
    rmSync(file)
    return {
      lines: [`from the store: ${formatComparison(fromStore)}`, `cached: ${formatComparison(cached)}`],
      measurements: { 'full-read': fromStore.ratios },
    }
  },
}
