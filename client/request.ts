// Sends one request to the service: builds URL and headers, retries where that is safe, and maps failures to errors.
import { AssayConnectionError, AssayError, toAssayError } from './errors.ts'

export interface Connection {
  /** Without a trailing slash. */
  baseUrl: string
  getKey: () => string | undefined
  fetch: typeof fetch
  /** Maximum number of retries per request. */
  retries: number
}

export interface RequestOptions {
  /** Aborts the request, also while it waits for a retry. */
  signal?: AbortSignal | undefined
}

export interface WriteOptions extends RequestOptions {
  /** Identifies the write, so that the service stores it once if you send it again. Default: a new one for each call. */
  idempotencyKey?: string | undefined
  /**
   * An ETag, from `etagOf`. The write throws `AssayError` with code `precondition-failed` and changes nothing if the object
   * has changed since.
   */
  ifMatch?: string | undefined
}

export type QueryValue = string | number | boolean | readonly string[] | undefined

export type PathSegment = string | number

export interface ApiRequest extends WriteOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path segments after the base URL, not percent-encoded: names, ids and revision numbers. */
  path: readonly PathSegment[]
  query?: object | undefined
  headers?: Record<string, string> | undefined
  body?: RequestInit['body']
  /** Disables retries and the idempotency key, for operations that the service cannot deduplicate. */
  isNotRetried?: boolean
  /** Used instead of `fetch`. */
  send?: typeof fetch
}

/** If Retry-After is longer, the error is thrown at once and the caller decides. */
const MAX_RETRY_DELAY_S = 30

/** Sends a request and reads its response. Retries both after temporary failures, if the request can be repeated. */
export async function sendRequest<T>(
  connection: Connection,
  request: ApiRequest,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal } = request
  const headers = buildHeaders(connection, request)
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(connection, request, headers, read)
    } catch (error) {
      signal?.throwIfAborted()
      const isLastAttempt = !canRetry(request) || attempt >= connection.retries
      const delay = isLastAttempt ? undefined : retryDelaySeconds(error, attempt)
      if (delay === undefined) throw error
      await sleep(delay, signal)
    }
  }
}

async function sendOnce<T>(
  { baseUrl, fetch }: Connection,
  request: ApiRequest,
  headers: Record<string, string>,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { method = 'GET', body = null, send = fetch, signal } = request
  const url = `${baseUrl}${pathAndQuery(request)}`
  try {
    // Node requires `duplex` when the body is a stream.
    const init = { method, headers, body, signal: signal ?? null, duplex: 'half' as const }
    const response = await send(url, init)
    if (!response.ok && response.status !== 304) throw await toAssayError(response)
    return await read(response)
  } catch (error) {
    if (error instanceof AssayError || signal?.aborted) throw error
    throw connectionError(error)
  }
}

/** A stream can be read only once, so a request with a stream as its body cannot be retried. */
function canRetry({ isNotRetried = false, body }: ApiRequest): boolean {
  return !isNotRetried && !(body instanceof ReadableStream)
}

/** Writes carry an idempotency key, so that the service stores a retried write only once. */
function buildHeaders({ getKey }: Connection, request: ApiRequest): Record<string, string> {
  const { method = 'GET', headers, ifMatch, idempotencyKey } = request
  const apiKey = getKey()
  // Checked here, because the error of `Headers` would contain the key.
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('The API key contains invalid characters. Use the key exactly as it was issued.')
  const isWrite = method !== 'GET'
  return {
    ...headers,
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    ...(isWrite &&
      canRetry(request) && {
        'idempotency-key': idempotencyKey ?? randomIdempotencyKey(),
      }),
  }
}

/** Does not use `crypto.randomUUID`, because pages served without TLS do not have it. */
function randomIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

/** Wraps an error of `fetch`, or of reading a body that ended early. */
export function connectionError(cause: unknown): AssayConnectionError {
  return new AssayConnectionError('The connection to the service failed or closed early.', { cause })
}

/** The part of the URL after the base URL. */
export function pathAndQuery({ path, query }: ApiRequest): string {
  return `/${path.map(encodePathSegment).join('/')}${buildQueryString(query)}`
}

/**
 * Rejects values without an id, which would become texts such as 'undefined', and the segments '', '.' and '..', which
 * URL parsers remove.
 */
function encodePathSegment(segment: unknown): string {
  const isValid = typeof segment === 'string' ? !/^\.{0,2}$/.test(segment) : Number.isInteger(segment)
  if (isValid) return encodeURIComponent(segment as PathSegment)
  const name = typeof segment === 'string' ? `'${segment}'` : String(segment)
  throw new TypeError(`${name} is not a valid id, name or revision number.`)
}

function buildQueryString(query: object = {}): string {
  const pairs = Object.entries<QueryValue>(query as Record<string, QueryValue>).flatMap(([name, value]) =>
    [value].flat().map((item) => {
      // Without a value, a parameter is omitted. An item of a list must not be omitted without notice.
      if (item === null || (item === undefined && Array.isArray(value)))
        throw new TypeError(`${item} is not a valid value of '${name}'.`)
      return [name, item] as const
    }),
  )
  const definedPairs = pairs.filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(definedPairs.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Seconds to wait before the next attempt. Undefined if a retry would not help. */
function retryDelaySeconds(error: unknown, attempt: number): number | undefined {
  const backoff = 2 ** attempt * (0.75 + Math.random() / 2)
  if (error instanceof AssayConnectionError) return backoff
  if (!(error instanceof AssayError)) return undefined
  const { status, retryAfter } = error
  // 409 with Retry-After: the service is still processing an earlier attempt of the same request.
  const isTemporary = status === 429 || status === 503 || (status === 409 && retryAfter !== undefined)
  const delay = retryAfter ?? backoff
  return isTemporary && delay <= MAX_RETRY_DELAY_S ? delay : undefined
}

function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, seconds * 1000)
    function finish(): void {
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
