// What the list says of an evaluation in numbers, and how far each is from the same number of its baseline.
import type { Evaluation, EvaluationSummary } from 'assay-client'
import { dollars, percent, points, score, seconds } from '../format/numbers.ts'

export type Scores = NonNullable<Evaluation['scores']>
/** The scores of baselines, by the id of the evaluation. */
export type Baselines = ReadonlyMap<string, Scores>

export interface Figure {
  value: number
  unit: Unit
  higherIsBetter: boolean
  /** This less the same of the baseline, where it has one; of cost the part by which a row costs more. */
  delta: number | undefined
}

type Unit = 'share' | 'score' | 'seconds' | 'dollars'

/** How a value and a difference of it are written. */
export const FORMATS: Record<Unit, [value: (value: number) => string, delta: (value: number) => string]> = {
  share: [percent, points],
  score: [score, score],
  seconds: [seconds, seconds],
  dollars: [dollars, percent],
}

/** The pass rate, or the mean where nothing is a verdict. */
export function evaluatorFigure(
  evaluation: Evaluation,
  evaluator: string,
  baselines: Baselines,
): Figure | undefined {
  const own = evaluatorScores(evaluation.scores, evaluator)
  const value = own?.pass_rate ?? own?.mean
  if (!own || value == null) return undefined
  const unit = own.pass_rate === null ? 'score' : 'share'
  const base = evaluatorScores(baselineScores(evaluation, baselines), evaluator)
  const baseValue = unit === 'share' ? base?.pass_rate : base?.pass_rate === null ? base.mean : null
  // Whatever side of a threshold is good, more numbers on it are better.
  const declared = evaluation.evaluators?.find(({ name }) => name === evaluator)
  const isPassing = unit === 'share' && declared?.threshold !== undefined
  return {
    value,
    unit,
    higherIsBetter: isPassing || own.higher_is_better,
    delta: difference(value, baseValue),
  }
}

/** Half of the rows took less. */
export function latencyFigure(evaluation: Evaluation, baselines: Baselines): Figure | undefined {
  const value = evaluation.scores?.latency.p50
  if (value == null) return undefined
  const base = baselineScores(evaluation, baselines)?.latency.p50
  return { value, unit: 'seconds', higherIsBetter: false, delta: difference(value, base) }
}

/** In all; compared by the row, since more rows cost more. */
export function costFigure(evaluation: Evaluation, baselines: Baselines): Figure | undefined {
  const cost = evaluation.scores?.cost
  if (cost?.total == null) return undefined
  const base = baselineScores(evaluation, baselines)?.cost.mean
  const delta = base && cost.mean !== null ? cost.mean / base - 1 : undefined
  return { value: cost.total, unit: 'dollars', higherIsBetter: false, delta }
}

/** Outputs and evaluators that failed. */
export function errorCount({ scores }: Evaluation): number {
  if (!scores) return 0
  return scores.evaluators.reduce((sum, { errors }) => sum + errors, scores.output_errors)
}

/** The summary of an evaluation, as the list would have it. */
export function scoresOf({ output_errors, cost, latency, evaluators }: EvaluationSummary): Scores {
  return { output_errors, cost, latency: { ...latency, p50: latency.quantiles.p50 }, evaluators }
}

function baselineScores({ id, baseline_id }: Evaluation, baselines: Baselines): Scores | undefined {
  return baseline_id === null || baseline_id === id ? undefined : baselines.get(baseline_id)
}

function evaluatorScores(scores: Scores | undefined, evaluator: string) {
  return scores?.evaluators.find(({ name }) => name === evaluator)
}

function difference(value: number, base: number | null | undefined): number | undefined {
  return base == null ? undefined : value - base
}
