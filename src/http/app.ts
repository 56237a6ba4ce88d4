// Builds the HTTP application: all hooks and routes, in the order in which they run.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { DiskBudget } from '../disk-budget.ts'
import type { Settings } from '../settings/settings.ts'
import { LruCache, sizeOfText } from '../store/cache/lru-cache.ts'
import { ComparisonCache } from '../store/compare/comparison-cache.ts'
import { maxQueries, type Reader, temporaryFolder, type Writer } from '../store/store.ts'
import { BulkWrites } from './bulk/bulk-writes.ts'
import { DirectReads } from './direct-reads.ts'
import { createFastifyApp } from './fastify-app.ts'
import { authenticate } from './request/auth.ts'
import { beginRequests } from './request/begin.ts'
import { respondToClientErrors } from './request/client-errors.ts'
import { FailedKeyLimiter } from './request/failed-key-limiter.ts'
import { RequestLog } from './request/log.ts'
import { WriteHandler } from './request/write-handler.ts'
import { QueryQueue } from './response/query-queue.ts'
import { respondToRead } from './response/respond.ts'
import { ResponseStore } from './response/response-store.ts'
import type { App, RouteContext } from './route-context.ts'
import { agreementRoutes } from './routes/agreements.ts'
import { breakdownRoutes } from './routes/breakdowns.ts'
import { changeRoutes } from './routes/changes.ts'
import { comparisonRoutes } from './routes/comparisons.ts'
import { correctionRoutes } from './routes/corrections.ts'
import { docsRoutes } from './routes/docs.ts'
import { evaluationRoutes } from './routes/evaluations.ts'
import { healthRoutes } from './routes/health.ts'
import { historyRoutes } from './routes/histories.ts'
import { importRoutes } from './routes/imports.ts'
import { keyRoutes } from './routes/keys.ts'
import { leaderboardRoutes } from './routes/leaderboards.ts'
import { resultRoutes } from './routes/results.ts'
import { reviewAnswerRoutes } from './routes/review-answers.ts'
import { reviewRoutes } from './routes/reviews.ts'
import { revisionRoutes } from './routes/revisions.ts'
import { rowRoutes } from './routes/rows.ts'
import { scenarioRoutes } from './routes/scenarios.ts'
import { shareRoutes } from './routes/shares.ts'
import { summaryRoutes } from './routes/summaries.ts'
import { variantRoutes } from './routes/variants.ts'
import { webRoutes } from './routes/web.ts'
import { Metrics } from './server/metrics.ts'
import { pathPrefixOf } from './server/path-prefix.ts'
import { disconnectStalledClients } from './server/stalled-clients.ts'
import { WEB_FOLDER } from './server/web-files.ts'
import type { WorkerChannel } from './server/worker-channel.ts'

/** Limit of the cache for changes of revisions. */
const MAX_TEXT_CHARACTERS = 24 * 1024 * 1024

export interface AppOptions {
  /** The instance to add hooks and routes to. Default: a new one. */
  app?: App
  reader: Reader
  writer: Writer
  settings: Settings
  log: FastifyBaseLogger
  /** Current time in milliseconds, used to check whether keys have expired. */
  clock?: () => number
  /** Folder with the built web page. */
  web?: string
  /** Set if several worker processes serve the same port. */
  workerChannel?: WorkerChannel | undefined
  /** Called before the first route is added. */
  prepare?: (app: FastifyInstance) => Promise<void>
}

export async function buildApp({
  reader,
  writer,
  settings,
  log,
  app = createFastifyApp(settings, log),
  clock = Date.now,
  web = WEB_FOLDER,
  workerChannel,
  prepare,
}: AppOptions) {
  const diskBudget = new DiskBudget(settings.max_buffer_bytes)
  const storage = { folder: temporaryFolder(settings), budget: diskBudget }
  const responses = new ResponseStore(storage, settings.max_cache_bytes, log)
  const queryQueue = new QueryQueue({ maxRunning: maxQueries(settings), timeLimitMs: settings.query_timeout })
  const context: RouteContext = {
    reader,
    settings,
    clock,
    writes: new WriteHandler({ reader, writer, clock, publicUrl: settings.public_url }),
    connections: app.connections,
    metrics: new Metrics(() => diskBudget.usedBytes, workerChannel),
    respond: respondToRead,
    queryQueue,
    bulk: new BulkWrites({ reader, writer, settings, budget: diskBudget }),
    textCache: new LruCache(MAX_TEXT_CHARACTERS, sizeOfText),
    comparisonCache: new ComparisonCache(),
    responses,
  }
  const { connections, metrics } = context
  metrics.observeQueries(queryQueue)
  const prefix = pathPrefixOf(settings)
  app.addHook('onClose', async () => {
    responses.close()
    await context.bulk.close()
  })
  await prepare?.(app)

  respondToClientErrors(app.server, connections, log, settings)
  disconnectStalledClients(app.server, connections, settings.stall_timeout)
  const requestLog = new RequestLog(log)
  beginRequests(app, { connections, metrics, requestLog, settings, prefix })
  if (DirectReads.canRespond(context)) app.direct = new DirectReads(context, requestLog)

  await app.register(
    async (api: App) => {
      const failedKeyLimiter = new FailedKeyLimiter(workerChannel)
      api.addHook(
        'onRequest',
        authenticate({ reader, failedKeyLimiter, connections, conceal: settings.conceal, clock }),
      )
      evaluationRoutes(api, context)
      scenarioRoutes(api, context)
      correctionRoutes(api, context)
      historyRoutes(api, context)
      resultRoutes(api, context)
      reviewRoutes(api, context)
      reviewAnswerRoutes(api, context)
      rowRoutes(api, context)
      summaryRoutes(api, context)
      agreementRoutes(api, context)
      breakdownRoutes(api, context)
      comparisonRoutes(api, context)
      leaderboardRoutes(api, context)
      variantRoutes(api, context)
      revisionRoutes(api, context)
      importRoutes(api, context)
      changeRoutes(api, context)
      keyRoutes(api, context)
      shareRoutes(api, context)
    },
    { prefix: '/api' },
  )
  healthRoutes(app, context)
  docsRoutes(app, web, settings.public_url)
  await webRoutes(app, web, prefix)
  return { app, connections }
}
