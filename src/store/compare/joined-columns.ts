// Cached arrays with the pairs and numbers of all joined rows. With them, rows are filtered, ordered, classified and
// summed in memory, without further queries.
import type { Connection } from '../dialect/dialect.ts'
import { type ComparisonCache, combineVersions, type RowColumns } from './comparison-cache.ts'
import { hasUnusedPositions, type JoinedEvaluation } from './join-keys.ts'
import type { CandidateJoin, Join } from './joins.ts'
import { SideColumns } from './side-columns.ts'
import type { Side, Sides } from './sides.ts'

/** Stands for a missing row. */
export const NO_ROW = -1
/** Marks a position that no row has. */
export const UNUSED_POSITION = -2

/**
 * Joined rows are numbered: baseline rows by position, then unpaired candidate rows by position.
 * The row number is also the default order.
 */
export interface PairIndex extends RowColumns {
  /** By baseline position: the position of the paired candidate row, NO_ROW or UNUSED_POSITION. */
  candidatePositions: Int32Array
  /** By candidate position: the row number, or UNUSED_POSITION. */
  rowNumbers: Int32Array
}

export class JoinedColumns extends SideColumns {
  readonly sides: Sides
  readonly join: Join

  private constructor(connection: Connection, sides: Sides, join: Join, cache: ComparisonCache) {
    super(connection, cache)
    this.sides = sides
    this.join = join
  }

  /** Throws invalid-request if the evaluations cannot be joined by the requested key. */
  static async open(
    connection: Connection,
    sides: Sides,
    requestedKey: string,
    cache: ComparisonCache,
  ): Promise<JoinedColumns> {
    return new JoinedColumns(connection, sides, await cache.join(connection, sides, requestedKey), cache)
  }

  get baseline(): Side {
    return this.sides[0]
  }

  /** The first candidate, which classes, filters and orders refer to. */
  get first(): Side {
    return this.sides[1] as Side
  }

  get firstJoin(): CandidateJoin {
    return this.join.joins[0] as CandidateJoin
  }

  /** The upper bound of row numbers; not every number below it is in use. */
  get size(): number {
    return this.baseline.positionCount + this.first.positionCount
  }

  /** The pairs with a candidate, counted from 0. */
  pairIndex(candidate: number): Promise<PairIndex> {
    const candidateJoin = this.join.joins[candidate] as CandidateJoin
    const version = combineVersions([this.baseline, this.sides[candidate + 1] as Side])
    return this.cache.columns.getOrCreate(`pairs ${version} ${candidateJoin.by}`, () =>
      readPairIndex(this.connection, candidateJoin),
    )
  }

  /**
   * The score differences of the pairs with a candidate, counted from 0, by baseline position. NaN for rows that cannot
   * be compared. Differences can overflow to infinity.
   */
  async deltas(candidate: number, evaluator: string | undefined): Promise<Float64Array> {
    const version = combineVersions([this.baseline, this.sides[candidate + 1] as Side])
    const name = `deltas ${version} ${this.join.by} ${JSON.stringify(evaluator)}`
    const { deltas } = await this.cache.columns.getOrCreate(name, async () => ({
      deltas: await this.#computeDeltas(candidate, evaluator),
    }))
    return deltas
  }

  async #computeDeltas(candidate: number, evaluator = ''): Promise<Float64Array> {
    const { candidatePositions } = await this.pairIndex(candidate)
    const deltas = new Float64Array(candidatePositions.length).fill(Number.NaN)
    const baseline = await this.scores(this.baseline, evaluator)
    const scores = await this.scores(this.sides[candidate + 1] as Side, evaluator)
    if (!baseline || !scores) return deltas
    for (let row = 0; row < deltas.length; row += 1) {
      const position = candidatePositions[row] as number
      if (position < 0 || baseline.verdicts[row] !== scores.verdicts[position]) continue
      deltas[row] = (scores.numbers[position] as number) - (baseline.numbers[row] as number)
    }
    return deltas
  }

  /** Caches columns about the first candidate. The name must identify the computation completely. */
  cached<Result extends RowColumns>(name: string, compute: () => Promise<Result>): Promise<Result> {
    const version = combineVersions([this.baseline, this.first])
    return this.cache.columns.getOrCreate(`${name} ${version} ${this.join.by}`, compute)
  }
}

async function readPairIndex(connection: Connection, candidateJoin: CandidateJoin): Promise<PairIndex> {
  const { baseline, candidate, pairs } = candidateJoin
  const candidatePositions = await mapPositions(connection, baseline, () => NO_ROW)
  const rowNumbers = await mapPositions(
    connection,
    candidate,
    (position) => baseline.positionCount + position,
  )
  // Both positions are packed into one number, because transferring rows takes longer than joining them.
  const packed = await connection.readNumbers(
    `SELECT base_position * ? + position FROM (${pairs.sql}) AS pair`,
    candidate.positionCount,
    ...pairs.values,
  )
  for (const pair of packed) {
    const position = pair % candidate.positionCount
    const baselinePosition = (pair - position) / candidate.positionCount
    candidatePositions[baselinePosition] = position
    rowNumbers[position] = baselinePosition
  }
  return { candidatePositions, rowNumbers }
}

/** A number for each row, by position. Unused positions are marked. */
async function mapPositions(
  connection: Connection,
  evaluation: JoinedEvaluation,
  toNumber: (position: number) => number,
): Promise<Int32Array> {
  const { key, positionCount } = evaluation
  if (!hasUnusedPositions(evaluation))
    return Int32Array.from({ length: positionCount }, (_, position) => toNumber(position))
  const numbers = new Int32Array(positionCount).fill(UNUSED_POSITION)
  const positions = await connection.readNumbers('SELECT position FROM measure WHERE evaluation = ?', key)
  for (const position of positions) numbers[position] = toNumber(position)
  return numbers
}
