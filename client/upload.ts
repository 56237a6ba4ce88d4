// Uploads: streamed request bodies, records as newline-delimited JSON, and progress reports.

export type Records<T> = Iterable<T> | AsyncIterable<T>
export type Upload = Blob | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string

/** The part of XMLHttpRequest that is used here. Declared because Node has no such class. */
interface UploadRequest {
  upload: { onprogress: ((event: { loaded: number }) => void) | null }
  readonly status: number
  readonly response: Blob
  responseType: string
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: unknown): void
  abort(): void
}
type UploadRequestClass = new () => UploadRequest

function getUploadRequestClass(): UploadRequestClass | undefined {
  return (globalThis as { XMLHttpRequest?: UploadRequestClass }).XMLHttpRequest
}

/** In a browser, reads a stream into a Blob first: browsers cannot send streams over HTTP/1.1. */
export async function toSendableBody(body: Upload): Promise<Upload> {
  return body instanceof ReadableStream && getUploadRequestClass() ? new Response(body).blob() : body
}

/** Wraps `fetch` so that it reports how many bytes of the body have been sent. */
export function withUploadProgress(
  send: typeof fetch,
  onProgress: (sentBytes: number) => void,
): typeof fetch {
  const Class = getUploadRequestClass()
  if (Class) return (url, init = {}) => sendWithProgress(new Class(), String(url), init, onProgress)
  return (url, init = {}) => send(url, { ...init, body: countBytes(init.body as Upload, onProgress) })
}

/** Uses XMLHttpRequest, because `fetch` in browsers does not report upload progress. */
function sendWithProgress(
  request: UploadRequest,
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  onProgress: (sentBytes: number) => void,
): Promise<Response> {
  return new Promise<Response>((resolve, reject) => {
    signal?.throwIfAborted()
    request.open(method, url)
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
    request.responseType = 'blob'
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () => resolve(new Response(request.response, readResponseInit(request)))
    request.onerror = () => reject(new TypeError('The upload failed. Check the connection to the service.'))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

function readResponseInit(request: UploadRequest): ResponseInit {
  const lines = request.getAllResponseHeaders().trim().split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { status: request.status, headers }
}

function countBytes(body: Upload, onProgress: (sentBytes: number) => void): ReadableStream<Uint8Array> {
  const stream = body instanceof ReadableStream ? body : new Blob([body]).stream()
  let sentBytes = 0
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sentBytes += chunk.byteLength
        onProgress(sentBytes)
        controller.enqueue(chunk)
      },
    }),
  )
}

const CHUNK_CHARACTERS = 65_536
const MAX_BUFFER_MS = 100

/**
 * Encodes records as a request body: an array as a string, which can be retried, an iterable as a stream. Errors of
 * the iterable are passed to `onSourceError`, because `fetch` would report them as a failed connection.
 */
export function toNdjson<T>(
  records: Records<T>,
  onSourceError: (error: unknown) => void,
): string | ReadableStream<Uint8Array> {
  if (Array.isArray(records)) return records.map(toLine).join('')
  const encoder = new TextEncoder()
  const source =
    Symbol.asyncIterator in records ? records[Symbol.asyncIterator]() : records[Symbol.iterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { chunk, isLast } = await readChunk(source)
        if (chunk !== '') controller.enqueue(encoder.encode(chunk))
        if (isLast) controller.close()
      } catch (error) {
        onSourceError(error)
        throw error
      }
    },
    async cancel() {
      await source.return?.()
    },
  })
}

/** Combines lines into larger chunks to reduce overhead, but waits at most MAX_BUFFER_MS for a slow source. */
async function readChunk<T>(
  source: Iterator<T> | AsyncIterator<T>,
): Promise<{ chunk: string; isLast: boolean }> {
  const deadline = performance.now() + MAX_BUFFER_MS
  let chunk = ''
  do {
    const { done, value } = await source.next()
    if (done) return { chunk, isLast: true }
    chunk += toLine(value)
  } while (chunk.length < CHUNK_CHARACTERS && performance.now() < deadline)
  return { chunk, isLast: false }
}

function toLine(record: unknown): string {
  return `${JSON.stringify(record)}\n`
}
