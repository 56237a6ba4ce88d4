// Sends each kind of request: cached reads, pages of a list, NDJSON streams and writes.
import { AssayError } from './errors.ts'
import { EtagCache } from './etag-cache.ts'
import { parseNdjson } from './ndjson.ts'
import {
  type ApiRequest,
  type Connection,
  type PathSegment,
  pathAndQuery,
  sendRequest,
  type WriteOptions,
} from './request.ts'

export interface Page<T> {
  items: T[]
  /** The cursor of the next page. Undefined on the last page. */
  cursor: string | undefined
}

/** Page size for reading a whole list. */
const PAGE_SIZE = 200

export class HttpClient {
  readonly #connection: Connection
  readonly #cache = new EtagCache()
  /** The ETag of the response that each returned object came with. */
  readonly #etags = new WeakMap<object, string>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Reads one JSON document. Returns the cached object when the service responds with 304. */
  get<T>(request: ApiRequest): Promise<T> {
    return this.#readCached(request, (body: T) => body)
  }

  /** Returns the cached page when the service responds with 304. */
  page<T>(request: ApiRequest): Promise<Page<T>> {
    return this.#readCached(request, (items: T[], response) => ({ items, cursor: nextCursor(response) }))
  }

  async #readCached<Body, T>(
    request: ApiRequest,
    toValue: (body: Body, response: Response) => T,
  ): Promise<T> {
    const cacheKey = JSON.stringify([this.#connection.getKey(), pathAndQuery(request)])
    const cached = this.#cache.get(cacheKey)
    const headers = cached && { 'if-none-match': cached.etag }
    return sendRequest(this.#connection, { ...request, headers }, async (response) => {
      if (cached && response.status === 304) return cached.value as T
      const text = await response.text()
      const value = toValue(parseJson<Body>(text, response), response)
      const etag = this.#rememberEtag(value, response)
      if (etag !== null) this.#cache.set(cacheKey, { etag, value, size: text.length })
      return value
    })
  }

  /** Throws TypeError if the object was not returned by this client, or without an ETag. */
  etagOf(value: object): string {
    const etag = this.#etags.get(value)
    if (etag === undefined) throw new TypeError('This object has no ETag. Pass an object as it was returned.')
    return etag
  }

  #rememberEtag(value: unknown, { headers }: Response): string | null {
    const etag = headers.get('etag')
    if (etag !== null && value instanceof Object) this.#etags.set(value, etag)
    return etag
  }

  /** `cursorName` is the query parameter with the position of the next page. */
  async *pages<T>(request: ApiRequest, cursorName = 'cursor'): AsyncGenerator<T> {
    let query: object = { limit: PAGE_SIZE, ...request.query }
    for (;;) {
      const { items, cursor } = await this.page<T>({ ...request, query })
      yield* items
      if (cursor === undefined) return
      query = { ...query, [cursorName]: cursor }
    }
  }

  async *stream<T>(request: ApiRequest): AsyncGenerator<T> {
    const response = await this.fetchResponse({ ...request, query: { ...request.query, format: 'ndjson' } })
    yield* parseNdjson<T>(response, request.signal)
  }

  /** Returns the response without reading its body. */
  fetchResponse(request: ApiRequest): Promise<Response> {
    return sendRequest(this.#connection, request, async (response) => response)
  }

  write<T>(request: ApiRequest): Promise<T> {
    return sendRequest(this.#connection, request, async (response) => {
      const value = parseJson<T>(await response.text(), response)
      this.#rememberEtag(value, response)
      return value
    })
  }

  async delete(
    path: readonly PathSegment[],
    options?: WriteOptions,
    query?: ApiRequest['query'],
  ): Promise<void> {
    await this.fetchResponse({ method: 'DELETE', path, query, ...options })
  }
}

function parseJson<T>(text: string, { status }: Response): T {
  try {
    return JSON.parse(text)
  } catch {
    const detail = 'The response is not JSON. Check that the base URL points to an Assay service.'
    throw new AssayError(status, { detail })
  }
}

/** Reads the cursor from the header `Link: <…?cursor=…>; rel="next"`, or the position `after` which to continue. */
function nextCursor({ headers }: Response): string | undefined {
  const target = headers.get('link')?.match(/<([^>]*)>; rel="next"/)?.[1]
  if (target === undefined) return undefined
  // The target can be a path without an origin. The origin does not matter here.
  const { searchParams } = new URL(target, 'http://any')
  return searchParams.get('cursor') ?? searchParams.get('after') ?? undefined
}
