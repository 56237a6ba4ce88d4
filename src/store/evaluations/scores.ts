// Score statistics of evaluations, computed by the database and cached by version.
import type { EvaluatorScores, Scores } from '../../schema/scores.ts'
import type { LruCache } from '../cache/lru-cache.ts'
import type { Connection } from '../dialect/dialect.ts'
import { type InList, inLists } from '../reads/in-list.ts'
import { computeTotals, type Sums, selectSums } from '../statistics/sums.ts'
import { DEFAULT_EVALUATOR, type DeclaredEvaluator, parseDeclaredEvaluators } from './evaluators.ts'

/** SQL condition: a row of `result` is a score. Results of failed evaluators are not scores. */
const IS_SCORE = 'is_error = 0 AND number IS NOT NULL'
const IS_VERDICT = `${IS_SCORE} AND is_verdict = 1`

/** Statements for several evaluations. `keys` is an IN list of their keys. */
const READ_EVALUATORS = (keys: string) => `SELECT key, evaluators FROM evaluation WHERE key IN (${keys})`
const READ_COLUMNS = (keys: string) => `SELECT evaluation, name, ordinal AS evaluator FROM evaluation_column
  WHERE evaluation IN (${keys}) AND kind = 'score' ORDER BY evaluation, ordinal`
const READ_MEASURES = (keys: string) => `SELECT evaluation,
    count(*) FILTER (WHERE has_error = 1) AS output_errors,
    count(cost) AS costs, ${selectSums('cost')},
    count(latency) AS latencies, ${selectSums('latency')}
  FROM measure WHERE evaluation IN (${keys}) GROUP BY evaluation`
/** The middle latency, or the two middle latencies. */
const READ_MEDIANS = (keys: string) => `SELECT evaluation, min(latency) AS low, max(latency) AS high
  FROM (SELECT evaluation, latency, row_number() OVER (PARTITION BY evaluation ORDER BY latency) AS row_rank,
      count(*) OVER (PARTITION BY evaluation) AS n
    FROM measure WHERE evaluation IN (${keys}) AND latency IS NOT NULL) AS ranked
  WHERE row_rank IN ((n + 1) / 2, (n + 2) / 2) GROUP BY evaluation`
const READ_RESULTS = (keys: string) => `SELECT evaluation, evaluator,
    count(*) FILTER (WHERE ${IS_SCORE}) AS n, ${selectSums('number', { where: 'is_error = 0' })},
    count(*) FILTER (WHERE is_error = 1) AS errors, count(*) FILTER (WHERE ${IS_VERDICT}) AS judged,
    count(*) FILTER (WHERE ${IS_VERDICT} AND number = 1) AS passed
  FROM result WHERE evaluation IN (${keys}) GROUP BY evaluation, evaluator`
const COUNT_PASSED = (comparison: '>=' | '<=') => `SELECT count(*) AS judged,
    count(*) FILTER (WHERE number ${comparison} ?) AS passed
  FROM result WHERE evaluation = ? AND evaluator = ? AND ${IS_SCORE} AND is_verdict = 0`

/** Evaluations per statement. */
const BATCH_SIZE = 20

interface MeasureRow extends Sums<'cost' | 'latency'> {
  evaluation: number
  output_errors: number
  costs: number
  latencies: number
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

interface ResultRow extends VerdictCounts, Sums<'number'> {
  evaluation: number
  evaluator: number
  n: number
  errors: number
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
  for (const list of inLists(evaluations, BATCH_SIZE)) {
    for (const [key, evaluationScores] of await readBatch(connection, list)) scores.set(key, evaluationScores)
  }
  return scores
}

async function readBatch(
  connection: Connection,
  { placeholders, values }: InList<number>,
): Promise<Map<number, Scores>> {
  const read = <Row>(statement: (keys: string) => string) =>
    connection.all<Row>(statement(placeholders), ...values)
  const [evaluations, columns, measures, medians, results] = await Promise.all([
    read<{ key: number; evaluators: string | null }>(READ_EVALUATORS),
    read<ColumnRow>(READ_COLUMNS),
    read<MeasureRow>(READ_MEASURES),
    read<MedianRow>(READ_MEDIANS),
    read<ResultRow>(READ_RESULTS),
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
  { output_errors = 0, costs = 0, latencies = 0, ...sums }: Partial<MeasureRow> = {},
  median: MedianRow | undefined,
): Omit<Scores, 'evaluators'> {
  return {
    output_errors,
    cost: { n: costs, ...computeTotals(costs, 'cost', sums) },
    latency: {
      n: latencies,
      mean: computeTotals(latencies, 'latency', sums).mean,
      p50: median ? median.low / 2 + median.high / 2 : null,
    },
  }
}

async function readEvaluatorScores(
  connection: Connection,
  { evaluation, name, evaluator }: ColumnRow,
  { higher_is_better, threshold }: DeclaredEvaluator,
  { n = 0, errors = 0, judged = 0, passed = 0, ...sums }: Partial<ResultRow> = {},
): Promise<EvaluatorScores> {
  const verdicts: VerdictCounts = { judged, passed }
  if (threshold !== null && n > judged) {
    const statement = COUNT_PASSED(higher_is_better ? '>=' : '<=')
    const counts = await connection.get<VerdictCounts>(statement, threshold, evaluation, evaluator)
    verdicts.judged += counts?.judged ?? 0
    verdicts.passed += counts?.passed ?? 0
  }
  const pass_rate = verdicts.judged === 0 ? null : verdicts.passed / verdicts.judged
  const { mean } = computeTotals(n, 'number', sums)
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
