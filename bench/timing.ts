// Timers and statistics for the benchmarks.
import { once } from 'node:events'
import { Agent, request } from 'node:http'

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: number[], fraction: number): number {
  const sortedValues = [...values].sort((a, b) => a - b)
  return (
    sortedValues[Math.min(sortedValues.length - 1, Math.floor(sortedValues.length * fraction))] ?? Number.NaN
  )
}

/** Milliseconds from the request to the first byte of the body. The rest is not read. */
export async function timeToFirstByte(
  baseUrl: string,
  path: string,
  key: string,
  encoding: string,
): Promise<number> {
  const startTime = performance.now()
  const clientRequest = request(baseUrl + path, {
    headers: { authorization: key, 'accept-encoding': encoding },
    agent: false,
  })
  clientRequest.end()
  const [response] = await once(clientRequest, 'response')
  await once(response, 'data')
  const elapsed = performance.now() - startTime
  response.destroy()
  return elapsed
}

const agent = new Agent({ keepAlive: true })

/** Milliseconds to read a whole response, and its size. */
export async function timeFullRead(url: string, key: string): Promise<{ ms: number; bytes: number }> {
  const startTime = performance.now()
  const clientRequest = request(url, { headers: { authorization: key }, agent })
  clientRequest.end()
  const [response] = await once(clientRequest, 'response')
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  return { ms: performance.now() - startTime, bytes }
}
