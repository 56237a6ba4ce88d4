// Creates the Fastify instance with the service's limits, error responses and query parsing.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyServerOptions, LogController } from 'fastify'
import type { TObject } from 'typebox'
import { strictObject } from '../schema/schema-builders.ts'
import type { Settings } from '../settings/settings.ts'
import type { DirectReads } from './direct-reads.ts'
import type {} from './openapi/operations.ts'
import { sendProblem, toProblem } from './problem.ts'
import { MAX_HEADER_BYTES, MAX_URL_BYTES } from './request/checks.ts'
import { logRequest, RequestLog, setCommonHeaders } from './request/log.ts'
import { createQueryValidator, parseQuery } from './request/query.ts'
import type { App, SchemaTypeProvider } from './route-context.ts'
import { Connections, limitByOpenFiles, MAX_CONNECTIONS } from './server/connections.ts'
import { checkPrefix, pathPrefixOf, removePrefix } from './server/path-prefix.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Created with the server, because connections are counted from the first one, before routes exist. */
    connections: Connections
    /** Can respond to a request before the hooks and routes. */
    direct: Pick<DirectReads, 'remember' | 'respond'> | null
  }
}

/** `maxConnections`: tests reach a lower limit sooner. */
export function createFastifyApp(
  settings: Settings,
  log: FastifyBaseLogger,
  maxConnections = MAX_CONNECTIONS,
): App {
  const prefix = pathPrefixOf(settings)
  const requestLog = new RequestLog(log)
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies(settings),
    // Fastify would otherwise load its own: ajv and fast-json-stringify, 150 modules.
    schemaController: SCHEMA_CONTROLLER,
    // Routes handle HEAD themselves, because it must not read rows that it does not send.
    exposeHeadRoutes: false,
    requestTimeout: settings.request_timeout,
    ...(prefix !== '' && { rewriteUrl: ({ url = '' }: IncomingMessage) => removePrefix(url, prefix) }),
    http: {
      // Node limits the URL and the headers together; hooks check which of them is too large.
      maxHeaderSize: MAX_URL_BYTES + MAX_HEADER_BYTES + 1024,
      requireHostHeader: false,
      // Node requires headersTimeout <= requestTimeout, also before Fastify has set its own.
      requestTimeout: settings.request_timeout,
      headersTimeout: Math.min(settings.stall_timeout, settings.request_timeout),
      connectionsCheckingInterval: 1000,
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      // Hooks limit the length of the whole URL instead.
      maxParamLength: Number.MAX_SAFE_INTEGER,
      querystringParser: parseQuery,
    },
    // respondToClientErrors handles these errors; without this, Fastify would send its own error format.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(reply)
      const startTime = performance.now()
      reply.raw.once('close', () => logRequest(requestLog, request, reply, performance.now() - startTime))
      sendProblem(reply, toProblem(error, request), prefix)
    },
  }).withTypeProvider<SchemaTypeProvider>()

  // A child logger per request costs more than the log line itself; log calls pass the request id instead.
  app.setChildLoggerFactory((logger) => logger)
  const connections = new Connections(app.server, limitByOpenFiles(maxConnections, log))
  app.decorate('connections', connections).decorate('direct', null)
  const [respondByRoutes] = app.server.listeners('request')
  app.server.removeAllListeners('request').on('request', (request, response) => {
    const canRespond = connections.begin(request, response)
    if (!canRespond || !app.direct?.respond(request, response))
      respondByRoutes?.call(app.server, request, response)
  })
  // Not in Node's types. A client that half-closes after its request still gets the response.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  // Headers are limited by bytes, not by number: many short headers are allowed.
  app.server.maxHeadersCount = 0
  // Routes read request bodies as bytes and validate them before parsing.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error, request, reply) => {
    // Closing while the client still sends would lose the response. Connections closes the socket later.
    if (!request.raw.complete) reply.raw.shouldKeepAlive = true
    return sendProblem(reply, toProblem(error, request), prefix)
  })
  // An operation without query parameters rejects all of them.
  app.addHook('onRoute', ({ schema, url }) => {
    checkPrefix(prefix, url)
    if (schema?.operationId !== undefined) schema.querystring ??= strictObject({})
  })
  return app
}

const SCHEMA_CONTROLLER = {
  compilersFactory: {
    buildValidator: () => compileSchema,
    // Handlers send finished text, so no schema-based serializer is needed.
    buildSerializer: () => () => JSON.stringify,
  },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

function compileSchema({ schema, httpPart }: { schema: TObject; httpPart: string }) {
  return httpPart === 'querystring' ? createQueryValidator(schema) : () => true
}

/** A function for a number of proxies, because Fastify trusts none if it gets the number itself. */
function trustedProxies({ trust_proxy: proxies }: Settings) {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : (proxies ?? false)
}
