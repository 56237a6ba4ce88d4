// The summary of an evaluation: counts, statistics and distributions of each evaluator, of cost and of latency, and its
// error groups.
import type { EvaluationSummary } from '../../schema/summaries.ts'
import type { Connection } from '../dialect/dialect.ts'
import { DEFAULT_EVALUATOR, parseDeclaredEvaluators, passes } from '../evaluations/evaluators.ts'
import type { BoundSql } from '../reads/conditions.ts'
import { getColumnOrdinals } from '../scenarios/columns.ts'
import { describeNumbers } from '../statistics/distributions.ts'
import { meanInterval, rateInterval } from '../statistics/mean-interval.ts'
import { roundRate } from '../statistics/rounding.ts'
import { findErrorGroups } from './error-counts.ts'
import { findPositions, type PositionCondition, type RowSelection, selectRows } from './row-selection.ts'

/** Counts of the results of one evaluator. Rows without a result are not counted. */
interface ResultCounts {
  /** The number of scores. */
  n: number
  texts: number
  errors: number
  /** The number of scores that are true or false. */
  verdicts: number
  /** The number of scores that are true. */
  passed: number
}

interface MeasureCounts {
  matched: number
  output_errors: number
  pinned: number
  noted: number
}

/** Summarizes the rows that match a condition over `measure AS row`, or all rows. */
export async function summarize(
  connection: Connection,
  { key, id }: { key: number; id: string },
  filterCondition?: BoundSql,
): Promise<EvaluationSummary> {
  const evaluation = await connection.get<{ evaluators: string | null; scenario_count: number }>(
    'SELECT evaluators, scenario_count FROM evaluation WHERE key = ?',
    key,
  )
  const { condition } = await findPositions(connection, key, filterCondition, evaluation?.scenario_count ?? 0)
  const ordinals = await getColumnOrdinals(connection, key)
  const selection = selectRows(key, condition, connection.sql)
  const counts = await countMeasures(connection, selection)
  const results = await countResults(connection, selection)
  const evaluatedErrors =
    counts.output_errors === 0
      ? new Map<number, number>()
      : await countEvaluatedErrors(connection, key, condition)
  const declared = parseDeclaredEvaluators(evaluation?.evaluators ?? null)
  const evaluators = [...ordinals.score].map(([name, ordinal]) => ({
    name,
    ordinal,
    ...(declared.get(name) ?? DEFAULT_EVALUATOR),
    counts: results.get(ordinal) ?? NO_RESULTS,
  }))
  const numbers = new NumberReader(connection, key, condition)
  const [costs, latencies] = [await numbers.measures('cost'), await numbers.measures('latency')]
  const evaluatorSummaries: EvaluationSummary['evaluators'] = []
  for (const evaluator of evaluators) {
    const scores = await numbers.scores(evaluator)
    evaluatorSummaries.push(
      toEvaluatorSummary(evaluator, scores, counts, evaluatedErrors.get(evaluator.ordinal) ?? 0),
    )
  }
  const hasErrors = counts.output_errors > 0 || evaluators.some(({ counts }) => counts.errors > 0)
  return {
    id,
    scenario_count: evaluation?.scenario_count ?? 0,
    ...counts,
    rows: counts.matched,
    columns: {
      inputs: [...ordinals.input.keys()],
      expected: [...ordinals.expected.keys()],
      evaluators: [...ordinals.score.keys()],
    },
    evaluators: evaluatorSummaries,
    cost: toMeasureSummary(costs, counts.matched),
    latency: toMeasureSummary(latencies, counts.matched),
    ...(hasErrors
      ? await findErrorGroups(connection, key, selection, evaluators)
      : { error_groups: [], error_group_count: 0 }),
  }
}

const NO_RESULTS: ResultCounts = {
  n: 0,
  texts: 0,
  errors: 0,
  verdicts: 0,
  passed: 0,
}

async function countMeasures(connection: Connection, selection: RowSelection): Promise<MeasureCounts> {
  const { with: cte, where } = selection
  const row = await connection.get<MeasureCounts>(
    `${cte.sql} SELECT count(*) AS matched, count(*) FILTER (WHERE has_error = 1) AS output_errors,
       count(*) FILTER (WHERE is_pinned = 1) AS pinned, count(*) FILTER (WHERE has_note = 1) AS noted
     FROM measure WHERE ${where.sql}`,
    ...cte.values,
    ...where.values,
  )
  return row as MeasureCounts
}

/** Counts results by evaluator ordinal. */
async function countResults(
  connection: Connection,
  { with: cte, where }: RowSelection,
): Promise<Map<number, ResultCounts>> {
  const rows = await connection.all<ResultCounts & { evaluator: number }>(
    `${cte.sql} SELECT evaluator, count(number) FILTER (WHERE is_error = 0) AS n,
       count(*) FILTER (WHERE is_error = 0 AND number IS NULL AND text IS NOT NULL) AS texts,
       count(*) FILTER (WHERE is_error = 1) AS errors,
       count(number) FILTER (WHERE is_error = 0 AND is_verdict = 1) AS verdicts,
       count(*) FILTER (WHERE is_error = 0 AND is_verdict = 1 AND number = 1) AS passed
     FROM result WHERE ${where.sql} GROUP BY evaluator`,
    ...cte.values,
    ...where.values,
  )
  return new Map(rows.map(({ evaluator, ...counts }) => [evaluator, counts]))
}

/** Counts rows whose output is an error but that have a result of the evaluator, by evaluator ordinal. */
async function countEvaluatedErrors(
  connection: Connection,
  key: number,
  condition: BoundSql | undefined,
): Promise<Map<number, number>> {
  const rows = await connection.all<{ evaluator: number; count: number }>(
    `SELECT result.evaluator, count(*) AS count
     FROM measure AS row CROSS JOIN evaluation_column AS score CROSS JOIN result
     WHERE row.evaluation = ? AND row.has_error = 1 ${condition ? `AND ${condition.sql}` : ''}
       AND score.evaluation = row.evaluation AND score.kind = 'score'
       AND result.evaluation = row.evaluation AND result.evaluator = score.ordinal AND result.position = row.position
       AND (result.is_error = 1 OR result.number IS NOT NULL OR result.text IS NOT NULL)
     GROUP BY result.evaluator`,
    key,
    ...(condition?.values ?? []),
  )
  return new Map(rows.map(({ evaluator, count }) => [evaluator, count]))
}

interface SummarizedEvaluator {
  name: string
  ordinal: number
  higher_is_better: boolean
  threshold: number | null
  counts: ResultCounts
}

/** Reads the numbers of the selected rows, in any order. */
class NumberReader {
  readonly #connection: Connection
  readonly #rows: BoundSql

  constructor(connection: Connection, evaluation: number, condition: PositionCondition | undefined) {
    this.#connection = connection
    this.#rows = {
      sql: `evaluation = ?${condition ? ` AND ${condition.positionSql}` : ''}`,
      values: [evaluation, ...(condition?.values ?? [])],
    }
  }

  measures(name: 'cost' | 'latency'): Promise<Float64Array> {
    const { sql, values } = this.#rows
    const statement = `SELECT ${name} FROM measure WHERE ${sql} AND ${name} IS NOT NULL`
    return this.#connection.readNumbers(statement, ...values)
  }

  /** Verdicts are not read: their counts are known. */
  async scores({ ordinal, counts: { n, verdicts, passed } }: SummarizedEvaluator): Promise<Float64Array> {
    if (verdicts === n) return new Float64Array(n).fill(1, n - passed)
    const { sql, values } = this.#rows
    const statement = `SELECT number FROM result
      WHERE ${sql} AND evaluator = ? AND is_error = 0 AND number IS NOT NULL`
    return this.#connection.readNumbers(statement, ...values, ordinal)
  }
}

function toEvaluatorSummary(
  evaluator: SummarizedEvaluator,
  scores: Float64Array,
  rowCounts: { matched: number; output_errors: number },
  evaluatedErrors: number,
): EvaluationSummary['evaluators'][number] {
  const { name, higher_is_better, threshold, counts } = evaluator
  const { n, texts, errors, verdicts } = counts
  const output_errors = rowCounts.output_errors - evaluatedErrors
  const judgedCount = threshold === null ? verdicts : n
  const hasVerdicts = threshold !== null || verdicts > 0
  const passed = counts.passed + countPassedNumbers(scores, evaluator)
  const { total: _, ...statistics } = describeNumbers(scores)
  return {
    name,
    higher_is_better,
    threshold,
    n,
    texts,
    errors,
    output_errors,
    unscored: rowCounts.matched - n - texts - errors - output_errors,
    passed: hasVerdicts ? passed : null,
    failed: hasVerdicts ? judgedCount - passed : null,
    pass_rate: roundRate(passed, judgedCount),
    pass_rate_interval: intervalOfRate(passed, judgedCount),
    mean_interval: verdicts === n ? intervalOfRate(counts.passed, n) : meanInterval(scores),
    ...statistics,
  }
}

/** Each scenario is a row of its own. */
function intervalOfRate(passed: number, count: number): [number, number] | null {
  return rateInterval({
    means: new Float64Array(count).fill(1, count - passed),
    hasRepeats: false,
    runs: count,
  })
}

/** The count of numbers that reach the threshold, if there is one. `scores` also contains verdicts, which have no threshold. */
function countPassedNumbers(scores: Float64Array, evaluator: SummarizedEvaluator): number {
  const { verdicts, passed } = evaluator.counts
  const passingVerdicts = (passes(evaluator, 1) ? passed : 0) + (passes(evaluator, 0) ? verdicts - passed : 0)
  return scores.reduce((count, score) => count + Number(passes(evaluator, score)), 0) - passingVerdicts
}

function toMeasureSummary(numbers: Float64Array, matched: number): EvaluationSummary['cost'] {
  return {
    n: numbers.length,
    missing: matched - numbers.length,
    mean_interval: meanInterval(numbers),
    ...describeNumbers(numbers),
  }
}
