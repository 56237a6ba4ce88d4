// Cached arrays with the pairs and numbers of all joined rows. With them, rows are filtered, ordered, classified and
// summed in memory, without further queries.
import type { Connection } from '../dialect/dialect.ts'
import { type ComparisonCache, combineVersions, type RowColumns } from './comparison-cache.ts'
import { type CandidateJoin, countChanges, type Join, joinSides, type PairIndex } from './joins.ts'
import { CHANGE, changeOf, differenceOf } from './row-classes.ts'
import { SideColumns } from './side-columns.ts'
import type { Side, Sides } from './sides.ts'

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
    const join = await joinSides(new SideColumns(connection, cache), sides, requestedKey)
    return new JoinedColumns(connection, sides, join, cache)
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
  pairIndex(candidate: number): PairIndex {
    return (this.join.joins[candidate] as CandidateJoin).pairs
  }

  /**
   * Whether most rows that are joined by id are different rows of a test set, so that no conclusion is possible. The candidate is
   * counted from 0.
   */
  async hasDifferentRows(candidate: number): Promise<boolean> {
    const { by, matched } = this.join.joins[candidate] as CandidateJoin
    // Under another join key, differing inputs do not mean that other rows ran.
    if (by !== 'id') return false
    const version = combineVersions([this.baseline, this.sides[candidate + 1] as Side])
    const { counts } = await this.cache.columns.getOrCreate(`different inputs ${version}`, async () => ({
      counts: Int32Array.of(await this.#countDifferentInputs(candidate)),
    }))
    return 2 * (counts[0] as number) > matched
  }

  async #countDifferentInputs(candidate: number): Promise<number> {
    const { candidatePositions } = this.pairIndex(candidate)
    const isMoved = candidatePositions.some((position, row) => position >= 0 && position !== row)
    if (isMoved)
      return (await countChanges(this.connection, this.join.joins[candidate] as CandidateJoin)).inputs_differ
    // Reading both evaluations in order is five times as fast as joining them by id.
    const positions = await this.connection.readNumbers(
      `SELECT a.position FROM measure AS a CROSS JOIN measure AS b
       WHERE a.evaluation = ? AND ${this.connection.sql.cancelable('a.position')} AND b.evaluation = ?
         AND b.position = a.position AND b.input_text_hash <> a.input_text_hash`,
      this.baseline.key,
      (this.sides[candidate + 1] as Side).key,
    )
    return positions.filter((position) => candidatePositions[position] === position).length
  }

  /** The score differences of the pairs with a candidate, counted from 0. */
  async changes(candidate: number, evaluator: string | undefined): Promise<RowChanges> {
    const version = combineVersions([this.baseline, this.sides[candidate + 1] as Side])
    const name = `changes ${version} ${this.join.by} ${JSON.stringify(evaluator)}`
    return this.cache.columns.getOrCreate(name, () => this.#computeChanges(candidate, evaluator))
  }

  async #computeChanges(candidate: number, evaluator = ''): Promise<RowChanges> {
    const { candidatePositions } = this.pairIndex(candidate)
    const deltas = new Float64Array(candidatePositions.length).fill(Number.NaN)
    const changes = new Uint8Array(candidatePositions.length).fill(CHANGE.incomparable)
    const baseline = await this.rowScores(this.baseline, evaluator)
    const scores = await this.rowScores(this.sides[candidate + 1] as Side, evaluator)
    if (!baseline || !scores) return { deltas, changes }
    for (let row = 0; row < deltas.length; row += 1) {
      const position = candidatePositions[row] as number
      if (position < 0) continue
      const change = changeOf(baseline, row, scores, position)
      changes[row] = change
      if (change !== CHANGE.incomparable) deltas[row] = differenceOf(baseline, row, scores, position)
    }
    return { deltas, changes }
  }

  /** Caches columns about the first candidate. The name must identify the computation completely. */
  cached<Result extends RowColumns>(name: string, compute: () => Promise<Result>): Promise<Result> {
    const version = combineVersions([this.baseline, this.first])
    return this.cache.columns.getOrCreate(`${name} ${version} ${this.join.by}`, compute)
  }
}

/** By baseline position. */
export interface RowChanges extends RowColumns {
  /** The score differences. NaN for rows that cannot be compared. Differences can overflow to infinity. */
  deltas: Float64Array
  /** Values of CHANGE. */
  changes: Uint8Array
}
