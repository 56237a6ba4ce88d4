// Caches for comparisons: columns of rows, and whole responses. Cache keys contain the versions of the evaluations,
// so entries never become stale.
import { LruCache, sizeOfText } from '../cache/lru-cache.ts'

/** Arrays with one number per row. */
export type RowColumns = Record<string, Float64Array | Int32Array | Uint8Array>

/** A comparison takes a few thousand characters. */
const MAX_TEXT_CHARACTERS = 4 * 1024 * 1024
/** Two evaluations of 100,000 rows take about 5 MB. */
const MAX_COLUMN_BYTES = 64 * 1024 * 1024

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
