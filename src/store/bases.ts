// The evaluation that another is compared with, row by row: which rows belong together, and how their scores differ.
import { storable } from '../json/storable.ts'
import type { Connection } from './dialect/dialect.ts'
import { type Fragment, ordinalOf } from './filters.ts'
import { type Joined, type JoinedEvaluation, joinAgain, type Pairing } from './joins.ts'
import { COMPARABLE } from './paired-sums.ts'
import { roomFor } from './rooms.ts'
import { getScenarioColumns } from './scenarios.ts'

/** How a row differs from the one it is paired with. */
export interface RowDelta {
  evaluator: string
  base: number | null
  delta: number | null
}

export interface PairedRow {
  id: string
  position: number
  deltas: RowDelta[]
}

export class Base {
  readonly id: string
  readonly joined: Joined
  readonly #connection: Connection
  /** Names, in the order of their ordinals. */
  readonly #evaluators: { base: string[]; own: string[] }

  private constructor(
    connection: Connection,
    id: string,
    joined: Joined,
    evaluators: { base: string[]; own: string[] },
  ) {
    this.#connection = connection
    this.id = id
    this.joined = joined
    this.#evaluators = evaluators
  }

  static async open(
    connection: Connection,
    base: JoinedEvaluation & { id: string },
    evaluation: JoinedEvaluation,
    pairing: Pairing,
  ): Promise<Base> {
    const joined = await joinAgain(connection, base, evaluation, pairing)
    const { score: theirs } = await getScenarioColumns(connection, base.key)
    const { score: own } = await getScenarioColumns(connection, evaluation.key)
    return new Base(connection, base.id, joined, { base: theirs, own })
  }

  /** `position` and `delta` of every row that has a score of the same kind on both sides. Throws invalid-request. */
  deltas(evaluator: string): Fragment {
    const { statement, values } = this.joined.pairs
    const own = ordinalOf(this.#evaluators.own, evaluator, 'evaluator')
    const theirs = this.#evaluators.base.indexOf(storable(evaluator))
    return {
      sql: `SELECT pair.position AS position, ${DELTA} AS delta
        FROM (${statement}) AS pair CROSS JOIN result AS a CROSS JOIN result AS b
        WHERE a.evaluation = ? AND a.evaluator = ? AND a.position = pair.base_position
          AND b.evaluation = ? AND b.evaluator = ? AND b.position = pair.position AND ${COMPARABLE}`,
      values: [...values, this.joined.base.key, theirs, this.joined.candidate.key, own],
    }
  }

  /** What the rows at these positions are paired with; undefined where there is none. */
  async rows(positions: number[]): Promise<Map<number, PairedRow>> {
    const pairs = await this.#pairs(positions)
    const own = await this.#scores(this.joined.candidate.key, this.#evaluators.own, positions)
    const base = await this.#scores(
      this.joined.base.key,
      this.#evaluators.base,
      pairs.map(({ base_position }) => base_position),
    )
    return new Map(
      pairs.map(({ position, base_position, id }) => {
        const deltas = this.#evaluators.own.map((evaluator) =>
          rowDelta(evaluator, base(base_position, evaluator), own(position, evaluator)),
        )
        return [position, { id, position: base_position, deltas }]
      }),
    )
  }

  #pairs(positions: number[]) {
    const { statement, values } = this.joined.pairsAt(positions)
    return this.#connection.all<{ position: number; base_position: number; id: string }>(
      `SELECT pair.position AS position, pair.base_position AS base_position, scenario.id AS id
       FROM (${statement}) AS pair
       CROSS JOIN scenario WHERE scenario.evaluation = ? AND scenario.position = pair.base_position`,
      ...values,
      this.joined.base.key,
    )
  }

  async #scores(evaluation: number, evaluators: string[], positions: number[]) {
    if (evaluators.length === 0) return () => undefined
    const chosen = roomFor(positions)
    // Named one by one: over a range of them every position would be looked at.
    const rows = await this.#connection.all<Score & { position: number; evaluator: number }>(
      `SELECT position, evaluator, number, is_verdict FROM result
       WHERE evaluation = ? AND evaluator IN (${[...evaluators.keys()].join(', ')}) AND position IN (${chosen.marks})
         AND is_error = 0 AND number IS NOT NULL`,
      evaluation,
      ...chosen.values,
    )
    const scores = new Map(rows.map((row) => [`${row.position} ${evaluators[row.evaluator]}`, row]))
    return (position: number, evaluator: string): Score | undefined => scores.get(`${position} ${evaluator}`)
  }
}

interface Score {
  number: number
  is_verdict: number
}

/** Beyond it a difference may be more than a double can hold: such rows have none. */
const LARGEST = 8e307

const DELTA = `CASE WHEN abs(a.number) < ${LARGEST} AND abs(b.number) < ${LARGEST}
  THEN b.number - a.number END`

function rowDelta(evaluator: string, base: Score | undefined, own: Score | undefined): RowDelta {
  const isSameKind = base !== undefined && base.is_verdict === own?.is_verdict
  const isSmall = [base, own].every((score) => Math.abs(score?.number ?? 0) < LARGEST)
  const delta = isSameKind && isSmall && own ? own.number - base.number : null
  return { evaluator, base: base?.number ?? null, delta }
}
