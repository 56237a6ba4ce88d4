// Whether a comparison is good enough: the judgement behind --fail-on-regression.
import { CommandError } from '../errors.ts'
import type { ComparedEvaluator, Comparison } from '../schema/comparisons.ts'
import { distanceOf, enumerate } from './comparison-figures.ts'
import { whole } from './progress.ts'

/** The evaluators that count, each with how many rows of the base have a score of it. */
export type Watched = ReadonlyMap<string, number>

/** Means are computed to so many digits; a loss that differs from the tolerance behind them is as large as it. */
const ROUNDING = 1e-12

/** Throws CommandError where a mean is worse than the tolerance allows, or where there is too little to judge by. */
export function refuseRegressions(comparison: Comparison, watched: Watched, tolerance: number): void {
  if (watched.size === 0)
    throw new CommandError(
      'Nothing can be compared: no evaluator has a score in the base.',
      'Check that the base is the evaluation you mean.',
    )
  const failures = comparison.candidates.flatMap(({ id, evaluators }) => {
    const failed = evaluators
      .filter(({ name }) => watched.has(name))
      .map((evaluator) => failureOf(evaluator, watched.get(evaluator.name) ?? 0, tolerance))
      .filter((failure) => failure !== undefined)
    return failed.length === 0 ? [] : [`'${id}' ${enumerate(failed)}`]
  })
  if (failures.length > 0)
    throw new CommandError(
      `${failures.join('; ')}.`,
      '--tolerance X allows a mean to be worse by X, --on EVALUATOR watches one evaluator alone.',
    )
}

function failureOf(evaluator: ComparedEvaluator, scored: number, tolerance: number): string | undefined {
  const { name, n, delta, base_mean, mean, higher_is_better } = evaluator
  if (n === 0 || delta === null) return `has nothing to compare on '${name}'`
  // A mean of the few rows that a broken run got to says nothing of the others.
  if (2 * n < scored)
    return `can be compared in only ${whole(n)} of the ${whole(scored)} rows that have a score on '${name}' in the base`
  const loss = higher_is_better ? -delta : delta
  const size = Math.max(Math.abs(base_mean ?? 0), Math.abs(mean ?? 0), tolerance)
  return loss > tolerance + ROUNDING * size ? `is worse on '${name}' by ${distanceOf(evaluator)}` : undefined
}
