// What a file of routes is given to work with.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Settings } from '../settings.ts'
import type { KeptComparisons } from '../store/kept-comparisons.ts'
import type { KeptPairings } from '../store/kept-pairings.ts'
import type { RevisionChanges } from '../store/revision-changes.ts'
import type { KeptScores } from '../store/scores.ts'
import type { Reader } from '../store/store.ts'
import type { Connections } from './connections.ts'
import type { Metrics } from './metrics.ts'
import type { Relays } from './relay.ts'
import type { RenditionFiles } from './rendition-files.ts'
import type { Renditions } from './renditions.ts'
import type { Writes } from './writes.ts'

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** What routes are handed: a reader cannot write, by its type and by its connection. */
export interface RouteContext {
  reader: Reader
  /** For the operations that ask for the scope `write`. */
  writes: Writes
  settings: Settings
  /** The time in milliseconds, against which keys expire. */
  clock: () => number
  connections: Connections
  /** For answers to slow clients. */
  relays: Relays
  /** Whole answers of ordinary size. */
  renditions: Renditions
  /** Large answers that were compressed. */
  files: RenditionFiles
  metrics: Metrics
  /** What revisions changed, as far as it was asked for. */
  changes: RevisionChanges
  /** The scores of evaluations, likewise. */
  scores: KeptScores
  /** How evaluations are paired with their bases, likewise. */
  pairings: KeptPairings
  /** What was found out to compare evaluations, likewise. */
  comparisons: KeptComparisons
}
