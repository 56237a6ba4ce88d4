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
import type { ResponseContext } from './response/respond.ts'
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
export interface RouteContext extends ResponseContext {
  reader: Reader
  /** For operations that require the scope `write`. */
  writes: WriteHandler
  settings: Settings
  /** Current time in milliseconds, used to check whether keys have expired. */
  clock: () => number
  connections: Connections
  /** Receives and stores uploads of records and files. */
  bulk: BulkWrites
  metrics: Metrics
  /** Caches changes of revisions, as JSON text. */
  textCache: LruCache<string>
  comparisonCache: ComparisonCache
}
