// Benchmark: cached full read of 1,000 scenarios and its 304, compared with a bare Node server that sends the same headers
// and bytes from memory.
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Benchmark, Report } from '../benchmark.ts'
import { type Headers, measureLoad } from '../load-generator.ts'
import { compare, formatComparison, startReference } from '../reference/compare.ts'

const QUESTIONS = [
  { name: 'warm-identity', encoding: 'identity', status: 200 },
  { name: 'warm-gzip', encoding: 'gzip', status: 200 },
  { name: 'not-modified', encoding: 'identity', status: 304 },
] as const

export const warmRead: Benchmark = {
  title: 'cached full read of 1,000 scenarios, in requests per second of the service and of bare Node',
  async run({ baseUrl, key, small, folder }) {
    const report: Report = { lines: [], measurements: {} }
    const files = { headers: join(folder, 'headers'), body: join(folder, 'body') }
    for (const { name, encoding, status } of QUESTIONS) {
      const headers = { authorization: key, 'accept-encoding': encoding }
      const response = await fetchResponse(baseUrl + small, headers)
      writeFileSync(files.headers, JSON.stringify(response.headers))
      writeFileSync(files.body, response.body)
      const bare = await startReference('bare-memory-server.ts', [files.headers, files.body])
      const sent = status === 304 ? { ...headers, 'if-none-match': response.headers.etag ?? '' } : headers
      const measureRate = async (url: string) => (await measureLoad(url, sent, status)).requests
      const comparison = await compare(
        () => measureRate(baseUrl + small),
        () => measureRate(bare.url),
      )
      await bare.stop()
      report.lines.push(`${status}, ${encoding}: ${formatComparison(comparison)}`)
      report.measurements[name] = comparison.ratios
    }
    for (const file of Object.values(files)) rmSync(file)
    return report
  },
}

/** The response without the headers that Node sets itself. */
export async function fetchResponse(
  url: string,
  requestHeaders: Headers,
): Promise<{ headers: Headers; body: Buffer }> {
  const clientRequest = request(url, { headers: requestHeaders })
  clientRequest.end()
  const [response] = await once(clientRequest, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _keepAlive,
    'transfer-encoding': _transfer,
    ...headers
  } = response.headers
  return { headers: { ...headers, 'content-length': String(body.length) }, body }
}
