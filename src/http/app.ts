// Every hook and route of the service, in the order they act: its table of contents.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Settings } from '../settings.ts'
import { KeptComparisons } from '../store/kept-comparisons.ts'
import { KeptPairings } from '../store/kept-pairings.ts'
import { RevisionChanges } from '../store/revision-changes.ts'
import { KeptScores } from '../store/scores.ts'
import { type Reader, renditionFolder, scratchFolder, type Writer } from '../store/store.ts'
import { authenticate } from './auth.ts'
import { answerClientErrors } from './client-errors.ts'
import { Connections } from './connections.ts'
import { allowOrigins } from './cors.ts'
import { FailedKeys } from './failed-keys.ts'
import { createFramework } from './framework.ts'
import { answerOtherMethods } from './methods.ts'
import { Metrics } from './metrics.ts'
import type { Peers } from './peers.ts'
import { Relays } from './relay.ts'
import { RenditionFiles } from './rendition-files.ts'
import { Renditions } from './renditions.ts'
import { awaitTurn, checkSyntax, refuseDoubledFields, sayGoodbye } from './request-checks.ts'
import { logRequest } from './request-log.ts'
import type { App, RouteContext } from './route.ts'
import { comparisonRoutes } from './routes/comparisons.ts'
import { docsRoutes } from './routes/docs.ts'
import { evaluationRoutes } from './routes/evaluations.ts'
import { healthRoutes } from './routes/health.ts'
import { importRoutes } from './routes/imports.ts'
import { keyRoutes } from './routes/keys.ts'
import { revisionRoutes } from './routes/revisions.ts'
import { rowRoutes } from './routes/rows.ts'
import { scenarioRoutes } from './routes/scenarios.ts'
import { shareRoutes } from './routes/shares.ts'
import { summaryRoutes } from './routes/summaries.ts'
import { variantRoutes } from './routes/variants.ts'
import { webRoutes } from './routes/web.ts'
import { cutStalledReaders } from './stalled-readers.ts'
import { WEB_FOLDER } from './web-files.ts'
import { Writes } from './writes.ts'

export interface AppOptions {
  reader: Reader
  writer: Writer
  settings: Settings
  log: FastifyBaseLogger
  /** The time in milliseconds, against which keys expire. */
  clock?: () => number
  /** Where the files of the page are. */
  web?: string
  /** The other processes that serve the same port, where there are any. */
  peers?: Peers | undefined
  /** Called before the first route is added. */
  prepare?: (app: FastifyInstance) => Promise<void>
}

export async function buildApp({
  reader,
  writer,
  settings,
  log,
  clock = Date.now,
  web = WEB_FOLDER,
  peers,
  prepare,
}: AppOptions) {
  const app = createFramework(settings, log)
  const connections = new Connections(app.server, settings)
  const metrics = new Metrics(peers)
  const writes = new Writes({ reader, writer }, clock)
  const relays = new Relays(scratchFolder(settings), settings.max_spool_bytes)
  const kept = {
    changes: new RevisionChanges(),
    scores: new KeptScores(),
    pairings: new KeptPairings(),
    comparisons: new KeptComparisons(),
    renditions: new Renditions(settings.max_rendition_bytes),
    files: new RenditionFiles(renditionFolder(settings), settings.max_rendition_file_bytes),
  }
  const context: RouteContext = { reader, writes, settings, clock, connections, relays, metrics, ...kept }
  await kept.files.clear()
  await prepare?.(app)

  answerClientErrors(app.server, connections, log, settings)
  cutStalledReaders(app.server, connections, settings.stall_timeout)
  app.addHook('onRequest', awaitTurn(connections))
  app.addHook('onRequest', sayGoodbye(connections))
  app.addHook('onRequest', logRequest)
  app.addHook('onRequest', metrics.measure)
  allowOrigins(app, settings.cors_origin)
  app.addHook('onRequest', checkSyntax(settings))
  answerOtherMethods(app)
  app.addHook('onRequest', refuseDoubledFields)

  await app.register(
    async (api: App) => {
      const failedKeys = new FailedKeys(settings.failed_key_limit, peers)
      api.addHook('onRequest', authenticate({ reader, failedKeys, conceal: settings.conceal, clock }))
      evaluationRoutes(api, context)
      scenarioRoutes(api, context)
      rowRoutes(api, context)
      summaryRoutes(api, context)
      comparisonRoutes(api, context)
      variantRoutes(api, context)
      revisionRoutes(api, context)
      importRoutes(api, context)
      keyRoutes(api, context)
      shareRoutes(api, context)
    },
    { prefix: '/api' },
  )
  healthRoutes(app, context)
  docsRoutes(app)
  await webRoutes(app, web)
  return { app, connections }
}
