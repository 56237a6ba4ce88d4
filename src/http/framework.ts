// Fastify with its defaults changed to what the contract asks of syntax, limits, errors and queries.
import { randomUUID } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { TObject } from 'typebox'
import { Comparison, ComparisonRows } from '../schema/comparisons.ts'
import { Evaluation, EvaluationPatch, EvaluationWrite } from '../schema/evaluations.ts'
import { ImportReport } from '../schema/imports.ts'
import { OwnKey } from '../schema/own-key.ts'
import { Problem } from '../schema/problems.ts'
import { RevisionDiff } from '../schema/revision-changes.ts'
import { RevisionWrite, VariantRevision } from '../schema/revisions.ts'
import { Rows } from '../schema/rows.ts'
import { Appended, EvaluationScenario, ScenarioPatch, ScenarioWrite } from '../schema/scenarios.ts'
import { NewShare, Share, ShareWrite } from '../schema/shares.ts'
import { EvaluationSummary } from '../schema/summaries.ts'
import { Variant, VariantWrite } from '../schema/variants.ts'
import type { Settings } from '../settings.ts'
import { asProblem, sendProblem } from './problem.ts'
import { queryChecker, readQuery } from './query.ts'
import { logRequest } from './request-log.ts'
import type { App } from './route.ts'

export function createFramework(settings: Settings, log: FastifyBaseLogger): App {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: settings.trust_proxy,
    // HEAD must not read what it does not send, so routes answer it themselves.
    exposeHeadRoutes: false,
    requestTimeout: settings.request_timeout,
    http: {
      // Node counts the target and the fields together; which of them is too large is told apart by hooks.
      maxHeaderSize: settings.max_url_bytes + settings.max_header_bytes + 1024,
      requireHostHeader: false,
      // Node insists that the time for the head is not above the time for the whole.
      headersTimeout: Math.min(settings.stall_timeout, settings.request_timeout),
      connectionsCheckingInterval: 1000,
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      // Judged with the whole target, behind the routing.
      maxParamLength: Number.MAX_SAFE_INTEGER,
      querystringParser: readQuery,
    },
    // answerClientErrors listens instead; without this Fastify would answer in its own words.
    clientErrorHandler: () => undefined,
    frameworkErrors: (error, request, reply) => {
      logRequest(request, reply, () => undefined)
      sendProblem(request, reply, asProblem(error, request))
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  // A log of its own for each request would cost more than its line; who writes one names the request.
  app.setChildLoggerFactory((logger) => logger)
  app.server.maxConnections = settings.max_connections
  // Properties that Node's types do not have. A client that has said all it has to say may close its half; it is
  // answered all the same. And several processes would hand a connection that is too many to each other without an end.
  Object.assign(app.server, { httpAllowHalfOpen: true, dropMaxConnection: true })
  // Fields are bounded by their bytes; by their number a small block could be refused as too large.
  app.server.maxHeadersCount = 0
  // Bodies are read by the routes that take one, as bytes: nothing is parsed before it was judged.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error, request, reply) => {
    // Closed behind its answer, the connection would lose it while the client still sends; Connections closes it.
    if (!request.raw.complete) reply.raw.shouldKeepAlive = true
    return sendProblem(request, reply, asProblem(error, request))
  })
  app.setValidatorCompiler<TObject>(({ schema, httpPart }) =>
    httpPart === 'querystring' ? queryValidator(schema) : () => true,
  )
  // Answers are text that is ready; nothing is serialized by a schema.
  app.setSerializerCompiler(() => JSON.stringify)
  const schemas = {
    EvaluationScenario,
    ScenarioWrite,
    ScenarioPatch,
    Rows,
    Comparison,
    ComparisonRows,
    Appended,
    ImportReport,
    VariantRevision,
    RevisionDiff,
    RevisionWrite,
    Evaluation,
    EvaluationWrite,
    EvaluationPatch,
    EvaluationSummary,
    Variant,
    VariantWrite,
    OwnKey,
    Share,
    NewShare,
    ShareWrite,
    Problem,
  }
  for (const [$id, schema] of Object.entries(schemas)) app.addSchema({ $id, ...schema })
  return app
}

function queryValidator(schema: TObject) {
  const check = queryChecker(schema)
  return (query: Record<string, string[]>) => {
    try {
      return { value: check(query) }
    } catch (error) {
      return { error: error as Error }
    }
  }
}
