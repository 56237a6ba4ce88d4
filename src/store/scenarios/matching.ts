// Matches the scenarios of two evaluations: by the id that a client gave to both, then by inputs.
import type { Connection } from '../dialect/dialect.ts'
import { hasGivenId } from './generated-ids.ts'

/** A scenario of the new evaluation and the one of the old evaluation that it matches, by position. */
export interface Match {
  position: number
  oldPosition: number
}

/**
 * Scenarios with equal inputs match in their order: the first with the first. Values: the new key, both keys, and a number
 * that is larger than all old positions. Only sorts and groups, because the engine has no statistics of rows that were just
 * written, and can choose a slow plan for a join.
 */
export const MATCH_SCENARIOS = `WITH candidate AS (
    SELECT CASE WHEN scenario.evaluation = ? THEN 1 ELSE 0 END AS is_new, scenario.position AS position, input_hash,
      CASE WHEN ${hasGivenId('scenario')} THEN scenario.id END AS given_id
    FROM scenario
    JOIN measure ON measure.evaluation = scenario.evaluation AND measure.position = scenario.position
    WHERE scenario.evaluation IN (?, ?)
  ), identified AS (
    SELECT is_new, position, input_hash,
      CASE WHEN given_id IS NOT NULL AND count(*) OVER (PARTITION BY given_id) = 2 THEN given_id END AS shared_id
    FROM candidate
  ), numbered AS (
    SELECT is_new, position, input_hash,
      row_number() OVER (PARTITION BY input_hash, is_new ORDER BY position) AS number
    FROM identified WHERE shared_id IS NULL AND input_hash IS NOT NULL
  ), pair AS (
    SELECT max(CASE WHEN is_new = 1 THEN position END) AS position,
      max(CASE WHEN is_new = 0 THEN position END) AS old_position
    FROM identified WHERE shared_id IS NOT NULL GROUP BY shared_id
    UNION ALL
    SELECT max(CASE WHEN is_new = 1 THEN position END), max(CASE WHEN is_new = 0 THEN position END)
    FROM numbered GROUP BY input_hash, number
  )
  SELECT position * ? + old_position AS pair FROM pair
  WHERE position IS NOT NULL AND old_position IS NOT NULL ORDER BY position`

/** All matches, in the order of the new evaluation. */
export class Matches {
  readonly #pairs: Float64Array
  readonly #oldNextPosition: number

  private constructor(pairs: Float64Array, oldNextPosition: number) {
    this.#pairs = pairs
    this.#oldNextPosition = oldNextPosition
  }

  static async find(
    connection: Connection,
    key: number,
    old: { key: number; nextPosition: number },
  ): Promise<Matches> {
    const { nextPosition } = old
    const pairs = await connection.readNumbers(MATCH_SCENARIOS, key, key, old.key, nextPosition)
    return new Matches(pairs, nextPosition)
  }

  get count(): number {
    return this.#pairs.length
  }

  /** Lists of up to `size` matches. */
  *batches(size: number): Generator<Match[]> {
    for (let start = 0; start < this.#pairs.length; start += size)
      yield Array.from(this.#pairs.subarray(start, start + size), (pair) => this.#decode(pair))
  }

  /** Whether the matched scenarios have the same order in both evaluations. */
  get isInOrder(): boolean {
    let last = -1
    for (const pair of this.#pairs) {
      const { oldPosition } = this.#decode(pair)
      if (oldPosition < last) return false
      last = oldPosition
    }
    return true
  }

  #decode(pair: number): Match {
    const oldPosition = pair % this.#oldNextPosition
    return { position: (pair - oldPosition) / this.#oldNextPosition, oldPosition }
  }
}
