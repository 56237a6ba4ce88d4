// Score statistics of evaluations, cached by version.
import type { EvaluatorScores, Scores } from '../../schema/scores.ts'
import type { LruCache } from '../cache/lru-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import { inList, inLists } from '../reads/in-list.ts'
import { findQuantile } from '../statistics/distributions.ts'
import { roundRate } from '../statistics/rounding.ts'
import { computeTotals } from '../statistics/sums.ts'
import { DEFAULT_EVALUATOR, type DeclaredEvaluator, parseDeclaredEvaluators } from './evaluators.ts'

/** SQL condition: a row of `result` is a score. Results of failed evaluators are not scores. */
const IS_SCORE = 'is_error = 0 AND number IS NOT NULL'
const IS_VERDICT = `${IS_SCORE} AND is_verdict = 1`

/** Statements for several evaluations. `keys` is an IN list of their keys. */
const READ_EVALUATIONS = (keys: string) =>
  `SELECT key, scenario_count, evaluators FROM evaluation WHERE key IN (${keys}) ORDER BY key`
const READ_COLUMNS = (keys: string) => `SELECT evaluation, name, ordinal AS evaluator FROM evaluation_column
  WHERE evaluation IN (${keys}) AND kind = 'score' ORDER BY evaluation, ordinal`
const READ_MEASURES = (keys: string) => `SELECT evaluation,
    count(*) FILTER (WHERE has_error = 1) AS output_errors, count(cost) AS costs, count(latency) AS latencies
  FROM measure WHERE evaluation IN (${keys}) GROUP BY evaluation ORDER BY evaluation`
const READ_MEASURE_NUMBERS = (column: 'cost' | 'latency') => (keys: string) =>
  `SELECT ${column} FROM measure
  WHERE evaluation IN (${keys}) AND ${column} IS NOT NULL ORDER BY evaluation`
const READ_RESULTS = (keys: string) => `SELECT evaluation, evaluator,
    count(*) FILTER (WHERE ${IS_SCORE}) AS n, count(*) FILTER (WHERE is_error = 1) AS errors,
    count(*) FILTER (WHERE ${IS_VERDICT}) AS verdicts,
    count(*) FILTER (WHERE ${IS_VERDICT} AND number = 1) AS passed
  FROM result WHERE evaluation IN (${keys}) GROUP BY evaluation, evaluator ORDER BY evaluation, evaluator`
/** Verdicts are not read: their counts are known. */
const READ_RESULT_NUMBERS = (keys: string) => `SELECT number FROM result
  WHERE evaluation IN (${keys}) AND ${IS_SCORE} AND is_verdict = 0 ORDER BY evaluation, evaluator`

/** Limits per statement: the numbers of all evaluations are in memory at once. */
const [MAX_EVALUATIONS, MAX_SCENARIOS] = [20, 100_000]

interface EvaluationRow {
  key: number
  scenario_count: number
  evaluators: string | null
}

interface MeasureRow {
  evaluation: number
  output_errors: number
  costs: number
  latencies: number
}

interface ResultRow {
  evaluation: number
  evaluator: number
  n: number
  errors: number
  verdicts: number
  passed: number
}

interface ColumnRow {
  evaluation: number
  name: string
  evaluator: number
}

/** Returns scores by evaluation key. All evaluations must exist. */
export async function readScores(
  connection: Connection,
  evaluations: readonly number[],
): Promise<Map<number, Scores>> {
  const scores = new Map<number, Scores>()
  for (const { placeholders, values } of inLists(evaluations, 1000)) {
    const rows = await connection.all<EvaluationRow>(READ_EVALUATIONS(placeholders), ...values)
    for (const batch of splitBatches(rows))
      for (const [key, evaluationScores] of await readBatch(connection, batch))
        scores.set(key, evaluationScores)
  }
  return scores
}

function splitBatches(rows: EvaluationRow[]): EvaluationRow[][] {
  const batches: EvaluationRow[][] = []
  let scenarioCount = 0
  for (const row of rows) {
    const batch = batches.at(-1)
    scenarioCount += row.scenario_count
    if (batch && batch.length < MAX_EVALUATIONS && scenarioCount <= MAX_SCENARIOS) batch.push(row)
    else {
      batches.push([row])
      scenarioCount = row.scenario_count
    }
  }
  return batches
}

async function readBatch(connection: Connection, evaluations: EvaluationRow[]): Promise<Map<number, Scores>> {
  const { placeholders, values } = inList(evaluations.map(({ key }) => key))
  const read = <Row>(statement: (keys: string) => string) =>
    connection.all<Row>(statement(placeholders), ...values)
  const readNumbers = async (statement: (keys: string) => string) =>
    createSlicer(await connection.readNumbers(statement(placeholders), ...values))
  const [columns, measures, results, costs, latencies, numbers] = await Promise.all([
    read<ColumnRow>(READ_COLUMNS),
    read<MeasureRow>(READ_MEASURES),
    read<ResultRow>(READ_RESULTS),
    readNumbers(READ_MEASURE_NUMBERS('cost')),
    readNumbers(READ_MEASURE_NUMBERS('latency')),
    readNumbers(READ_RESULT_NUMBERS),
  ])
  const columnsByEvaluation = Map.groupBy(columns, ({ evaluation }) => evaluation)
  const measureRows = new Map(measures.map((row) => [row.evaluation, row]))
  const resultRows = new Map(results.map((row) => [`${row.evaluation} ${row.evaluator}`, row]))
  const scores = new Map<number, Scores>()
  for (const { key, evaluators } of evaluations) {
    const measure = measureRows.get(key)
    const declared = parseDeclaredEvaluators(evaluators)
    scores.set(key, {
      output_errors: measure?.output_errors ?? 0,
      cost: toCosts(costs(measure?.costs ?? 0)),
      latency: toLatencies(latencies(measure?.latencies ?? 0)),
      evaluators: (columnsByEvaluation.get(key) ?? []).map(({ name, evaluator }) => {
        const row = resultRows.get(`${key} ${evaluator}`) ?? NO_RESULTS
        const rowNumbers = numbers(row.n - row.verdicts)
        return toEvaluatorScores(name, declared.get(name) ?? DEFAULT_EVALUATOR, row, rowNumbers)
      }),
    })
  }
  return scores
}

/** Returns the next numbers, in the order in which the statement returned them. */
function createSlicer(numbers: Float64Array): (count: number) => Float64Array {
  let position = 0
  return (count) => {
    position += count
    return numbers.subarray(position - count, position)
  }
}

const NO_RESULTS = { n: 0, errors: 0, verdicts: 0, passed: 0 }

function toCosts(costs: Float64Array): Scores['cost'] {
  return { n: costs.length, ...computeTotals(costs.sort()) }
}

function toLatencies(latencies: Float64Array): Scores['latency'] {
  const sorted = latencies.sort()
  return { n: sorted.length, mean: computeTotals(sorted).mean, p50: findQuantile(sorted, 0.5) }
}

/** `numbers` are the scores that are not verdicts. */
function toEvaluatorScores(
  name: string,
  { higher_is_better, threshold }: DeclaredEvaluator,
  { n, errors, verdicts, passed }: Omit<ResultRow, 'evaluation' | 'evaluator'>,
  numbers: Float64Array,
): EvaluatorScores {
  // The order of the numbers must be that of a summary, because the last digits of a sum depend on it.
  const scores = new Float64Array(n).fill(1, n - passed)
  scores.set(numbers)
  const { mean } = computeTotals(scores.sort())
  const passes = (number: number) =>
    threshold !== null && (higher_is_better ? number >= threshold : number <= threshold)
  const passedCount = numbers.reduce((count, number) => count + Number(passes(number)), passed)
  const pass_rate = roundRate(passedCount, threshold === null ? verdicts : n)
  return { name, higher_is_better, n, errors, mean, pass_rate }
}

/** Scores as JSON text by key, computed once for each version. The versions must be those that the connection reads. */
export async function readScoreTexts(
  cache: LruCache<string>,
  connection: Connection,
  evaluations: readonly { key: number; version: string }[],
): Promise<Map<number, string>> {
  const texts = new Map<number, string>()
  const cacheKey = (key: number, version: string) => `scores ${key} ${version}`
  for (const { key, version } of evaluations) {
    const cached = cache.get(cacheKey(key, version))
    if (cached !== undefined) texts.set(key, cached)
  }
  const uncachedEvaluations = evaluations.filter(({ key }) => !texts.has(key))
  const scores = await readScores(
    connection,
    uncachedEvaluations.map(({ key }) => key),
  )
  for (const { key, version } of uncachedEvaluations) {
    const text = JSON.stringify(scores.get(key))
    texts.set(key, text)
    cache.set(cacheKey(key, version), text)
  }
  return texts
}
