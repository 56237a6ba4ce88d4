// Helpers for tests of large uploads: generated bodies, an upload client with backpressure, and process memory.
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { scenarios } from '../../bench/data.ts'
import { openStoreAt } from '../../bench/store.ts'
import { createStoreLocation, createTestKey, type StoreLocation } from './harness.ts'

/** Creates an empty store and a key with the scopes read and write. */
export async function createStoreWithKey(): Promise<StoreLocation & { key: string }> {
  const location = await createStoreLocation()
  const store = await openStoreAt(location.url)
  const { key } = await createTestKey(store, { scopes: ['read', 'write'] })
  await store.close()
  return { ...location, key }
}

export type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

export interface UploadResponse {
  status: number
  type: string
  /** The parsed JSON body. */
  body: Record<string, unknown>
  /** Bytes of the request body that were sent before the response arrived. */
  sent: number
}

/** Sends a chunked request body until it ends or a response arrives. */
export async function upload(
  url: string,
  headers: Record<string, string>,
  chunks: Chunks,
): Promise<UploadResponse> {
  // With keep-alive the client also reads a response that arrives before the body ends.
  const outgoing = request(url, {
    method: 'POST',
    headers: { connection: 'keep-alive', ...headers },
    agent: false,
  })
  const received = Promise.withResolvers<Omit<UploadResponse, 'sent'>>()
  let isOver = false
  function end(settle: () => void): void {
    isOver = true
    // Resumes the loop below if it waits for 'drain'.
    outgoing.emit('drain')
    settle()
  }
  outgoing.on('error', (error) => end(() => received.reject(error)))
  outgoing.on('response', (response) => {
    const parts: Buffer[] = []
    response.on('data', (part) => parts.push(part))
    response.on('error', (error) => end(() => received.reject(error)))
    response.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
      const type = response.headers['content-type'] ?? ''
      end(() => received.resolve({ status: response.statusCode ?? 0, type, body }))
    })
  })
  received.promise.catch(() => undefined)
  let sent = 0
  for await (const chunk of chunks) {
    if (isOver) break
    sent += Buffer.byteLength(chunk)
    if (!outgoing.write(chunk)) await once(outgoing, 'drain')
  }
  if (!isOver) outgoing.end()
  const response = await received.promise
  outgoing.destroy()
  return { ...response, sent }
}

/** Joins texts into chunks of about 64 kB. */
export function* inChunks(texts: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const text of texts) {
    chunk += text
    if (chunk.length < 65536) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/** Generates scenarios of about 2 kB each as NDJSON lines. */
export function* scenarioLines(evaluation_id: string, count: number): Generator<string> {
  for (const scenario of scenarios(evaluation_id, count)) yield `${JSON.stringify(scenario)}\n`
}

export function* scenarioArray(evaluation_id: string, count: number): Generator<string> {
  let before = '['
  for (const scenario of scenarios(evaluation_id, count)) {
    yield `${before}${JSON.stringify(scenario)}`
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** Memory of a running process in MiB: the current value (VmRSS) or the peak (VmHWM). */
export function memoryMiB(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

export const canReadMemory = process.platform === 'linux'

/** Returns a number from 0 to 1 that depends only on the seed. */
export function seededRandom(seed: string): number {
  return hash('sha256', seed, 'buffer').readUInt32LE() / 2 ** 32
}
