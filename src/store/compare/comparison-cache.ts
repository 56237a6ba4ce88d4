// Caches for comparisons: joins, row columns and whole responses. Cache keys contain the versions of the evaluations,
// so entries never become stale.
import { LruCache, TextCache } from '../cache/lru-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import {
  type CandidateJoin,
  type Join,
  type JoinedEvaluation,
  joinEvaluations,
  type Pairing,
  restoreJoin,
} from './joins.ts'
import type { Sides } from './sides.ts'

/** Arrays with one number per row. */
export type RowColumns = Record<string, Float64Array | Int32Array | Uint8Array>

/** A join takes about 300 characters. */
const MAX_JOIN_CHARACTERS = 200_000
/** A comparison takes a few thousand characters. */
const MAX_RESPONSE_CHARACTERS = 4 * 1024 * 1024
/** Two evaluations of 100,000 rows take about 5 MB. */
const MAX_COLUMN_BYTES = 64 * 1024 * 1024

type CachedJoin = Pick<Join, 'by' | 'tried'> & { pairings: Pairing[] }

export class ComparisonCache {
  /** Comparisons as JSON text. */
  readonly responses = new TextCache(MAX_RESPONSE_CHARACTERS)
  readonly columns = new LruCache<RowColumns>(MAX_COLUMN_BYTES, sumByteLengths)
  readonly #joins = new TextCache(MAX_JOIN_CHARACTERS)

  /** Throws like joinEvaluations. */
  async join(connection: Connection, sides: Sides, requestedKey: string): Promise<Join> {
    const [baseline, ...candidates] = sides
    const text = await this.#joins.getOrCreate(`${combineVersions(sides)} ${requestedKey}`, async () => {
      const { by, tried, joins } = await joinEvaluations(connection, baseline, candidates, requestedKey)
      const pairings = joins.map(({ by, matched, repeats }) => ({ by, matched, repeats }))
      return JSON.stringify({ by, tried, pairings } satisfies CachedJoin)
    })
    const { by, tried, pairings }: CachedJoin = JSON.parse(text)
    const joins: Join['joins'] = []
    for (const [index, candidate] of candidates.entries())
      joins.push(await restoreJoin(connection, baseline, candidate, pairings[index] as Pairing))
    return { by, tried, joins }
  }
}

/** Changes whenever any of the evaluations changes. */
export function combineVersions(sides: { key: number; version: string }[]): string {
  return sides.map(({ key, version }) => `${key}:${version}`).join('.')
}

function sumByteLengths(columns: RowColumns): number {
  return Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** A pairing takes about 200 characters. */
const MAX_PAIRING_CHARACTERS = 200_000

export class PairingCache {
  readonly #texts = new TextCache(MAX_PAIRING_CHARACTERS)

  /** `version` must change whenever the rows of either evaluation change. */
  async get(
    connection: Connection,
    baseline: JoinedEvaluation,
    evaluation: JoinedEvaluation,
    version: string,
  ): Promise<Pairing> {
    const text = await this.#texts.getOrCreate(version, async () => {
      const { joins } = await joinEvaluations(connection, baseline, [evaluation], 'auto')
      const [{ by, matched, repeats }] = joins as [CandidateJoin]
      return JSON.stringify({ by, matched, repeats })
    })
    return JSON.parse(text)
  }
}
