// What joined rows have beside each other, column by column, over all rows of the evaluations: their places, and their
// scores. Rows are picked, ordered and classed over it without asking the database again.
import type { Side, Sides } from './compared-sides.ts'
import type { Connection } from './dialect/dialect.ts'
import type { Join, Joined } from './joins.ts'
import { type Columns, type KeptComparisons, versionOf } from './kept-comparisons.ts'

/** There is no such row. */
export const NOWHERE = -1

/**
 * Joined rows are numbered: those of the base by their positions, and behind them those of a candidate by theirs. So the
 * place of a row is also what it is ordered by where nothing else is asked for.
 */
export interface Places extends Columns {
  /** Of each row of the base, the position of its partner; or NOWHERE. */
  partners: Int32Array
  /** Of each row of the candidate, its place: that of its partner, or one behind the base. */
  places: Int32Array
}

/** Of each row of an evaluation. */
export interface RowScores extends Columns {
  /** NaN where it has no score. */
  numbers: Float64Array
  /** 1 where the score is a verdict. */
  verdicts: Uint8Array
}

export class JoinedColumns {
  readonly connection: Connection
  readonly sides: Sides
  readonly join: Join
  readonly #kept: KeptComparisons

  constructor(connection: Connection, sides: Sides, join: Join, kept: KeptComparisons) {
    this.connection = connection
    this.sides = sides
    this.join = join
    this.#kept = kept
  }

  get base(): Side {
    return this.sides[0]
  }

  /** The first candidate, which classes, filters and orders are about. */
  get first(): Side {
    return this.sides[1] as Side
  }

  /** How many places there are; those of candidates with a partner are of no row. */
  get size(): number {
    return this.base.count + this.first.count
  }

  /** Of a candidate, counted from 0. */
  places(candidate: number): Promise<Places> {
    const joined = this.join.joined[candidate] as Joined
    const version = versionOf([this.base, this.sides[candidate + 1] as Side])
    return this.#kept.columns.get(`places ${version} ${joined.by}`, () => readPlaces(this.connection, joined))
  }

  /** Undefined where that evaluation has no such evaluator. */
  async scores(side: Side, evaluator: string): Promise<RowScores | undefined> {
    const ordinal = side.ordinals.get(evaluator)
    if (ordinal === undefined) return undefined
    const name = `scores ${versionOf([side])} ${ordinal}`
    return this.#kept.columns.get(name, () => readScores(this.connection, side, ordinal))
  }

  /** What was found out for the first candidate under a name that says all there is to it. */
  kept<Found extends Columns>(name: string, find: () => Promise<Found>): Promise<Found> {
    const version = versionOf([this.base, this.first])
    return this.#kept.columns.get(`${name} ${version} ${this.join.by}`, find)
  }
}

async function readPlaces(connection: Connection, joined: Joined): Promise<Places> {
  const { base, candidate, pairs } = joined
  const partners = new Int32Array(base.count).fill(NOWHERE)
  const places = Int32Array.from({ length: candidate.count }, (_, position) => base.count + position)
  // Two positions in one number: reading them takes longer than finding them.
  const found = await connection.numbers(
    `SELECT base_position * ? + position FROM (${pairs.statement}) AS pair`,
    candidate.count,
    ...pairs.values,
  )
  for (const pair of found) {
    const position = pair % candidate.count
    const place = (pair - position) / candidate.count
    partners[place] = position
    places[position] = place
  }
  return { partners, places }
}

async function readScores(
  connection: Connection,
  { key, count }: Side,
  evaluator: number,
): Promise<RowScores> {
  const rows = `FROM result WHERE evaluation = ? AND evaluator = ? AND is_error = 0 AND number IS NOT NULL
    ORDER BY position`
  const found = await connection.numbers(`SELECT number ${rows}`, key, evaluator)
  const kinds = await connection.numbers(`SELECT position * 2 + is_verdict ${rows}`, key, evaluator)
  const scores = { numbers: new Float64Array(count).fill(Number.NaN), verdicts: new Uint8Array(count) }
  for (const [at, kind] of kinds.entries()) {
    const position = Math.floor(kind / 2)
    scores.numbers[position] = found[at] as number
    scores.verdicts[position] = kind % 2
  }
  return scores
}
