// The first hook of every request: its turn on the connection, log, metrics, CORS and the checks of the whole request.
import type { HookHandlerDoneFunction as Done, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../settings/settings.ts'
import type { Connections } from '../server/connections.ts'
import type { Metrics } from '../server/metrics.ts'
import { checkDuplicateHeaders, checkSyntax } from './checks.ts'
import { allowOrigins } from './cors.ts'
import { logRequest, type RequestLog, setCommonHeaders } from './log.ts'
import { respondToUnmatchedRequests } from './unmatched-requests.ts'

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
  const addCorsHeaders = allowOrigins(settings.cors_origin)
  // Before the body is checked: a wrong path must be reported before a wrong body.
  const respondIfUnmatched = respondToUnmatchedRequests(app, prefix)

  /** Logs on the close event of the response, which is emitted in every case, also for a reset. */
  function observe(request: FastifyRequest, reply: FastifyReply): void {
    setCommonHeaders(reply)
    const startTime = performance.now()
    metrics.beginRequest()
    reply.raw.on('close', () => {
      const duration = performance.now() - startTime
      logRequest(requestLog, request, reply, duration)
      const { url: route = 'none' } = request.routeOptions
      metrics.endRequest(metrics.findQueue(request.method, route, reply.raw.statusCode), duration)
    })
  }

  function begin(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const { raw } = request
    // While the server drains, keep-alive clients must not reuse the connection.
    if (connections.isLastResponse(raw.socket)) reply.header('connection', 'close')
    observe(request, reply)
    addCorsHeaders(request, reply)
    try {
      // Syntax errors are reported first, also for unknown paths.
      checkSyntax(raw)
      if (respondIfUnmatched(request, reply)) return
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
