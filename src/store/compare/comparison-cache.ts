// Caches for comparisons: joins, row columns and whole responses. Cache keys contain the versions of the evaluations,
// so entries never become stale.
import { LruCache, sizeOfText } from '../cache/lru-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import type { JoinedEvaluation } from './join-keys.ts'
import { type Join, joinEvaluations, type Pairing, restoreJoin } from './joins.ts'

/** Arrays with one number per row. */
export type RowColumns = Record<string, Float64Array | Int32Array | Uint8Array>

/** A join takes about 300 characters, a comparison a few thousand. */
const MAX_TEXT_CHARACTERS = 4 * 1024 * 1024
/** Two evaluations of 100,000 rows take about 5 MB. */
const MAX_COLUMN_BYTES = 64 * 1024 * 1024

/** An evaluation to join, with the version that its rows have. */
export type JoinedVersion = JoinedEvaluation & EvaluationVersion

type CachedJoin = Pick<Join, 'by' | 'tried'> & { pairings: Pairing[] }

export class ComparisonCache {
  readonly #texts = new LruCache(MAX_TEXT_CHARACTERS, sizeOfText)
  readonly columns = new LruCache<RowColumns>(MAX_COLUMN_BYTES, sumByteLengths)

  /** The JSON text of a comparison. `query` identifies the join key and the rules of the gate. */
  response(sides: EvaluationVersion[], query: string, create: () => Promise<string>): Promise<string> {
    return this.#texts.getOrCreate(`response ${combineVersions(sides)} ${query}`, create)
  }

  /** The JSON text of the scores of a candidate with statistics relative to its baseline, and why this one was chosen. */
  scores(
    versions: EvaluationVersion[],
    chosen: string | null,
    create: () => Promise<string>,
  ): Promise<string> {
    return this.#texts.getOrCreate(`scores ${combineVersions(versions)} ${chosen}`, create)
  }

  /** Throws like joinEvaluations. */
  async join(connection: Connection, sides: JoinedVersion[], requestedKey: string): Promise<Join> {
    const [baseline, ...candidates] = sides as [JoinedVersion, ...JoinedVersion[]]
    const key = `join ${combineVersions(sides)} ${requestedKey}`
    let created: Join | undefined
    const text = await this.#texts.getOrCreate(key, async () => {
      created = await joinEvaluations(connection, baseline, candidates, requestedKey)
      const { by, tried, joins } = created
      const pairings = joins.map(({ by, matched, repeatedKeys, changes }) => ({
        by,
        matched,
        repeatedKeys,
        changes,
      }))
      return JSON.stringify({ by, tried, pairings } satisfies CachedJoin)
    })
    if (created) return created
    const { by, tried, pairings }: CachedJoin = JSON.parse(text)
    const joins: Join['joins'] = []
    for (const [index, candidate] of candidates.entries())
      joins.push(await restoreJoin(connection, baseline, candidate, pairings[index] as Pairing))
    return { by, tried, joins }
  }
}

export interface EvaluationVersion {
  key: number
  version: string
}

/** Changes whenever any of the evaluations changes. */
export function combineVersions(sides: EvaluationVersion[]): string {
  return sides.map(({ key, version }) => `${key}:${version}`).join('.')
}

function sumByteLengths(columns: RowColumns): number {
  return Object.values(columns).reduce((sum, { byteLength }) => sum + byteLength, 0)
}
