// The baseline of an evaluation: paired rows and their score differences.
import { toStorableText } from '../../json/storable-text.ts'
import type { Connection } from '../dialect/dialect.ts'
import { type BoundSql, getOrdinal } from '../query/filters.ts'
import { inList } from '../reads/in-list.ts'
import { getScenarioColumns } from '../scenarios/scenarios.ts'
import { type CandidateJoin, type JoinedEvaluation, type Pairing, restoreJoin } from './joins.ts'
import { COMPARABLE } from './paired-sums.ts'

/** The score difference between a row and its paired baseline row. */
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

export class Baseline {
  readonly id: string
  readonly join: CandidateJoin
  readonly #connection: Connection
  /** Evaluator names, indexed by ordinal. */
  readonly #evaluators: { baseline: string[]; candidate: string[] }

  private constructor(
    connection: Connection,
    id: string,
    join: CandidateJoin,
    evaluators: { baseline: string[]; candidate: string[] },
  ) {
    this.#connection = connection
    this.id = id
    this.join = join
    this.#evaluators = evaluators
  }

  static async open(
    connection: Connection,
    baseline: JoinedEvaluation & { id: string },
    evaluation: JoinedEvaluation,
    pairing: Pairing,
  ): Promise<Baseline> {
    const join = await restoreJoin(connection, baseline, evaluation, pairing)
    const { score: baselineEvaluators } = await getScenarioColumns(connection, baseline.key)
    const { score: candidateEvaluators } = await getScenarioColumns(connection, evaluation.key)
    return new Baseline(connection, baseline.id, join, {
      baseline: baselineEvaluators,
      candidate: candidateEvaluators,
    })
  }

  /** Selects `position` and `delta` of every pair with comparable scores. Throws invalid-request for an unknown name. */
  selectDeltas(evaluator: string): BoundSql {
    const { statement, values } = this.join.pairs
    const candidateOrdinal = getOrdinal(this.#evaluators.candidate, evaluator, 'evaluator')
    const baselineOrdinal = this.#evaluators.baseline.indexOf(toStorableText(evaluator))
    return {
      sql: `SELECT pair.position AS position, ${DELTA} AS delta
        FROM (${statement}) AS pair CROSS JOIN result AS a CROSS JOIN result AS b
        WHERE a.evaluation = ? AND a.evaluator = ? AND a.position = pair.base_position
          AND b.evaluation = ? AND b.evaluator = ? AND b.position = pair.position AND ${COMPARABLE}`,
      values: [...values, this.join.baseline.key, baselineOrdinal, this.join.candidate.key, candidateOrdinal],
    }
  }

  /** The paired baseline rows, by the position of the row in the evaluation. */
  async readRows(positions: number[]): Promise<Map<number, PairedRow>> {
    const pairs = await this.#readPairs(positions)
    const candidateScore = await this.#readScores(
      this.join.candidate.key,
      this.#evaluators.candidate,
      positions,
    )
    const baselineScore = await this.#readScores(
      this.join.baseline.key,
      this.#evaluators.baseline,
      pairs.map(({ base_position }) => base_position),
    )
    return new Map(
      pairs.map(({ position, base_position, id }) => {
        const deltas = this.#evaluators.candidate.map((evaluator) =>
          toRowDelta(evaluator, baselineScore(base_position, evaluator), candidateScore(position, evaluator)),
        )
        return [position, { id, position: base_position, deltas }]
      }),
    )
  }

  #readPairs(positions: number[]) {
    const { statement, values } = this.join.pairsAt(positions)
    return this.#connection.all<{ position: number; base_position: number; id: string }>(
      `SELECT pair.position AS position, pair.base_position AS base_position, scenario.id AS id
       FROM (${statement}) AS pair
       CROSS JOIN scenario WHERE scenario.evaluation = ? AND scenario.position = pair.base_position`,
      ...values,
      this.join.baseline.key,
    )
  }

  async #readScores(evaluation: number, evaluators: string[], positions: number[]) {
    if (evaluators.length === 0) return () => undefined
    const list = inList(positions)
    // Evaluators are listed one by one: with a range, the engine would scan every position.
    const rows = await this.#connection.all<Score & { position: number; evaluator: number }>(
      `SELECT position, evaluator, number, is_verdict FROM result
       WHERE evaluation = ? AND evaluator IN (${[...evaluators.keys()].join(', ')}) AND position IN (${list.placeholders})
         AND is_error = 0 AND number IS NOT NULL`,
      evaluation,
      ...list.values,
    )
    const scores = new Map(rows.map((row) => [`${row.position} ${evaluators[row.evaluator]}`, row]))
    return (position: number, evaluator: string): Score | undefined => scores.get(`${position} ${evaluator}`)
  }
}

interface Score {
  number: number
  is_verdict: number
}

/** Differences of larger scores can overflow a double and are null. */
const MAX_SCORE = 8e307

const DELTA = `CASE WHEN abs(a.number) < ${MAX_SCORE} AND abs(b.number) < ${MAX_SCORE}
  THEN b.number - a.number END`

function toRowDelta(evaluator: string, baseline: Score | undefined, candidate: Score | undefined): RowDelta {
  const isSameKind = baseline !== undefined && baseline.is_verdict === candidate?.is_verdict
  const isInRange = [baseline, candidate].every((score) => Math.abs(score?.number ?? 0) < MAX_SCORE)
  const delta = isSameKind && isInRange && candidate ? candidate.number - baseline.number : null
  return { evaluator, base: baseline?.number ?? null, delta }
}
