// Responds to the two most frequent reads before the framework, if the response is a 304 or cached in memory. Everything
// else is left to the routes, which respond with the same bytes.
import { hash, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { FORMATS, MEDIA_TYPES } from '../serialize/format.ts'
import { findCachedKey, type StoredKey } from '../store/access/keys.ts'
import { getCachedEvaluation } from '../store/evaluations/evaluations.ts'
import { SCENARIOS } from '../store/scenarios/scenarios.ts'
import type { SnapshotReader } from '../store/store.ts'
import { REVISIONS } from '../store/variants/revisions.ts'
import { getCachedVariant } from '../store/variants/variants.ts'
import { checkKey, findMissingScope, isExpired, parseKey, readKey } from './request/auth.ts'
import { checkDuplicateHeaders, checkSyntax } from './request/checks.ts'
import { type LogMembers, logMembers, type RequestLog } from './request/log.ts'
import { etag, matchesEtag } from './response/etag.ts'
import { negotiateEncoding, negotiateFormat } from './response/negotiate.ts'
import { responseName } from './response/response-store.ts'
import type { RouteContext } from './route-context.ts'
import type { DurationQueue } from './server/metrics.ts'

/** Paths without a query and without percent-encoding. */
const PATH = /^\/api\/(?:evaluations\/([\w.~-]+)\/evaluation_scenarios|variants\/([\w.~-]+)\/revisions)$/

const COMMON_HEADERS = [
  ...['x-content-type-options', 'nosniff', 'cache-control', 'private, no-cache'],
  ...['vary', 'Accept, Accept-Encoding, Authorization'],
]

interface Read {
  route: string
  contentKey: string
  getCached: typeof getCachedEvaluation
}

const SCENARIOS_READ: Read = {
  route: '/api/evaluations/:evaluation_id/evaluation_scenarios',
  contentKey: SCENARIOS.element,
  getCached: getCachedEvaluation,
}
const REVISIONS_READ: Read = {
  route: '/api/variants/:variant_id/revisions',
  contentKey: REVISIONS.element,
  getCached: getCachedVariant,
}

/** Headers of requests that only the routes handle. */
const OTHER_HEADERS = ['content-length', 'transfer-encoding', 'expect', 'upgrade', 'accept-version']

const MAX_PREPARED = 1000
const MAX_NAME_CHARACTERS = 1000

/** What the response to a request depends on, until something is committed. */
interface PreparedRead {
  key: StoredKey
  etag: string
  responseName: string
  headers: string[]
  /** Only for 200. */
  contentHeaders: string[]
  log: LogMembers
  durations: Record<200 | 304, DurationQueue>
}

export class DirectReads {
  readonly #context: RouteContext
  readonly #requestLog: RequestLog
  /** By path, negotiated headers and digest of the key. Cleared with every commit. */
  readonly #preparedReads = new Map<string, PreparedRead>()
  #latest: SnapshotReader | undefined

  constructor(context: RouteContext, requestLog: RequestLog) {
    this.#context = context
    this.#requestLog = requestLog
  }

  /** With CORS and behind proxies, responses and log lines depend on more headers. */
  static canRespond({ reader, settings }: RouteContext): boolean {
    return reader.hasRowCache && settings.cors_origin.length === 0 && settings.trust_proxy === undefined
  }

  /** Returns false, without any effect, if the routes must respond. */
  respond(request: IncomingMessage, response: ServerResponse): boolean {
    const startTime = performance.now()
    const read = this.#find(request)
    if (!read) return false
    const { connections, metrics, responses } = this.#context
    let releaseBody: (() => void) | undefined
    let body: Uint8Array | undefined
    if (!matchesEtag(request.headers['if-none-match'], read.etag)) {
      const user = { closed: false, once: (_event: 'close', release: () => void) => (releaseBody = release) }
      body = responses.findInMemory(read.responseName, user)?.bytes
      if (!body) return false
    }
    const { socket } = request
    const status = body ? 200 : 304
    const id = randomUUID()
    connections.markAuthenticated(socket)
    metrics.beginRequest()
    response.on('close', () => {
      releaseBody?.()
      const duration = performance.now() - startTime
      const [address, isComplete] = [socket.remoteAddress, response.writableFinished]
      this.#requestLog.write(read.log, { id, status, duration, address, isComplete })
      metrics.endRequest(read.durations[status], duration)
    })
    const headers = ['x-request-id', id, ...read.headers]
    if (body) headers.push(...read.contentHeaders, 'content-length', String(body.length))
    response.writeHead(status, headers).end(body)
    return true
  }

  /** The path and the headers are checked for each request, key and version once until something is committed. */
  #find(request: IncomingMessage): PreparedRead | undefined {
    const { method, url = '', httpVersion, headers } = request
    if (method !== 'GET' || httpVersion !== '1.1') return undefined
    const path = PATH.exec(url)
    const { connections, reader, clock } = this.#context
    if (!path || connections.isDraining || connections.getTurn(request)) return undefined
    const { authorization = '', accept = '', 'accept-encoding': acceptEncoding = '' } = headers
    try {
      checkSyntax(request)
      checkDuplicateHeaders(request)
      for (const header of OTHER_HEADERS) if (headers[header] !== undefined) return undefined
      const latest = reader.latest()
      if (latest !== this.#latest) this.#preparedReads.clear()
      this.#latest = latest
      // The key itself must not stay in memory.
      const name = `${hash('sha256', authorization, 'latin1')}${url}\n${accept}\n${acceptEncoding}`
      const read = this.#preparedReads.get(name) ?? this.#prepare(name, latest, path, headers)
      return read && !isExpired(read.key, clock()) ? read : undefined
    } catch {
      // The routes respond with the error.
      return undefined
    }
  }

  #prepare(
    name: string,
    latest: SnapshotReader,
    [url, evaluationId, variantId = '']: RegExpExecArray,
    { authorization, accept, 'accept-encoding': acceptEncoding }: IncomingHttpHeaders,
  ): PreparedRead | undefined {
    const key = this.#findKey(latest, authorization)
    if (!key || name.length > MAX_NAME_CHARACTERS) return undefined
    const { route, contentKey, getCached } = evaluationId === undefined ? REVISIONS_READ : SCENARIOS_READ
    const version = getCached(latest, key.project, evaluationId ?? variantId)?.version
    if (version === undefined) return undefined
    const format = negotiateFormat(accept, FORMATS)
    const encoding = negotiateEncoding(acceptEncoding)
    const tag = etag(version, format, encoding)
    const { metrics } = this.#context
    const read = {
      key,
      etag: tag,
      responseName: responseName(tag, contentKey),
      headers: [...COMMON_HEADERS, 'etag', tag],
      contentHeaders: ['content-type', MEDIA_TYPES[format]],
      log: logMembers('GET', url, key.public_id, key.name),
      durations: { 200: metrics.findQueue('GET', route, 200), 304: metrics.findQueue('GET', route, 304) },
    }
    if (encoding !== 'identity') read.contentHeaders.push('content-encoding', encoding)
    if (this.#preparedReads.size >= MAX_PREPARED) this.#preparedReads.clear()
    this.#preparedReads.set(name, read)
    return read
  }

  /** Undefined for invalid and restricted keys, and for keys that cannot read. */
  #findKey(latest: SnapshotReader, authorization: string | undefined): StoredKey | undefined {
    const sentKey = parseKey(readKey(authorization))
    const storedKey = sentKey && findCachedKey(latest, sentKey.publicId, sentKey.hash)
    if (!storedKey || storedKey.confined_to !== null) return undefined
    const key = checkKey(storedKey, sentKey.hash, this.#context.clock())
    return typeof key === 'string' || findMissingScope(key, 'read') !== undefined ? undefined : key
  }
}
