// Counts the scores of an evaluation from its derived rows: for evaluations that were written before scores were stored.
import type { Connection } from '../dialect/dialect.ts'
import { parseDeclaredEvaluators } from '../evaluations/evaluators.ts'
import { type ResultCounts, ScoreStatistics } from './score-statistics.ts'

/** SQL condition: a row of `result` is a score. Results of failed evaluators are not scores. */
const IS_SCORE = 'is_error = 0 AND number IS NOT NULL'
const IS_VERDICT = `${IS_SCORE} AND is_verdict = 1`
const IS_NUMBER = `${IS_SCORE} AND is_verdict = 0`

const READ_EVALUATION = 'SELECT evaluators, next_position FROM evaluation WHERE key = ?'
const READ_EVALUATORS = `SELECT name, ordinal FROM evaluation_column
  WHERE evaluation = ? AND kind = 'score' ORDER BY ordinal`

const IN_RANGE = 'evaluation = ? AND position >= ? AND position < ?'
const COUNT_OUTPUT_ERRORS = `SELECT count(*) AS count FROM measure WHERE ${IN_RANGE} AND has_error = 1`
const READ_AMOUNTS = (column: 'cost' | 'latency') =>
  `SELECT ${column} FROM measure WHERE ${IN_RANGE} AND ${column} IS NOT NULL`

const RESULTS_IN_RANGE =
  'FROM result WHERE evaluation = ? AND evaluator = ? AND position >= ? AND position < ?'
const COUNT_RESULTS = `SELECT count(*) AS results,
    count(*) FILTER (WHERE ${IS_SCORE}) AS n, count(*) FILTER (WHERE is_error = 1) AS errors,
    count(*) FILTER (WHERE ${IS_VERDICT}) AS verdicts,
    count(*) FILTER (WHERE ${IS_VERDICT} AND number = 1) AS passed
  ${RESULTS_IN_RANGE}`
const READ_NUMBERS = `SELECT number ${RESULTS_IN_RANGE} AND ${IS_NUMBER}`
const COUNT_PASSED_NUMBERS = (comparison: '>=' | '<=') =>
  `SELECT count(*) AS count ${RESULTS_IN_RANGE} AND ${IS_NUMBER} AND number ${comparison} ?`

/** Positions per statement, to bound its duration and the numbers in memory. */
const RANGE_SIZE = 100_000

function* splitRanges(positionCount: number): Generator<[start: number, end: number]> {
  for (let start = 0; start < positionCount; start += RANGE_SIZE) yield [start, start + RANGE_SIZE]
}

/** Reads all derived rows of an evaluation. */
export async function recountScores(connection: Connection, evaluation: number): Promise<ScoreStatistics> {
  const { evaluators, next_position } = await readEvaluation(connection, evaluation)
  const statistics = new ScoreStatistics(parseDeclaredEvaluators(evaluators))
  const columns = await connection.all<{ name: string; ordinal: number }>(READ_EVALUATORS, evaluation)
  for (const [start, end] of splitRanges(next_position)) {
    const errors = await connection.get<{ count: number }>(COUNT_OUTPUT_ERRORS, evaluation, start, end)
    statistics.addOutputErrors(errors?.count ?? 0)
    statistics.addCosts(await connection.readNumbers(READ_AMOUNTS('cost'), evaluation, start, end))
    statistics.addLatencies(await connection.readNumbers(READ_AMOUNTS('latency'), evaluation, start, end))
    for (const { name, ordinal } of columns) {
      const range = [evaluation, ordinal, start, end]
      const counts = (await connection.get<ResultCounts>(COUNT_RESULTS, ...range)) as ResultCounts
      const numbers = counts.n > counts.verdicts ? await connection.readNumbers(READ_NUMBERS, ...range) : []
      statistics.addResults(name, counts, numbers)
    }
  }
  statistics.orderEvaluators(columns.map(({ name }) => name))
  return statistics
}

/** The number of scores of one evaluator, other than verdicts, that reach the threshold. */
export async function countPassedNumbers(
  connection: Connection,
  evaluation: number,
  evaluator: string,
  { threshold, higher_is_better }: { threshold: number | null; higher_is_better: boolean },
): Promise<number> {
  if (threshold === null) return 0
  const { next_position } = await readEvaluation(connection, evaluation)
  const columns = await connection.all<{ name: string; ordinal: number }>(READ_EVALUATORS, evaluation)
  const ordinal = columns.find(({ name }) => name === evaluator)?.ordinal ?? null
  const statement = COUNT_PASSED_NUMBERS(higher_is_better ? '>=' : '<=')
  let count = 0
  for (const range of splitRanges(next_position)) {
    const row = await connection.get<{ count: number }>(statement, evaluation, ordinal, ...range, threshold)
    count += row?.count ?? 0
  }
  return count
}

/** The latencies of all scenarios. */
export function readLatencies(connection: Connection, evaluation: number): Promise<Float64Array> {
  return connection.readNumbers(READ_AMOUNTS('latency'), evaluation, 0, Number.MAX_SAFE_INTEGER)
}

interface EvaluationRow {
  evaluators: string | null
  next_position: number
}

async function readEvaluation(connection: Connection, evaluation: number): Promise<EvaluationRow> {
  const row = await connection.get<EvaluationRow>(READ_EVALUATION, evaluation)
  return row ?? { evaluators: null, next_position: 0 }
}
