// Types shared by all route files: the Fastify app and the services that handlers use.
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Settings } from '../settings/settings.ts'
import type { LruCache } from '../store/cache/lru-cache.ts'
import type { ComparisonCache } from '../store/compare/comparison-cache.ts'
import type { Reader } from '../store/store.ts'
import type { BulkWrites } from './bulk/bulk-writes.ts'
import type { WriteHandler } from './request/write-handler.ts'
import type { QueryQueue } from './response/query-queue.ts'
import type { Respond } from './response/read-source.ts'
import type { ResponseStore } from './response/response-store.ts'
import type { Connections } from './server/connections.ts'
import type { Metrics } from './server/metrics.ts'

/** Derives the types of a request and of its reply from the schema of the route. */
export interface SchemaTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  SchemaTypeProvider
>

/** Services available to every route. `reader` cannot write: its type and its connection are read-only. */
export interface RouteContext {
  reader: Reader
  /** For operations that require the scope `write`. */
  writes: WriteHandler
  settings: Settings
  /** Current time in milliseconds, used to check whether keys have expired. */
  clock: () => number
  connections: Connections
  /** Sends the response of a read. */
  respond: Respond
  /** Limits how many queries run at the same time. */
  queryQueue: QueryQueue
  /** Receives and stores uploads of records and files. */
  bulk: BulkWrites
  /** Complete responses, produced once for all equal requests. */
  responses: ResponseStore
  metrics: Metrics
  /** Caches changes of revisions, as JSON text. */
  textCache: LruCache<string>
  comparisonCache: ComparisonCache
}
