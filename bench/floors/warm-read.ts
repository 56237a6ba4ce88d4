// Benchmark: cached full read of 1,000 scenarios and its 304, compared with a bare Node server that sends the same headers
// and bytes from memory.
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Benchmark, Report } from '../benchmark.ts'
import { createRandom } from '../data.ts'
import { type Headers, measureLoad } from '../load-generator.ts'
import { compare, formatComparison, startReference } from '../reference/compare.ts'
import { timeFullRead } from '../timing.ts'

const ID = 'warm'
const COUNT = 1000
const SENTENCE =
  'The capital is the city where the government meets, and the answer names it in one sentence. '

const QUESTIONS = [
  { name: 'warm-identity', encoding: 'identity', status: 200 },
  { name: 'warm-gzip', encoding: 'gzip', status: 200 },
  { name: 'not-modified', encoding: 'identity', status: 304 },
] as const

export const warmRead: Benchmark = {
  title: 'cached full read of 1,000 scenarios, in requests per second of the service and of bare Node',
  async run({ baseUrl, key, writeKey, folder }) {
    const report: Report = { lines: [], measurements: {} }
    const url = `${baseUrl}/api/evaluations/${ID}/evaluation_scenarios`
    await timeFullRead(url, writeKey, { method: 'POST', body: compressibleScenarios() })
    const files = { headers: join(folder, 'headers'), body: join(folder, 'body') }
    for (const { name, encoding, status } of QUESTIONS) {
      const headers = { authorization: key, 'accept-encoding': encoding }
      const response = await fetchResponse(url, headers)
      writeFileSync(files.headers, JSON.stringify(response.headers))
      writeFileSync(files.body, response.body)
      const bare = await startReference('bare-memory-server.ts', [files.headers, files.body])
      const sent = status === 304 ? { ...headers, 'if-none-match': response.headers.etag ?? '' } : headers
      const measureRate = async (url: string) => (await measureLoad(url, sent, status)).requests
      const comparison = await compare(
        () => measureRate(url),
        () => measureRate(bare.url),
      )
      await bare.stop()
      const size = `${(response.body.length / 1000).toFixed(0)} kB`
      report.lines.push(`${status}, ${encoding}, ${size}: ${formatComparison(comparison)}`)
      report.measurements[name] = comparison.ratios
    }
    for (const file of Object.values(files)) rmSync(file)
    return report
  },
}

/** 1.8 MB, and 36 kB with gzip, because most texts are the same. */
function compressibleScenarios(): unknown[] {
  const random = createRandom(COUNT)
  return Array.from({ length: COUNT }, (_, position) => ({
    id: `scenario-${position}`,
    inputs: [{ name: 'question', type: 'text', value: `Question ${position}: which city is the capital?` }],
    outputs: [
      {
        result: { type: 'text', value: SENTENCE.repeat(14) },
        cost: 0.0021,
        latency: Number(random().toFixed(2)),
      },
    ],
    correct_answers: [{ key: 'answer', value: `City ${position}` }],
    results: [
      { evaluator_config: 'exact_match', result: { type: 'bool', value: random() < 0.8 } },
      { evaluator_config: 'similarity', result: { type: 'number', value: random() } },
    ],
  }))
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
