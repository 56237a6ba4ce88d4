// Bodies that are sent as a stream, or of which somebody wants to see how far they are.

export type Upload = Blob | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string

/** Of XMLHttpRequest what is needed here; Node does not have it. */
interface Transfer {
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
type TransferClass = new () => Transfer

function transferClass(): TransferClass | undefined {
  return (globalThis as { XMLHttpRequest?: TransferClass }).XMLHttpRequest
}

/** Browsers send streams over HTTP/2 only, or not at all; there a stream is gathered first. */
export async function sendable(body: Upload): Promise<Upload> {
  return body instanceof ReadableStream && transferClass() ? new Response(body).blob() : body
}

/** A `fetch` that tells how many bytes of the body are on their way. */
export function telling(send: typeof fetch, onProgress: (sentBytes: number) => void): typeof fetch {
  const Class = transferClass()
  if (Class) return (url, init = {}) => transfer(new Class(), String(url), init, onProgress)
  return (url, init = {}) => send(url, { ...init, body: counted(init.body as Upload, onProgress) })
}

/** Browsers tell the progress of an upload through XMLHttpRequest alone. */
function transfer(
  request: Transfer,
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
    request.onload = () => resolve(new Response(request.response, head(request)))
    request.onerror = () => reject(new TypeError('The upload failed.'))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

function head(request: Transfer): ResponseInit {
  const lines = request.getAllResponseHeaders().trim().split('\r\n')
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { status: request.status, headers: fields }
}

function counted(body: Upload, onProgress: (sentBytes: number) => void): ReadableStream<Uint8Array> {
  const stream = body instanceof ReadableStream ? body : new Blob([body]).stream()
  let sent = 0
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.byteLength
        onProgress(sent)
        controller.enqueue(chunk)
      },
    }),
  )
}
