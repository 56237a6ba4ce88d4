// The statistics of an evaluation in the list, and their differences to its baseline.
import type { Evaluation, EvaluationSummary } from 'assay-client'
import {
  formatDollars,
  formatPercent,
  formatPoints,
  formatScore,
  formatSeconds,
} from '../../../format/numbers.ts'

export type Scores = NonNullable<Evaluation['scores']>
/** The scores of baselines by evaluation id. */
export type Baselines = ReadonlyMap<string, Scores>

export interface Statistic {
  value: number
  unit: Unit
  higherIsBetter: boolean
  /** The difference to the baseline; for cost, the relative difference per row. */
  delta: number | undefined
}

type Unit = 'share' | 'score' | 'seconds' | 'dollars'

/** The formats of values and deltas. */
export const FORMATS: Record<Unit, [value: (value: number) => string, delta: (value: number) => string]> = {
  share: [formatPercent, formatPoints],
  score: [formatScore, formatScore],
  seconds: [formatSeconds, formatSeconds],
  dollars: [formatDollars, formatPercent],
}

/** The pass rate, or the mean if there are no verdicts. */
export function evaluatorStatistic(
  evaluation: Evaluation,
  evaluator: string,
  baselines: Baselines,
): Statistic | undefined {
  const own = evaluatorScores(evaluation.scores, evaluator)
  const value = own?.pass_rate ?? own?.mean
  if (!own || value == null) return undefined
  const unit = own.pass_rate === null ? 'score' : 'share'
  const baseline = evaluatorScores(baselineScores(evaluation, baselines), evaluator)
  const baselineMean = baseline?.pass_rate === null ? baseline.mean : null
  const baselineValue = unit === 'share' ? baseline?.pass_rate : baselineMean
  // With a threshold, a higher pass rate is better even if lower scores are.
  const settings = evaluation.evaluators?.find(({ name }) => name === evaluator)
  const isPassRateOfScores = unit === 'share' && settings?.threshold !== undefined
  return {
    value,
    unit,
    higherIsBetter: isPassRateOfScores || own.higher_is_better,
    delta: difference(value, baselineValue),
  }
}

/** The median latency. */
export function latencyStatistic(evaluation: Evaluation, baselines: Baselines): Statistic | undefined {
  const value = evaluation.scores?.latency.p50
  if (value == null) return undefined
  const baselineP50 = baselineScores(evaluation, baselines)?.latency.p50
  return { value, unit: 'seconds', higherIsBetter: false, delta: difference(value, baselineP50) }
}

/** The total cost. The delta compares the cost per row, because the number of rows can differ. */
export function costStatistic(evaluation: Evaluation, baselines: Baselines): Statistic | undefined {
  const cost = evaluation.scores?.cost
  if (cost?.total == null) return undefined
  const baselineMean = baselineScores(evaluation, baselines)?.cost.mean
  const delta = baselineMean && cost.mean !== null ? cost.mean / baselineMean - 1 : undefined
  return { value: cost.total, unit: 'dollars', higherIsBetter: false, delta }
}

/** The number of failed outputs and evaluator runs. */
export function errorCount({ scores }: Evaluation): number {
  if (!scores) return 0
  return scores.evaluators.reduce((sum, { errors }) => sum + errors, scores.output_errors)
}

/** Converts a summary to the scores that the list endpoint returns. */
export function scoresOf({ output_errors, cost, latency, evaluators }: EvaluationSummary): Scores {
  return { output_errors, cost, latency: { ...latency, p50: latency.quantiles.p50 }, evaluators }
}

function baselineScores({ id, baseline_id }: Evaluation, baselines: Baselines): Scores | undefined {
  return baseline_id === null || baseline_id === id ? undefined : baselines.get(baseline_id)
}

function evaluatorScores(scores: Scores | undefined, evaluator: string) {
  return scores?.evaluators.find(({ name }) => name === evaluator)
}

function difference(value: number, baseline: number | null | undefined): number | undefined {
  return baseline == null ? undefined : value - baseline
}
