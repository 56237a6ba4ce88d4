// The summary of an evaluation: counts, statistics and distributions of each evaluator, of cost and of latency, and its
// error groups.
import type { EvaluationSummary } from '../../schema/summaries.ts'
import type { Connection } from '../dialect/dialect.ts'
import { DEFAULT_EVALUATOR, parseDeclaredEvaluators } from '../evaluations/evaluators.ts'
import type { BoundSql } from '../reads/conditions.ts'
import { getScenarioColumns } from '../scenarios/scenarios.ts'
import {
  type ColumnStatistics,
  type NumberColumn,
  readColumnStatistics,
  type ValueRange,
} from './distributions.ts'
import { findErrorGroups } from './error-counts.ts'
import { type RowSelection, selectRows } from './row-selection.ts'

/** Counts of the results of one evaluator. Rows without a result are not counted. */
interface ResultCounts extends ValueRange {
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
  cost: ValueRange
  latency: ValueRange
}

/** Summarizes the rows that match a condition over `measure AS row`, or all rows. */
export async function summarize(
  connection: Connection,
  { key, id }: { key: number; id: string },
  condition?: BoundSql,
): Promise<EvaluationSummary> {
  const evaluation = await connection.get<{ evaluators: string | null; scenario_count: number }>(
    'SELECT evaluators, scenario_count FROM evaluation WHERE key = ?',
    key,
  )
  const names = await getScenarioColumns(connection, key)
  const selection = selectRows(key, condition)
  const { cost, latency, ...counts } = await countMeasures(connection, selection)
  const results = await countResults(connection, selection)
  const evaluatedErrors =
    counts.output_errors === 0
      ? new Map<number, number>()
      : await countEvaluatedErrors(connection, key, condition)
  const declared = parseDeclaredEvaluators(evaluation?.evaluators ?? null)
  const evaluators = names.score.map((name, ordinal) => ({
    name,
    ordinal,
    ...(declared.get(name) ?? DEFAULT_EVALUATOR),
    counts: results.get(ordinal) ?? NO_RESULTS,
  }))
  const columns = [
    measureColumn('cost', cost, selection),
    measureColumn('latency', latency, selection),
    ...evaluators.map((evaluator) => scoreColumn(evaluator, selection)),
  ]
  const [costs, latencies, ...scores] = await readColumnStatistics(connection, selection.with, columns)
  const hasErrors = counts.output_errors > 0 || evaluators.some(({ counts }) => counts.errors > 0)
  return {
    id,
    scenario_count: evaluation?.scenario_count ?? 0,
    ...counts,
    columns: { inputs: names.input, expected: names.expected, evaluators: names.score },
    evaluators: evaluators.map((evaluator, index) =>
      toEvaluatorSummary(
        evaluator,
        scores[index] as ColumnStatistics,
        counts,
        evaluatedErrors.get(evaluator.ordinal) ?? 0,
      ),
    ),
    cost: toMeasureSummary(costs as ColumnStatistics, counts.matched),
    latency: toMeasureSummary(latencies as ColumnStatistics, counts.matched),
    ...(hasErrors
      ? await findErrorGroups(connection, key, selection, names.score)
      : { error_groups: [], error_group_count: 0 }),
  }
}

const NO_RESULTS: ResultCounts = {
  n: 0,
  minimum: null,
  maximum: null,
  texts: 0,
  errors: 0,
  verdicts: 0,
  passed: 0,
}

async function countMeasures(connection: Connection, selection: RowSelection): Promise<MeasureCounts> {
  const { with: cte, where } = selection
  const row = await connection.get<Record<string, number>>(
    `${cte.sql} SELECT count(*) AS matched, count(*) FILTER (WHERE has_error = 1) AS output_errors,
       count(*) FILTER (WHERE is_pinned = 1) AS pinned, count(*) FILTER (WHERE has_note = 1) AS noted,
       count(cost) AS costs, min(cost) AS min_cost, max(cost) AS max_cost,
       count(latency) AS latencies, min(latency) AS min_latency, max(latency) AS max_latency
     FROM measure WHERE ${where.sql}`,
    ...cte.values,
    ...where.values,
  )
  const { matched = 0, output_errors = 0, pinned = 0, noted = 0, ...ranges } = row ?? {}
  const { costs = 0, min_cost = null, max_cost = null } = ranges
  const { latencies = 0, min_latency = null, max_latency = null } = ranges
  return {
    matched,
    output_errors,
    pinned,
    noted,
    cost: { n: costs, minimum: min_cost, maximum: max_cost },
    latency: { n: latencies, minimum: min_latency, maximum: max_latency },
  }
}

/** Counts results by evaluator ordinal. */
async function countResults(
  connection: Connection,
  { with: cte, where }: RowSelection,
): Promise<Map<number, ResultCounts>> {
  const rows = await connection.all<ResultCounts & { evaluator: number }>(
    `${cte.sql} SELECT evaluator, count(number) FILTER (WHERE is_error = 0) AS n,
       min(number) FILTER (WHERE is_error = 0) AS minimum, max(number) FILTER (WHERE is_error = 0) AS maximum,
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

function measureColumn(name: 'cost' | 'latency', range: ValueRange, { where }: RowSelection): NumberColumn {
  const rows = `measure WHERE ${where.sql} AND ${name} IS NOT NULL`
  return { range, value: name, rows, values: where.values }
}

interface SummarizedEvaluator {
  name: string
  ordinal: number
  higher_is_better: boolean
  threshold: number | null
  counts: ResultCounts
}

function scoreColumn(
  { ordinal, higher_is_better, threshold, counts }: SummarizedEvaluator,
  { where }: RowSelection,
): NumberColumn {
  return {
    range: { n: counts.n, minimum: counts.minimum, maximum: counts.maximum },
    oneCount: counts.verdicts === counts.n ? counts.passed : undefined,
    value: 'number',
    rows: `result WHERE evaluator = ? AND ${where.sql} AND is_error = 0 AND number IS NOT NULL`,
    values: [ordinal, ...where.values],
    passCondition:
      threshold === null
        ? undefined
        : {
            sql: `is_verdict = 0 AND number ${higher_is_better ? '>=' : '<='} ?`,
            values: [threshold],
          },
  }
}

function toEvaluatorSummary(
  { name, higher_is_better, threshold, counts }: SummarizedEvaluator,
  { passed: passedNumbers, total: _, n, ...statistics }: ColumnStatistics,
  rowCounts: { matched: number; output_errors: number },
  evaluatedErrors: number,
): EvaluationSummary['evaluators'][number] {
  const { texts, errors, verdicts } = counts
  const output_errors = rowCounts.output_errors - evaluatedErrors
  const judgedCount = threshold === null ? verdicts : n
  const hasVerdicts = threshold !== null || verdicts > 0
  const passed = counts.passed + passedNumbers
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
    pass_rate: judgedCount === 0 ? null : passed / judgedCount,
    ...statistics,
  }
}

function toMeasureSummary(
  { n, total, passed: _, ...statistics }: ColumnStatistics,
  matched: number,
): EvaluationSummary['cost'] {
  return { n, missing: matched - n, total, ...statistics }
}
