// Cached arrays with the pairs and numbers of all joined rows. With them, rows are filtered, ordered, classified and
// summed in memory, without further queries.
import type { Connection } from '../dialect/dialect.ts'
import {
  type ComparisonCache,
  combineVersions,
  type JoinedVersion,
  type RowColumns,
} from './comparison-cache.ts'
import { hasUnusedPositions } from './join-keys.ts'
import { type CandidateJoin, countChanges, type Join } from './joins.ts'
import { CHANGE, changeOf, differenceOf } from './row-classes.ts'
import { readPackedPairs, readRowNumbers } from './rows/packed-pairs.ts'
import { type Rows, UNUSED_POSITION } from './rows/rows.ts'
import { SideColumns } from './side-columns.ts'
import type { Side, Sides } from './sides.ts'

/** Stands for a missing row. */
export const NO_ROW = -1

/**
 * Joined rows are numbered: baseline rows by the position of their first scenario, then unpaired candidate rows. The row number is also
 * the default order.
 */
export interface PairIndex extends RowColumns {
  /** By baseline position: the first position of the paired candidate row, NO_ROW or UNUSED_POSITION. */
  candidatePositions: Int32Array
  /** By candidate position: the row number, or UNUSED_POSITION. */
  rowNumbers: Int32Array
}

export class JoinedColumns extends SideColumns {
  readonly sides: Sides
  readonly join: Join
  readonly #rowNumbers = new Map<number, Promise<Float64Array>>()

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
    const columns = new SideColumns(connection, cache)
    const joined: JoinedVersion[] = []
    for (const side of sides) joined.push({ ...side, rowCount: (await columns.rows(side)).count })
    return new JoinedColumns(connection, sides, await cache.join(connection, joined, requestedKey), cache)
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
    const side = this.sides[candidate + 1] as Side
    const candidateJoin = this.join.joins[candidate] as CandidateJoin
    const version = combineVersions([this.baseline, side])
    return this.cache.columns.getOrCreate(`pairs ${version} ${candidateJoin.by}`, async () =>
      fillPairIndex(
        await readPackedPairs(this.connection, candidateJoin, ({ key }) => this.#rowNumbersOf(key)),
        candidateJoin,
        await mapRows(this.connection, this.baseline, await this.rows(this.baseline), () => NO_ROW),
        await mapRows(this.connection, side, await this.rows(side), (position) => {
          return this.baseline.positionCount + position
        }),
      ),
    )
  }

  /** Not in the cache, because they can change without a new version of the evaluation. */
  #rowNumbersOf(key: number): Promise<Float64Array> {
    const rowNumbers = this.#rowNumbers.get(key) ?? readRowNumbers(this.connection, key)
    this.#rowNumbers.set(key, rowNumbers)
    return rowNumbers
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
    const { candidatePositions } = await this.pairIndex(candidate)
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
    const { candidatePositions } = await this.pairIndex(candidate)
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

function fillPairIndex(
  packed: Float64Array,
  { candidate }: CandidateJoin,
  candidatePositions: Int32Array,
  rowNumbers: Int32Array,
): PairIndex {
  for (const pair of packed) {
    const position = pair % candidate.positionCount
    const baselinePosition = (pair - position) / candidate.positionCount
    candidatePositions[baselinePosition] = position
    rowNumbers[position] = baselinePosition
  }
  return { candidatePositions, rowNumbers }
}

/** A number for each row, by the position of its first scenario. All other positions are marked as unused. */
async function mapRows(
  connection: Connection,
  side: Side,
  { firstPositions }: Rows,
  toNumber: (position: number) => number,
): Promise<Int32Array> {
  const { key, positionCount } = side
  if (firstPositions)
    return firstPositions.map((first, position) =>
      first === position ? toNumber(position) : UNUSED_POSITION,
    )
  const numbers = new Int32Array(positionCount).fill(UNUSED_POSITION)
  if (!hasUnusedPositions(side)) {
    // Several times as fast as Int32Array.from.
    for (let position = 0; position < positionCount; position += 1) numbers[position] = toNumber(position)
    return numbers
  }
  const positions = await connection.readNumbers('SELECT position FROM measure WHERE evaluation = ?', key)
  for (const position of positions) numbers[position] = toNumber(position)
  return numbers
}
