// The summary of an evaluation with statistics relative to a baseline, over their paired rows.
import type { BaselineReason } from '../../schema/rules.ts'
import type { BaselineStatistics, EvaluationSummary } from '../../schema/summaries.ts'
import type { BoundSql } from '../reads/conditions.ts'
import type { JoinedColumns } from './joined-columns.ts'
import {
  countChangedRows,
  NO_STATISTICS,
  type RowStatistics,
  readPairedStatistics,
  toDifference,
} from './paired-statistics.ts'
import { summarizeRows } from './rows/row-summary.ts'
import { isHigherBetter } from './sides.ts'

/**
 * Summarizes the rows that match a condition over `measure AS row`, or all rows, and their pairs. `chosen` and `changed_parameters` are
 * part of the response.
 */
export async function summarizeWithBaseline(
  columns: JoinedColumns,
  chosen: BaselineReason | null,
  changed_parameters: number | null,
  condition?: BoundSql,
): Promise<EvaluationSummary> {
  const { first } = columns
  const summary = await summarizeRows(columns, first, condition)
  const isIncluded = condition && (await columns.markRows(first, condition))
  const { statisticsOf, cost, latency } = await readBaselineStatistics(columns, isIncluded)
  return {
    ...summary,
    base: { ...(await toSummaryBaseline(columns, chosen)), changed_parameters },
    evaluators: summary.evaluators.map((evaluator) => ({ ...evaluator, base: statisticsOf(evaluator.name) })),
    cost: { ...summary.cost, base: cost },
    latency: { ...summary.latency, base: latency },
  }
}

export interface BaselineComparison {
  /** The statistics of an evaluator of the first candidate. */
  statisticsOf(evaluator: string): BaselineStatistics
  cost: BaselineStatistics
  latency: BaselineStatistics
}

/** Compares the first candidate with the baseline. `isIncluded` selects rows by candidate position. */
export async function readBaselineStatistics(
  columns: JoinedColumns,
  isIncluded?: Uint8Array,
): Promise<BaselineComparison> {
  const { baseline, first } = columns
  const { evaluators, cost, latency } = await readPairedStatistics(columns, 0, first.evaluators, isIncluded)
  return {
    statisticsOf: (name) => toBaselineStatistics(evaluators.get(name), isHigherBetter(baseline, first, name)),
    cost: toBaselineStatistics(cost, false),
    latency: toBaselineStatistics(latency, false),
  }
}

/** The baseline, and how its rows are paired with those of the first candidate. */
export async function toSummaryBaseline(
  columns: JoinedColumns,
  chosen: BaselineReason | null,
): Promise<NonNullable<EvaluationSummary['base']>> {
  const { id, name, variant_id, revision } = columns.baseline.info
  const { by, matched, rate } = columns.firstJoin
  return {
    id,
    name,
    variant_id,
    revision,
    chosen,
    by,
    matched,
    match_rate: rate,
    has_different_rows: await columns.hasDifferentRows(0),
  }
}

function toBaselineStatistics(
  statistics: RowStatistics = NO_STATISTICS,
  higherIsBetter: boolean,
): BaselineStatistics {
  const { n, base_mean } = statistics
  return {
    n,
    mean: base_mean,
    ...toDifference(statistics, higherIsBetter),
    ...countChangedRows(statistics, higherIsBetter),
  }
}
