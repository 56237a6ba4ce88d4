// Repeats responses of complete reads before the framework: what a route has responded to the same request with the same key is
// still right until something is committed. Everything else is left to the routes.
import { hash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { SnapshotReader } from '../store/store.ts'
import { checkDuplicateHeaders, checkSyntax } from './request/checks.ts'
import { type LogMembers, logMembers, type RequestLog } from './request/log.ts'
import { matchesEtag } from './response/etag.ts'
import type { RouteContext } from './route-context.ts'
import type { DurationQueue } from './server/metrics.ts'

/** Headers of requests that only the routes handle. */
const OTHER_HEADERS = ['content-length', 'transfer-encoding', 'expect', 'upgrade', 'accept-version']

/** Headers that every response has. */
const COMMON_HEADERS = ['x-content-type-options', 'nosniff']

/** Other requests need no digest of their key. */
const COMPLETE_READ = /\/(?:evaluation_scenarios|revisions)(?:\?|$)/

const MAX_REPEATABLE = 1000
const MAX_NAME_CHARACTERS = 1000

/** The response of a complete read. */
export interface RepeatableResponse {
  /** In the response store. */
  name: string
  etag: string
  /** For 200 and 304. */
  headers: Record<string, string>
  /** Only for 200. */
  contentHeaders: Record<string, string>
}

interface Repeatable {
  name: string
  etag: string
  headers: string[]
  contentHeaders: string[]
  /** When the key expires, in milliseconds. */
  expiresAt: number
  log: LogMembers
  durations: Record<200 | 304, DurationQueue>
}

export class DirectReads {
  readonly #context: RouteContext
  readonly #requestLog: RequestLog
  /** By path, negotiated headers and digest of the key. Cleared with every commit. */
  readonly #repeatable = new Map<string, Repeatable>()
  /** The state of the store that they belong to. */
  #latest: SnapshotReader | undefined

  constructor(context: RouteContext, requestLog: RequestLog) {
    this.#context = context
    this.#requestLog = requestLog
  }

  /** With CORS and behind proxies, responses and log lines depend on more headers. */
  static canRespond({ reader, settings }: RouteContext): boolean {
    return reader.hasRowCache && settings.cors_origin.length === 0 && settings.trust_proxy === undefined
  }

  /** Called by a route that responds to a complete read. */
  remember(request: FastifyRequest, { name, etag, headers, contentHeaders }: RepeatableResponse): void {
    const { raw, originalUrl, latestReader, routeOptions, keyId, keyName, keyExpiry = null } = request
    const requestName = nameOf(raw, originalUrl)
    if (requestName === undefined) return
    this.#useState(latestReader)
    if (this.#repeatable.size >= MAX_REPEATABLE) this.#repeatable.clear()
    const { url: route = 'none' } = routeOptions
    const { metrics } = this.#context
    this.#repeatable.set(requestName, {
      name,
      etag,
      headers: [...COMMON_HEADERS, ...Object.entries(headers).flat()],
      contentHeaders: Object.entries(contentHeaders).flat(),
      expiresAt: keyExpiry === null ? Number.POSITIVE_INFINITY : Date.parse(keyExpiry),
      log: logMembers('GET', originalUrl, keyId, keyName),
      durations: { 200: metrics.findQueue('GET', route, 200), 304: metrics.findQueue('GET', route, 304) },
    })
  }

  /**
   * Returns false, without any effect, if the routes must respond. Requests that wait for others on their connection, and
   * those during a shutdown, must go to the routes.
   */
  respond(request: IncomingMessage, response: ServerResponse): boolean {
    const startTime = performance.now()
    const repeatable = this.#find(request)
    if (!repeatable) return false
    const { connections, metrics, responses } = this.#context
    let body: Uint8Array | undefined
    if (!matchesEtag(request.headers['if-none-match'], repeatable.etag)) {
      body = responses.findInMemory(repeatable.name, response)?.bytes
      if (!body) return false
    }
    const { socket } = request
    const status = body ? 200 : 304
    const id = randomUUID()
    connections.markAuthenticated(socket)
    metrics.beginRequest()
    response.on('close', () => {
      const duration = performance.now() - startTime
      const [address, isComplete] = [socket.remoteAddress, response.writableFinished]
      this.#requestLog.write(repeatable.log, { id, status, duration, address, isComplete })
      metrics.endRequest(repeatable.durations[status], duration)
    })
    const headers = ['x-request-id', id, ...repeatable.headers]
    if (body) headers.push(...repeatable.contentHeaders, 'content-length', String(body.length))
    response.writeHead(status, headers).end(body)
    return true
  }

  /** Everything that can differ from the request before is checked. */
  #find(request: IncomingMessage): Repeatable | undefined {
    const name = nameOf(request, request.url)
    const repeatable = name === undefined ? undefined : this.#repeatable.get(name)
    if (!repeatable) return undefined
    const { reader, clock } = this.#context
    for (const header of OTHER_HEADERS) if (request.headers[header] !== undefined) return undefined
    try {
      if (!this.#useState(reader.latest()) || clock() >= repeatable.expiresAt) return undefined
      checkSyntax(request)
      checkDuplicateHeaders(request)
      return repeatable
    } catch {
      // The routes respond with the error, such as a damaged store.
      return undefined
    }
  }

  /** Forgets everything that was remembered in another state. Returns whether it is the same. */
  #useState(latest: SnapshotReader): boolean {
    if (latest === this.#latest) return true
    this.#repeatable.clear()
    this.#latest = latest
    return false
  }
}

/** The same for requests that get the same response. Undefined for requests that only the routes handle. */
function nameOf({ method, httpVersion, headers }: IncomingMessage, url = ''): string | undefined {
  const { authorization, accept = '', 'accept-encoding': acceptEncoding = '' } = headers
  if (method !== 'GET' || httpVersion !== '1.1' || authorization === undefined) return undefined
  if (!COMPLETE_READ.test(url)) return undefined
  // The key itself must not stay in memory.
  const name = `${hash('sha256', authorization, 'latin1')}${url}\n${accept}\n${acceptEncoding}`
  return name.length > MAX_NAME_CHARACTERS ? undefined : name
}
