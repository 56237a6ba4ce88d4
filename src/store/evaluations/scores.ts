// Score statistics of evaluations, computed by the database and cached by version.
import type { EvaluatorScores, Scores } from '../../schema/scores.ts'
import type { LruCache } from '../cache/lru-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import { roundToZero } from '../statistics/rounding.ts'
import { DEFAULT_EVALUATOR, type DeclaredEvaluator, parseDeclaredEvaluators } from './evaluators.ts'

/** SQL condition: a row of `result` is a score. Results of failed evaluators are not scores. */
const IS_SCORE = 'is_error = 0 AND number IS NOT NULL'
const IS_VERDICT = `${IS_SCORE} AND is_verdict = 1`

/** Larger numbers are divided by SCALE before summing: their sum can overflow, which is an error in PostgreSQL. */
const MAX_UNSCALED_NUMBER = '1e290'
const SCALE = 2 ** 40

/** SQL: separate sums of large and other numbers, because small numbers would underflow when divided. */
const selectSums = (
  column: string,
  where = '',
) => `sum(${column}) FILTER (WHERE abs(${column}) < ${MAX_UNSCALED_NUMBER}${where}) AS ${column}_sum,
    sum(abs(${column})) FILTER (WHERE abs(${column}) < ${MAX_UNSCALED_NUMBER}${where}) AS ${column}_abs_sum,
    sum(${column} / ${SCALE}) FILTER (WHERE abs(${column}) >= ${MAX_UNSCALED_NUMBER}${where}) AS ${column}_large`

const BATCH_SIZE = 20
const IN_BATCH = `IN (${Array(BATCH_SIZE).fill('?').join(', ')})`

const READ_EVALUATORS = `SELECT key, evaluators FROM evaluation WHERE key ${IN_BATCH}`
const READ_COLUMNS = `SELECT evaluation, name, ordinal AS evaluator FROM evaluation_column
  WHERE evaluation ${IN_BATCH} AND kind = 'score' ORDER BY evaluation, ordinal`
const READ_MEASURES = `SELECT evaluation, count(*) FILTER (WHERE has_error = 1) AS output_errors,
    count(cost) AS costs, ${selectSums('cost')},
    count(latency) AS latencies, ${selectSums('latency')}
  FROM measure WHERE evaluation ${IN_BATCH} GROUP BY evaluation`
/** The middle latency, or the two middle latencies. */
const READ_MEDIANS = `SELECT evaluation, min(latency) AS low, max(latency) AS high
  FROM (SELECT evaluation, latency, row_number() OVER (PARTITION BY evaluation ORDER BY latency) AS row_rank,
      count(*) OVER (PARTITION BY evaluation) AS n
    FROM measure WHERE evaluation ${IN_BATCH} AND latency IS NOT NULL) AS ranked
  WHERE row_rank IN ((n + 1) / 2, (n + 2) / 2) GROUP BY evaluation`
const READ_RESULTS = `SELECT evaluation, evaluator, count(*) FILTER (WHERE ${IS_SCORE}) AS n, ${selectSums('number', ' AND is_error = 0')},
    count(*) FILTER (WHERE is_error = 1) AS errors, count(*) FILTER (WHERE ${IS_VERDICT}) AS judged,
    count(*) FILTER (WHERE ${IS_VERDICT} AND number = 1) AS passed
  FROM result WHERE evaluation ${IN_BATCH} GROUP BY evaluation, evaluator`
const COUNT_PASSED = (comparison: '>=' | '<=') => `SELECT count(*) AS judged,
    count(*) FILTER (WHERE number ${comparison} ?) AS passed
  FROM result WHERE evaluation = ? AND evaluator = ? AND ${IS_SCORE} AND is_verdict = 0`

interface MeasureRow {
  evaluation: number
  output_errors: number
  costs: number
  cost_sum: number | null
  cost_abs_sum: number | null
  cost_large: number | null
  latencies: number
  latency_sum: number | null
  latency_abs_sum: number | null
  latency_large: number | null
}

interface MedianRow {
  evaluation: number
  low: number
  high: number
}

interface VerdictCounts {
  judged: number
  passed: number
}

interface ResultRow extends VerdictCounts {
  evaluation: number
  evaluator: number
  n: number
  number_sum: number | null
  number_abs_sum: number | null
  number_large: number | null
  errors: number
}

interface ColumnRow {
  evaluation: number
  name: string
  evaluator: number
}

const NO_MEASURES: Partial<MeasureRow> = {}
const NO_RESULTS: Partial<ResultRow> = {}

/** Returns scores by evaluation key. All evaluations must exist. */
export async function readScores(
  connection: Connection,
  evaluations: readonly number[],
): Promise<Map<number, Scores>> {
  const scores = new Map<number, Scores>()
  for (let start = 0; start < evaluations.length; start += BATCH_SIZE) {
    const batch = evaluations.slice(start, start + BATCH_SIZE)
    for (const [key, evaluationScores] of await readBatch(connection, batch))
      scores.set(key, evaluationScores)
  }
  return scores
}

async function readBatch(connection: Connection, keys: number[]): Promise<Map<number, Scores>> {
  // The last key fills unused placeholders, so that one prepared statement serves any number of keys.
  const paddedKeys = keys.concat(Array(BATCH_SIZE - keys.length).fill(keys.at(-1)))
  const [evaluations, columns, measures, medians, results] = await Promise.all([
    connection.all<{ key: number; evaluators: string | null }>(READ_EVALUATORS, ...paddedKeys),
    connection.all<ColumnRow>(READ_COLUMNS, ...paddedKeys),
    connection.all<MeasureRow>(READ_MEASURES, ...paddedKeys),
    connection.all<MedianRow>(READ_MEDIANS, ...paddedKeys),
    connection.all<ResultRow>(READ_RESULTS, ...paddedKeys),
  ])
  const columnsByEvaluation = Map.groupBy(columns, ({ evaluation }) => evaluation)
  const scores = new Map<number, Scores>()
  for (const { key, evaluators } of evaluations) {
    const measureRow = measures.find(({ evaluation }) => evaluation === key)
    const median = medians.find(({ evaluation }) => evaluation === key)
    const resultRows = new Map(
      results.filter(({ evaluation }) => evaluation === key).map((row) => [row.evaluator, row]),
    )
    const declared = parseDeclaredEvaluators(evaluators)
    const byEvaluator: EvaluatorScores[] = []
    for (const column of columnsByEvaluation.get(key) ?? []) {
      const evaluator = declared.get(column.name) ?? DEFAULT_EVALUATOR
      byEvaluator.push(
        await readEvaluatorScores(connection, column, evaluator, resultRows.get(column.evaluator)),
      )
    }
    scores.set(key, { ...toMeasureScores(measureRow, median), evaluators: byEvaluator })
  }
  return scores
}

function toMeasureScores(
  measureRow: MeasureRow | undefined,
  median: MedianRow | undefined,
): Omit<Scores, 'evaluators'> {
  const { output_errors = 0, costs = 0, latencies = 0, ...sum } = measureRow ?? NO_MEASURES
  return {
    output_errors,
    cost: {
      n: costs,
      total: computeTotal(costs, sum.cost_sum, sum.cost_abs_sum, sum.cost_large),
      mean: computeMean(costs, sum.cost_sum, sum.cost_abs_sum, sum.cost_large),
    },
    latency: {
      n: latencies,
      mean: computeMean(latencies, sum.latency_sum, sum.latency_abs_sum, sum.latency_large),
      p50: median ? median.low / 2 + median.high / 2 : null,
    },
  }
}

async function readEvaluatorScores(
  connection: Connection,
  { evaluation, name, evaluator }: ColumnRow,
  { higher_is_better, threshold }: DeclaredEvaluator,
  { n = 0, errors = 0, judged = 0, passed = 0, ...sum }: Partial<ResultRow> = NO_RESULTS,
): Promise<EvaluatorScores> {
  let verdicts: VerdictCounts = { judged, passed }
  if (threshold !== null && n > judged) {
    const statement = COUNT_PASSED(higher_is_better ? '>=' : '<=')
    const thresholdCounts = await connection.get<VerdictCounts>(statement, threshold, evaluation, evaluator)
    verdicts = {
      judged: judged + (thresholdCounts?.judged ?? 0),
      passed: passed + (thresholdCounts?.passed ?? 0),
    }
  }
  const pass_rate = verdicts.judged === 0 ? null : verdicts.passed / verdicts.judged
  return {
    name,
    higher_is_better,
    n,
    errors,
    mean: computeMean(n, sum.number_sum, sum.number_abs_sum, sum.number_large),
    pass_rate,
  }
}

type Sum = number | null | undefined

/** Null if there are no numbers or the total overflows a double. */
function computeTotal(n: number, sum: Sum, absSum: Sum, large: Sum): number | null {
  const total = roundToZero(sum ?? 0, absSum ?? 0) + (large ?? 0) * SCALE
  return n > 0 && Number.isFinite(total) ? total : null
}

function computeMean(n: number, sum: Sum, absSum: Sum, large: Sum): number | null {
  return n === 0 ? null : roundToZero(sum ?? 0, absSum ?? 0) / n + ((large ?? 0) / n) * SCALE
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
