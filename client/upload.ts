// Uploads: streamed request bodies and progress reports.

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
