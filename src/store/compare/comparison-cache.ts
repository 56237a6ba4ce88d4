// Caches for comparisons: joins, row columns and whole responses. Cache keys contain the versions of the evaluations,
// so entries never become stale.
import { LruCache, sizeOfText } from '../cache/lru-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import type { JoinedEvaluation, JoinKey } from './join-keys.ts'
import {
  type CandidateJoin,
  type Join,
  joinCandidate,
  joinEvaluations,
  type Pairing,
  restoreJoin,
} from './joins.ts'

/** Arrays with one number per row. */
export type RowColumns = Record<string, Float64Array | Int32Array | Uint8Array>

/** A join of two evaluations takes about 150 characters, a comparison a few thousand. */
const MAX_TEXT_CHARACTERS = 4 * 1024 * 1024
/** Two evaluations of 100,000 rows take about 5 MB. */
const MAX_COLUMN_BYTES = 64 * 1024 * 1024

/** An evaluation to join, with the version that its rows have. */
export type JoinedVersion = JoinedEvaluation & EvaluationVersion

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

  /** Throws invalid-request if the evaluations cannot be joined by the requested key. */
  join(connection: Connection, sides: JoinedVersion[], requestedKey: string): Promise<Join> {
    const [baseline, ...candidates] = sides as [JoinedVersion, ...JoinedVersion[]]
    return joinEvaluations(candidates, requestedKey, (candidate, by) =>
      this.#joinCandidate(connection, baseline, candidate, by),
    )
  }

  async #joinCandidate(
    connection: Connection,
    baseline: JoinedVersion,
    candidate: JoinedVersion,
    by: JoinKey,
  ): Promise<CandidateJoin> {
    let created: CandidateJoin | undefined
    const key = `join ${combineVersions([baseline, candidate])} ${by}`
    const text = await this.#texts.getOrCreate(key, async () => {
      created = await joinCandidate(connection, baseline, candidate, by)
      const { matched, repeatedKeys } = created
      return JSON.stringify({ by, matched, repeatedKeys } satisfies Pairing)
    })
    return created ?? restoreJoin(connection, baseline, candidate, JSON.parse(text) as Pairing)
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
