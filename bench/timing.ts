// Clocks and figures that the benchmarks share.
import { once } from 'node:events'
import { Agent, request } from 'node:http'

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN
}

/** Milliseconds from the request to the first byte of the body; the rest is not taken. */
export async function timeToFirstByte(
  base: string,
  path: string,
  key: string,
  coding: string,
): Promise<number> {
  const started = performance.now()
  const asked = request(base + path, {
    headers: { authorization: key, 'accept-encoding': coding },
    agent: false,
  })
  asked.end()
  const [response] = await once(asked, 'response')
  await once(response, 'data')
  const taken = performance.now() - started
  response.destroy()
  return taken
}

const agent = new Agent({ keepAlive: true })

/** Milliseconds for a whole answer, and its size. */
export async function timeWhole(url: string, key: string): Promise<{ ms: number; bytes: number }> {
  const started = performance.now()
  const asked = request(url, { headers: { authorization: key }, agent })
  asked.end()
  const [response] = await once(asked, 'response')
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  return { ms: performance.now() - started, bytes }
}
