// The ways in which operations are called: one object with its ETag, pages of a list, a stream, a write.
import { AssayError } from './errors.ts'
import { elements } from './ndjson.ts'
import { Remembered } from './remembered.ts'
import { type Call, type CallOptions, type Connection, request, targetOf } from './request.ts'

export interface Page<T> {
  items: T[]
  /** Where the next page begins; undefined after the last one. */
  cursor: string | undefined
}

/** How many elements of a list are asked for at once where all of them are wanted. */
const PAGE = 200

export class Calls {
  readonly #connection: Connection
  readonly #remembered = new Remembered()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** What is read whole. An answer that has not changed is the one that was parsed before. */
  async get<T>(call: Call): Promise<T> {
    const name = JSON.stringify([this.#connection.key(), targetOf(call)])
    const known = this.#remembered.get(name)
    const headers = known && { 'if-none-match': known.etag }
    return request(this.#connection, { ...call, headers }, async (response) => {
      if (known && response.status === 304) return known.value as T
      const text = await response.text()
      const value = parse<T>(text, response)
      const etag = response.headers.get('etag')
      if (etag !== null) this.#remembered.set(name, { etag, value, size: text.length })
      return value
    })
  }

  page<T>(call: Call): Promise<Page<T>> {
    return request(this.#connection, call, async (response) => ({
      items: parse<T[]>(await response.text(), response),
      cursor: nextCursor(response),
    }))
  }

  async *pages<T>(call: Call): AsyncGenerator<T> {
    let query: object = { limit: PAGE, ...call.query }
    for (;;) {
      const { items, cursor } = await this.page<T>({ ...call, query })
      yield* items
      if (cursor === undefined) return
      query = { ...query, cursor }
    }
  }

  async *stream<T>(call: Call): AsyncGenerator<T> {
    const response = await this.answer({ ...call, query: { ...call.query, format: 'ndjson' } })
    yield* elements<T>(response, call.signal)
  }

  /** The answer as it comes. */
  answer(call: Call): Promise<Response> {
    return request(this.#connection, call, async (response) => response)
  }

  write<T>(call: Call): Promise<T> {
    return request(this.#connection, call, async (response) => parse<T>(await response.text(), response))
  }

  async delete(path: readonly string[], options?: CallOptions): Promise<void> {
    await this.answer({ method: 'DELETE', path, ...options })
  }
}

function parse<T>(text: string, { status }: Response): T {
  try {
    return JSON.parse(text)
  } catch {
    const detail = 'The answer is not JSON. Does the base URL lead to an Assay service?'
    throw new AssayError(status, { detail })
  }
}

/** The cursor out of `Link: <…?cursor=…>; rel="next"`. */
function nextCursor({ headers }: Response): string | undefined {
  const target = headers.get('link')?.match(/<([^>]*)>; rel="next"/)?.[1]
  if (target === undefined) return undefined
  // The address may be a path; what it stands behind makes no difference here.
  return new URL(target, 'http://any').searchParams.get('cursor') ?? undefined
}
