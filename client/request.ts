// One request to the service: its address and fields, sending it again where that is safe, and what its failures are.
import { AssayConnectionError, AssayError, errorOf } from './errors.ts'

export interface Connection {
  /** Without a slash at its end. */
  baseUrl: string
  key: () => string | undefined
  fetch: typeof fetch
  /** How often a request is sent again. */
  retries: number
}

export interface CallOptions {
  /** Ends the call, also while it waits to be sent again. */
  signal?: AbortSignal | undefined
}

type QueryValue = string | number | boolean | readonly string[] | undefined

export interface Call extends CallOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The parts behind the base URL, not encoded. */
  path: readonly string[]
  query?: object | undefined
  headers?: Record<string, string> | undefined
  body?: RequestInit['body']
  /** Whether it is never sent again: the service keeps nothing of it by which it would know a repeat. */
  isOnce?: boolean
  /** Sends it in place of `fetch`. */
  send?: typeof fetch
}

/** A longer wait is left to the caller, who may have something better to do. */
const LONGEST_WAIT_S = 30

/** Sends a request and reads its answer, both again where that helps and cannot do harm. */
export async function request<T>(
  connection: Connection,
  call: Call,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal } = call
  const headers = headersOf(connection, call)
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(connection, call, headers, read)
    } catch (error) {
      signal?.throwIfAborted()
      const isLast = isOnce(call) || attempt >= connection.retries
      const wait = isLast ? undefined : secondsBefore(error, attempt)
      if (wait === undefined) throw error
      await sleep(wait, signal)
    }
  }
}

async function sendOnce<T>(
  { baseUrl, fetch }: Connection,
  call: Call,
  headers: Record<string, string>,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { method = 'GET', body = null, send = fetch, signal } = call
  const url = `${baseUrl}${targetOf(call)}`
  try {
    // Node asks for `duplex` where the body is a stream.
    const init = { method, headers, body, signal: signal ?? null, duplex: 'half' as const }
    const response = await send(url, init)
    if (!response.ok && response.status !== 304) throw await errorOf(response)
    return await read(response)
  } catch (error) {
    if (error instanceof AssayError || signal?.aborted) throw error
    throw lost(error)
  }
}

/** A stream is gone when it was sent. */
function isOnce({ isOnce = false, body }: Call): boolean {
  return isOnce || body instanceof ReadableStream
}

/** A write carries a token, by which the service knows it when it comes again. */
function headersOf({ key }: Connection, call: Call): Record<string, string> {
  const { method = 'GET', headers } = call
  const apiKey = key()
  // Checked here, because the error of `Headers` would quote it.
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('The key has characters that no key has.')
  const isWrite = method !== 'GET'
  return {
    ...headers,
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    ...(isWrite && !isOnce(call) && { 'idempotency-key': randomToken() }),
  }
}

/** Pages that are not served over TLS have no `crypto.randomUUID`. */
function randomToken(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

/** What fetch rejects with where there is no whole answer. */
export function lost(cause: unknown): AssayConnectionError {
  return new AssayConnectionError('The connection to the service failed, or broke off.', { cause })
}

/** Path and query of a call, behind the base URL. */
export function targetOf({ path, query }: Call): string {
  return `/${path.map(encoded).join('/')}${queryOf(query)}`
}

/** What a URL would take for a way upwards, or for nothing, is no id anywhere. */
function encoded(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new RangeError(`'${id}' cannot be an id.`)
  return encodeURIComponent(id)
}

function queryOf(query: object = {}): string {
  const pairs = Object.entries<QueryValue>(query as Record<string, QueryValue>).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  )
  const given = pairs.filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** How long to wait before sending it again; undefined where that would not help. */
function secondsBefore(error: unknown, attempt: number): number | undefined {
  const backoff = 2 ** attempt * (0.75 + Math.random() / 2)
  if (error instanceof AssayConnectionError) return backoff
  if (!(error instanceof AssayError)) return undefined
  const { status, retryAfter } = error
  // A conflict with a time to wait: the same request is still under way, from before the connection was lost.
  const isPassing = status === 429 || status === 503 || (status === 409 && retryAfter !== undefined)
  const wait = retryAfter ?? backoff
  return isPassing && wait <= LONGEST_WAIT_S ? wait : undefined
}

function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, seconds * 1000)
    function done(): void {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop(): void {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
