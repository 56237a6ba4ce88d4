// Timers and statistics for the benchmarks.
import { once } from 'node:events'
import { Agent, request } from 'node:http'

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN
}

/** Milliseconds from the request to the first byte of the body. The rest is not read. */
export async function timeToFirstByte(
  base: string,
  path: string,
  key: string,
  encoding: string,
): Promise<number> {
  const started = performance.now()
  const clientRequest = request(base + path, {
    headers: { authorization: key, 'accept-encoding': encoding },
    agent: false,
  })
  clientRequest.end()
  const [response] = await once(clientRequest, 'response')
  await once(response, 'data')
  const elapsed = performance.now() - started
  response.destroy()
  return elapsed
}

const agent = new Agent({ keepAlive: true })

/** Milliseconds to read a whole response, and its size. */
export async function timeFullRead(url: string, key: string): Promise<{ ms: number; bytes: number }> {
  const started = performance.now()
  const clientRequest = request(url, { headers: { authorization: key }, agent })
  clientRequest.end()
  const [response] = await once(clientRequest, 'response')
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  return { ms: performance.now() - started, bytes }
}
