// What tests of large writes have in common: bodies made on the fly, a client that sends them no faster than
// they are taken, and the memory of a process.
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { scenarios } from '../bench/data.ts'
import { openAt } from '../bench/store.ts'
import { freshPlace, mint, type Place } from './harness.ts'

/** Where an empty store is, and a key of it that may read and write. */
export async function freshData(): Promise<Place & { key: string }> {
  const place = await freshPlace()
  const store = await openAt(place.url)
  const { key } = await mint(store, { scopes: ['read', 'write'] })
  await store.close()
  return { ...place, key }
}

export type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

export interface UploadAnswer {
  status: number
  type: string
  /** The document that was answered. */
  body: Record<string, unknown>
  /** How much of the body was sent before the answer came. */
  sent: number
}

/** Sends a body of unknown length until it ends or an answer comes, whichever is first. */
export async function upload(
  url: string,
  headers: Record<string, string>,
  chunks: Chunks,
): Promise<UploadAnswer> {
  // Said not to be the last on its connection: an answer that comes before the body has ended must arrive.
  const sending = request(url, {
    method: 'POST',
    headers: { connection: 'keep-alive', ...headers },
    agent: false,
  })
  const answered = Promise.withResolvers<Omit<UploadAnswer, 'sent'>>()
  let isOver = false
  function end(settle: () => void): void {
    isOver = true
    // Wakes whoever waits for room.
    sending.emit('drain')
    settle()
  }
  sending.on('error', (error) => end(() => answered.reject(error)))
  sending.on('response', (response) => {
    const parts: Buffer[] = []
    response.on('data', (part) => parts.push(part))
    response.on('error', (error) => end(() => answered.reject(error)))
    response.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>
      const type = response.headers['content-type'] ?? ''
      end(() => answered.resolve({ status: response.statusCode ?? 0, type, body }))
    })
  })
  answered.promise.catch(() => undefined)
  let sent = 0
  for await (const chunk of chunks) {
    if (isOver) break
    sent += Buffer.byteLength(chunk)
    if (!sending.write(chunk)) await once(sending, 'drain')
  }
  if (!isOver) sending.end()
  const answer = await answered.promise
  sending.destroy()
  return { ...answer, sent }
}

/** Pieces of some 64 kB made of small ones. */
export function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < 65536) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** So many scenarios of about 2 kB, one a line. */
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

/** Memory of a process that runs, in MiB: what it takes now, or the most it has taken. */
export function memory(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

export const memoryIsVisible = process.platform === 'linux'

/** From 0 up to 1, the same for the same name on every run. */
export function randomOf(name: string): number {
  return hash('sha256', name, 'buffer').readUInt32LE() / 2 ** 32
}
