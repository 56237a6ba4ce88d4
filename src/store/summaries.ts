// What is to be known of an evaluation at a glance: per evaluator, for cost and for latency the counts, the figures
// and how they are spread; and the groups that error messages fall into.
import type { EvaluationSummary } from '../schema/summaries.ts'
import type { Connection } from './dialect/dialect.ts'
import { findErrorGroups } from './error-counts.ts'
import { declaredEvaluators, UNDECLARED } from './evaluators.ts'
import { type Column, type Extent, type Figures, findFigures } from './figures.ts'
import type { Fragment } from './filters.ts'
import { getScenarioColumns } from './scenarios.ts'
import { type Selection, selectRows } from './selections.ts'

/** Rows of one evaluator by what it made of them; those without a result are in none. */
interface ResultCounts extends Extent {
  texts: number
  errors: number
  /** Of the scores, those that are true or false; and of these, those that are true. */
  verdicts: number
  passed: number
}

interface MeasureCounts {
  matched: number
  output_errors: number
  pinned: number
  noted: number
  cost: Extent
  latency: Extent
}

/** Of the rows that a condition over `measure AS row` leaves; of all of them without one. */
export async function summarise(
  connection: Connection,
  { key, id }: { key: number; id: string },
  condition?: Fragment,
): Promise<EvaluationSummary> {
  const stored = await connection.get<{ evaluators: string | null; scenario_count: number }>(
    'SELECT evaluators, scenario_count FROM evaluation WHERE key = ?',
    key,
  )
  const names = await getScenarioColumns(connection, key)
  const selection = selectRows(key, condition)
  const { cost, latency, ...counts } = await countMeasures(connection, selection)
  const results = await countResults(connection, selection)
  const covered =
    counts.output_errors === 0 ? new Map<number, number>() : await countCovered(connection, key, condition)
  const declared = declaredEvaluators(stored?.evaluators ?? null)
  const evaluators = names.score.map((name, ordinal) => ({
    name,
    ordinal,
    ...(declared.get(name) ?? UNDECLARED),
    counts: results.get(ordinal) ?? NO_RESULTS,
  }))
  const columns = [
    measureColumn('cost', cost, selection),
    measureColumn('latency', latency, selection),
    ...evaluators.map((evaluator) => scoreColumn(evaluator, selection)),
  ]
  const [costs, latencies, ...scores] = await findFigures(connection, selection.with, columns)
  const hasErrors = counts.output_errors > 0 || evaluators.some(({ counts }) => counts.errors > 0)
  return {
    id,
    scenario_count: stored?.scenario_count ?? 0,
    ...counts,
    columns: { inputs: names.input, expected: names.expected, evaluators: names.score },
    evaluators: evaluators.map((evaluator, index) =>
      summaryOf(evaluator, scores[index] as Figures, counts, covered.get(evaluator.ordinal) ?? 0),
    ),
    cost: spreadOf(costs as Figures, counts.matched),
    latency: spreadOf(latencies as Figures, counts.matched),
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

async function countMeasures(connection: Connection, selection: Selection): Promise<MeasureCounts> {
  const { with: chosen, where } = selection
  const row = await connection.get<Record<string, number>>(
    `${chosen.sql} SELECT count(*) AS matched, count(*) FILTER (WHERE has_error = 1) AS output_errors,
       count(*) FILTER (WHERE is_pinned = 1) AS pinned, count(*) FILTER (WHERE has_note = 1) AS noted,
       count(cost) AS costs, min(cost) AS least_cost, max(cost) AS most_cost,
       count(latency) AS latencies, min(latency) AS least_latency, max(latency) AS most_latency
     FROM measure WHERE ${where.sql}`,
    ...chosen.values,
    ...where.values,
  )
  const { matched = 0, output_errors = 0, pinned = 0, noted = 0, ...extents } = row ?? {}
  const { costs = 0, least_cost = null, most_cost = null } = extents
  const { latencies = 0, least_latency = null, most_latency = null } = extents
  return {
    matched,
    output_errors,
    pinned,
    noted,
    cost: { n: costs, minimum: least_cost, maximum: most_cost },
    latency: { n: latencies, minimum: least_latency, maximum: most_latency },
  }
}

/** By the ordinal of the evaluator. */
async function countResults(
  connection: Connection,
  { with: chosen, where }: Selection,
): Promise<Map<number, ResultCounts>> {
  const rows = await connection.all<ResultCounts & { evaluator: number }>(
    `${chosen.sql} SELECT evaluator, count(number) FILTER (WHERE is_error = 0) AS n,
       min(number) FILTER (WHERE is_error = 0) AS minimum, max(number) FILTER (WHERE is_error = 0) AS maximum,
       count(*) FILTER (WHERE is_error = 0 AND number IS NULL AND text IS NOT NULL) AS texts,
       count(*) FILTER (WHERE is_error = 1) AS errors,
       count(number) FILTER (WHERE is_error = 0 AND is_verdict = 1) AS verdicts,
       count(*) FILTER (WHERE is_error = 0 AND is_verdict = 1 AND number = 1) AS passed
     FROM result WHERE ${where.sql} GROUP BY evaluator`,
    ...chosen.values,
    ...where.values,
  )
  return new Map(rows.map(({ evaluator, ...counts }) => [evaluator, counts]))
}

/** Rows whose output is an error and that an evaluator made something of all the same, by its ordinal. */
async function countCovered(
  connection: Connection,
  key: number,
  condition: Fragment | undefined,
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

function measureColumn(name: 'cost' | 'latency', extent: Extent, { where }: Selection): Column {
  const rows = `measure WHERE ${where.sql} AND ${name} IS NOT NULL`
  return { extent, value: name, rows, values: where.values }
}

interface SummarisedEvaluator {
  name: string
  ordinal: number
  higher_is_better: boolean
  threshold: number | null
  counts: ResultCounts
}

function scoreColumn(
  { ordinal, higher_is_better, threshold, counts }: SummarisedEvaluator,
  { where }: Selection,
): Column {
  return {
    extent: { n: counts.n, minimum: counts.minimum, maximum: counts.maximum },
    ones: counts.verdicts === counts.n ? counts.passed : undefined,
    value: 'number',
    rows: `result WHERE evaluator = ? AND ${where.sql} AND is_error = 0 AND number IS NOT NULL`,
    values: [ordinal, ...where.values],
    passes:
      threshold === null
        ? undefined
        : {
            sql: `is_verdict = 0 AND number ${higher_is_better ? '>=' : '<='} ?`,
            values: [threshold],
          },
  }
}

function summaryOf(
  { name, higher_is_better, threshold, counts }: SummarisedEvaluator,
  { passed: passedNumbers, total: _, n, ...figures }: Figures,
  all: { matched: number; output_errors: number },
  covered: number,
): EvaluationSummary['evaluators'][number] {
  const { texts, errors, verdicts } = counts
  const output_errors = all.output_errors - covered
  const judged = threshold === null ? verdicts : n
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
    unscored: all.matched - n - texts - errors - output_errors,
    passed: hasVerdicts ? passed : null,
    failed: hasVerdicts ? judged - passed : null,
    pass_rate: judged === 0 ? null : passed / judged,
    ...figures,
  }
}

function spreadOf({ n, total, passed: _, ...figures }: Figures, matched: number): EvaluationSummary['cost'] {
  return { n, missing: matched - n, total, ...figures }
}
