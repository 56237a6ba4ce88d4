// The first hook of every request: its turn on the connection, log, metrics, CORS and the checks of the whole request.
import type { HookHandlerDoneFunction as Done, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../settings/settings.ts'
import type { Connections } from '../server/connections.ts'
import type { Metrics } from '../server/metrics.ts'
import { checkDuplicateHeaders, checkSyntax } from './checks.ts'
import { logRequest, type RequestLog, setCommonHeaders } from './log.ts'
import { ALL_METHODS, respondToUnmatchedRequests } from './unmatched-requests.ts'

interface BeginOptions {
  connections: Connections
  metrics: Metrics
  requestLog: RequestLog
  settings: Settings
  prefix: string
}

/** One synchronous hook, because each hook and each promise takes time in every request. */
export function beginRequests(app: FastifyInstance, options: BeginOptions): void {
  const { connections, metrics, requestLog, settings, prefix } = options
  // Before the body is checked: a wrong path must be reported before a wrong body.
  const respondIfUnmatched = respondToUnmatchedRequests(app, prefix)

  function begin(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const { raw } = request
    // While the server drains, keep-alive clients must not reuse the connection.
    if (connections.isLastResponse(raw.socket)) reply.header('connection', 'close')
    setCommonHeaders(reply)
    const startTime = performance.now()
    metrics.beginRequest()
    // The response emits it in every case, including a reset.
    reply.raw.on('close', () => {
      const duration = performance.now() - startTime
      logRequest(requestLog, request, reply, duration)
      const { url: route = 'none' } = request.routeOptions
      metrics.endRequest(metrics.findQueue(request.method, route, reply.raw.statusCode), duration)
    })
    if (settings.cors_origin.length > 0) allowOrigins(settings.cors_origin, request, reply)
    try {
      // Syntax errors are reported first, also for unknown paths.
      checkSyntax(raw)
      if (request.is404 && respondIfUnmatched(request, reply)) return
      checkDuplicateHeaders(raw)
    } catch (error) {
      // Wait until the parser has seen the end of a request without a body: an incomplete request is handled differently.
      queueMicrotask(() => done(error as Error))
      return
    }
    done()
  }

  app.addHook('onRequest', (request, reply, done) => {
    // A pipelined request waits for the responses to the earlier requests of its connection.
    const turn = connections.getTurn(request.raw)
    if (!turn) return begin(request, reply, done)
    void turn.then(() => {
      if (!request.raw.socket.destroyed) begin(request, reply, done)
      // The client has disconnected.
      else reply.hijack()
    })
  })
}

/** Adds the CORS headers for the origins in the setting cors-origin. Browsers block all other origins. */
function allowOrigins(
  origins: readonly string[],
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header('vary', 'Origin')
  const { origin } = headers
  if (origin === undefined || !origins.includes(origin)) return
  reply.header('access-control-allow-origin', origin)
  reply.header(
    'access-control-expose-headers',
    'ETag, Idempotent-Replayed, Link, Location, Retry-After, X-Request-Id',
  )
  if (method === 'OPTIONS') {
    reply.header('access-control-allow-methods', ALL_METHODS)
    reply.header(
      'access-control-allow-headers',
      'Authorization, Accept, If-Match, If-None-Match, Content-Type, Content-Encoding, Idempotency-Key',
    )
    reply.header('access-control-max-age', '600')
  }
}
