// The API for a command in the same process, without a server: the handlers of the same routes, for a client with all rights
// in one project. A read passes on its bytes directly from a snapshot of the store.
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyReply, RouteOptions } from 'fastify'
import type { TObject } from 'typebox'
import { Problem } from '../errors.ts'
import { strictObject } from '../schema/schema-builders.ts'
import { excelSafeTable, type Format, serialize } from '../serialize/format.ts'
import type { Settings } from '../settings/settings.ts'
import { findProject } from '../store/access/projects.ts'
import { LruCache } from '../store/cache/lru-cache.ts'
import { ComparisonCache } from '../store/compare/comparison-cache.ts'
import type { Connection, Store } from '../store/store.ts'
import { PROBLEM_TYPE, problemJson } from './problem.ts'
import { createQueryValidator, parseQuery } from './request/query.ts'
import { matchesSegments, splitPath } from './request/unmatched-requests.ts'
import { WriteHandler } from './request/write-handler.ts'
import { etag } from './response/etag.ts'
import type { ReadSource } from './response/respond.ts'
import type { App, RouteContext } from './route-context.ts'

type AddRoutes = (app: App, context: RouteContext) => void

/** The operations of commands, by the last name in their path. Each command loads only its own. */
const OPERATIONS: Record<string, () => Promise<AddRoutes>> = {
  evaluations: async () => (await import('./routes/evaluations.ts')).evaluationRoutes,
  evaluation_scenarios: async () => (await import('./routes/scenarios.ts')).scenarioRoutes,
  rows: async () => (await import('./routes/rows.ts')).rowRoutes,
  summary: async () => (await import('./routes/summaries.ts')).summaryRoutes,
  breakdown: async () => (await import('./routes/breakdowns.ts')).breakdownRoutes,
  agreement: async () => (await import('./routes/agreements.ts')).agreementRoutes,
  comparisons: async () => (await import('./routes/comparisons.ts')).comparisonRoutes,
  leaderboards: async () => (await import('./routes/leaderboards.ts')).leaderboardRoutes,
  variants: async () => (await import('./routes/variants.ts')).variantRoutes,
  revisions: async () => (await import('./routes/revisions.ts')).revisionRoutes,
  diff: async () => (await import('./routes/revisions.ts')).revisionRoutes,
  shares: async () => (await import('./routes/shares.ts')).shareRoutes,
  reviews: loadReviewRoutes,
}

async function loadReviewRoutes(): Promise<AddRoutes> {
  const { reviewRoutes } = await import('./routes/reviews.ts')
  const { reviewAnswerRoutes } = await import('./routes/review-answers.ts')
  return (app, context) => {
    reviewRoutes(app, context)
    reviewAnswerRoutes(app, context)
  }
}

export interface InProcessApi {
  /** Rejects with the errors of the store themselves, so that a command can report them. */
  fetch: typeof fetch
  /** Closes the snapshots of responses that were not read to their end. */
  close(): Promise<void>
}

/** For the project of the settings. */
export function openInProcessApi({ reader, writer }: Store, settings: Settings): InProcessApi {
  const openResponses = new Set<OpenResponse>()
  const clock = Date.now
  // Without what only uploads and connections need.
  const context = {
    reader,
    settings,
    clock,
    writes: new WriteHandler({ reader, writer, clock, publicUrl: undefined }),
    respond: (reply, _, source) => respond(reply, source, openResponses),
    textCache: new LruCache<string>(0, () => 0),
    comparisonCache: new ComparisonCache(),
  } as Partial<RouteContext> as RouteContext

  async function findRoute(method: string, path: string[]): Promise<RouteOptions> {
    const routes: RouteOptions[] = []
    // Names and ids alternate after the empty first segment. Evaluations and reviews have rows.
    const lastName = path.findLast((_, index) => index % 2 === 1) ?? ''
    const isReview = path[1] === 'reviews' || (path[1] === 'comparisons' && path[2] === 'reviews')
    const name = isReview ? 'reviews' : lastName
    const addRoutes = await OPERATIONS[name]?.()
    addRoutes?.({ route: (route: RouteOptions) => routes.push(route) } as unknown as App, context)
    const route = routes.find(
      (each) => [each.method].flat().includes(method) && matchesSegments(splitPath(each.url), path),
    )
    if (!route) throw new Error(`There is no route ${method} ${path.join('/')}`)
    return route
  }

  async function run(method: string, url: URL, { headers, body }: RequestInit): Promise<Response> {
    const path = splitPath(url.pathname.replace(/^\/api/, ''))
    const route = await findRoute(method, path)
    const validate = createQueryValidator((route.schema?.querystring ?? strictObject({})) as TObject)
    const query = validate(parseQuery(url.search.slice(1)))
    if ('error' in query) throw query.error
    const project = (await findProject(reader, settings.project)) ?? NO_PROJECT
    // A request is sent once, so its response need not be stored.
    const { 'idempotency-key': _, ...sentHeaders } = headers as Record<string, string>
    const reply = new Reply({
      method,
      url: url.pathname + url.search,
      headers: sentHeaders,
      params: paramsOf(splitPath(route.url), path),
      query: query.value,
      raw: requestBody(body),
      viewer: { project, conceal: true, confined_to: null },
      canRead: true,
      latestReader: method === 'GET' ? reader.latest() : reader,
    })
    await Reflect.apply(route.handler, undefined, [reply.request, reply])
    return reply.toResponse()
  }

  return {
    async fetch(url, { method = 'GET', ...init } = {}) {
      try {
        return await run(method, new URL(String(url)), init)
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error
        return new Reply({})
          .code(error.status)
          .type(PROBLEM_TYPE)
          .send(problemJson(error, '', ''))
          .toResponse()
      }
    },
    async close() {
      for (const { end, closed } of openResponses) {
        await end()
        await closed
      }
    },
  }
}

/** A project exists with its first key or import. */
const NO_PROJECT = -1

function paramsOf(names: string[], path: string[]): Record<string, string> {
  const params = names.flatMap((name, index) => (name.startsWith(':') ? [[name.slice(1), path[index]]] : []))
  return Object.fromEntries(params)
}

/** Handlers also listen to the socket of a body. */
function requestBody(body: RequestInit['body']): Readable {
  return Object.assign(Readable.from(body ? [Buffer.from(String(body))] : []), { socket: new EventEmitter() })
}

interface Body extends AsyncIterable<Uint8Array> {
  cancel?(): Promise<void>
}

/** The part of a reply that the handlers use, and the part of a response that the client uses: the class Response takes 40 ms to load. */
class Reply {
  readonly request: object
  readonly #headers = new Map<string, string>()
  #status = 200
  #body: Body = toBody('')

  constructor(request: object) {
    this.request = request
  }

  code(status: number): this {
    this.#status = status
    return this
  }

  header(name: string, value: string): this {
    this.#headers.set(name, value)
    return this
  }

  type(mediaType: string): this {
    return this.header('content-type', mediaType)
  }

  /** Bodies are texts already. */
  serializer(): this {
    return this
  }

  send(body: string | Body = ''): this {
    this.#body = typeof body === 'string' ? toBody(body) : body
    return this
  }

  toResponse(): Response {
    const [status, body] = [this.#status, this.#body]
    const text = async () => Buffer.concat(await Array.fromAsync(body)).toString()
    const response = {
      status,
      ok: status < 300,
      headers: { get: (name: string) => this.#headers.get(name) ?? null },
      body,
      text,
      json: async () => JSON.parse(await text()),
    }
    return response as unknown as Response
  }
}

async function* toBody(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** A response that is being read. */
interface OpenResponse {
  end(): Promise<void>
  /** Resolves when its snapshot is closed. */
  closed: Promise<void>
}

/** Resolves when the response has started. Its snapshot stays open until its bytes are read. */
function respond(
  reply: FastifyReply,
  source: ReadSource,
  openResponses: Set<OpenResponse>,
): Promise<FastifyReply> {
  return new Promise((resolve, reject) => {
    const ended = Promise.withResolvers<void>()
    const respondFrom = async (snapshot: Connection) => {
      const { bytes, headers } = await prepareResponse(reply, source, snapshot)
      const chunks = bytes[Symbol.asyncIterator]()
      const open: OpenResponse = {
        closed,
        async end() {
          await chunks.return?.()
          ended.resolve()
        },
      }
      // An error before the first byte can be a problem of the request.
      const first = await chunks.next()
      openResponses.add(open)
      for (const [name, value] of Object.entries(headers)) reply.header(name, value)
      resolve(reply.send(Object.assign(readAll(first, chunks, open.end), { cancel: open.end })))
      await ended.promise
      openResponses.delete(open)
    }
    const kind = source.isQuery ? 'query' : 'long'
    const closed = reply.request.latestReader.snapshot(kind, respondFrom).catch(reject)
  })
}

async function prepareResponse({ request }: FastifyReply, { prepare }: ReadSource, snapshot: Connection) {
  const { format: requestedFormat, csv } = request.query as { format?: Format; csv?: 'excel' }
  const { formats, version, content } = await prepare(snapshot)
  const format = requestedFormat ?? (formats[0] as Format)
  const { chunks, isDocument, table, link } = await content(format)
  const headers: Record<string, string> = {
    ...(version !== undefined && { etag: etag(version, format, 'identity') }),
    ...(link !== undefined && { link }),
  }
  const csvTable = table && csv ? excelSafeTable(table) : table
  return { headers, bytes: isDocument ? chunks(',') : serialize(format, chunks, csvTable) }
}

/** Calls `end` at the end, after an error, and if the rest is not read. */
async function* readAll(
  first: IteratorResult<Uint8Array>,
  chunks: AsyncIterator<Uint8Array>,
  end: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let result = first; !result.done; result = await chunks.next()) yield result.value
  } finally {
    await end()
  }
}
