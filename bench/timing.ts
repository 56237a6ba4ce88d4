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

export interface TimedResponse {
  status: number
  /** Milliseconds until the response was read. */
  ms: number
  /** Milliseconds until the first byte of the body. */
  firstByteMs: number
  bytes: number
  link: string
}

/** Reads a whole response. */
export async function timeFullRead(
  url: string,
  key: string,
  write?: { method: string; body?: unknown },
): Promise<TimedResponse> {
  const startTime = performance.now()
  const headers = {
    authorization: key,
    ...(write?.body !== undefined && { 'content-type': 'application/json' }),
  }
  const clientRequest = request(url, { method: write?.method ?? 'GET', headers, agent })
  clientRequest.end(write && JSON.stringify(write.body))
  const [response] = await once(clientRequest, 'response')
  let [bytes, firstByteMs] = [0, 0]
  for await (const chunk of response) {
    if (bytes === 0) firstByteMs = performance.now() - startTime
    bytes += chunk.length
  }
  const { statusCode: status, headers: responseHeaders } = response
  return { status, ms: performance.now() - startTime, firstByteMs, bytes, link: responseHeaders.link ?? '' }
}
