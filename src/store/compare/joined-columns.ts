// Cached arrays with the pairs and scores of all joined rows. With them, rows are filtered, ordered and classified in
// memory, without further queries.

import type { Connection } from '../dialect/dialect.ts'
import { type ComparisonCache, combineVersions, type RowColumns } from './comparison-cache.ts'
import type { CandidateJoin, Join } from './joins.ts'
import type { Side, Sides } from './sides.ts'

/** Stands for a missing row. */
export const NO_ROW = -1

/**
 * Joined rows are numbered: baseline rows by position, then unpaired candidate rows by baseline count plus position.
 * The row number is also the default order.
 */
export interface PairIndex extends RowColumns {
  /** By baseline position: the position of the paired candidate row, or NO_ROW. */
  candidatePositions: Int32Array
  /** By candidate position: the row number. */
  rowNumbers: Int32Array
}

/** The scores of one evaluator, by position. */
export interface RowScores extends RowColumns {
  /** NaN for rows without a score. */
  numbers: Float64Array
  /** 1 for scores that are verdicts. */
  verdicts: Uint8Array
}

export class JoinedColumns {
  readonly connection: Connection
  readonly sides: Sides
  readonly join: Join
  readonly #cache: ComparisonCache

  constructor(connection: Connection, sides: Sides, join: Join, cache: ComparisonCache) {
    this.connection = connection
    this.sides = sides
    this.join = join
    this.#cache = cache
  }

  get baseline(): Side {
    return this.sides[0]
  }

  /** The first candidate, which classes, filters and orders refer to. */
  get first(): Side {
    return this.sides[1] as Side
  }

  /** The upper bound of row numbers; not every number below it is in use. */
  get size(): number {
    return this.baseline.count + this.first.count
  }

  /** The pairs with a candidate, counted from 0. */
  pairIndex(candidate: number): Promise<PairIndex> {
    const candidateJoin = this.join.joins[candidate] as CandidateJoin
    const version = combineVersions([this.baseline, this.sides[candidate + 1] as Side])
    return this.#cache.columns.getOrCreate(`pairs ${version} ${candidateJoin.by}`, () =>
      readPairIndex(this.connection, candidateJoin),
    )
  }

  /** Undefined if the evaluation does not have the evaluator. */
  async scores(side: Side, evaluator: string): Promise<RowScores | undefined> {
    const ordinal = side.ordinals.get(evaluator)
    if (ordinal === undefined) return undefined
    const name = `scores ${combineVersions([side])} ${ordinal}`
    return this.#cache.columns.getOrCreate(name, () => readScores(this.connection, side, ordinal))
  }

  /** Caches columns about the first candidate. The name must identify the computation completely. */
  cached<Result extends RowColumns>(name: string, compute: () => Promise<Result>): Promise<Result> {
    const version = combineVersions([this.baseline, this.first])
    return this.#cache.columns.getOrCreate(`${name} ${version} ${this.join.by}`, compute)
  }
}

async function readPairIndex(connection: Connection, candidateJoin: CandidateJoin): Promise<PairIndex> {
  const { baseline, candidate, pairs } = candidateJoin
  const candidatePositions = new Int32Array(baseline.count).fill(NO_ROW)
  const rowNumbers = Int32Array.from({ length: candidate.count }, (_, position) => baseline.count + position)
  // Both positions are packed into one number, because transferring rows takes longer than joining them.
  const packed = await connection.readNumbers(
    `SELECT base_position * ? + position FROM (${pairs.statement}) AS pair`,
    candidate.count,
    ...pairs.values,
  )
  for (const pair of packed) {
    const position = pair % candidate.count
    const baselinePosition = (pair - position) / candidate.count
    candidatePositions[baselinePosition] = position
    rowNumbers[position] = baselinePosition
  }
  return { candidatePositions, rowNumbers }
}

async function readScores(
  connection: Connection,
  { key, count }: Side,
  evaluator: number,
): Promise<RowScores> {
  const rows = `FROM result WHERE evaluation = ? AND evaluator = ? AND is_error = 0 AND number IS NOT NULL
    ORDER BY position`
  const numbers = await connection.readNumbers(`SELECT number ${rows}`, key, evaluator)
  const kinds = await connection.readNumbers(`SELECT position * 2 + is_verdict ${rows}`, key, evaluator)
  const scores = { numbers: new Float64Array(count).fill(Number.NaN), verdicts: new Uint8Array(count) }
  for (const [index, kind] of kinds.entries()) {
    const position = Math.floor(kind / 2)
    scores.numbers[position] = numbers[index] as number
    scores.verdicts[position] = kind % 2
  }
  return scores
}
