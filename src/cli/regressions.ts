// Whether a comparison is good enough: the judgement behind --fail-on-regression.
import { CommandError } from '../errors.ts'
import type { ComparedEvaluator, Comparison } from '../schema/comparisons.ts'
import { distanceOf } from './comparison-figures.ts'

/** Means are computed to so many digits; a loss that differs from the tolerance behind them is as large as it. */
const ROUNDING = 1e-12

/**
 * Throws CommandError where a mean is worse than the tolerance allows, or where there is nothing to judge by.
 * `watched` are the evaluators that count.
 */
export function refuseRegressions(
  comparison: Comparison,
  watched: ReadonlySet<string>,
  tolerance: number,
): void {
  if (watched.size === 0)
    throw new CommandError(
      'Nothing can be compared: no evaluator has a score in the base.',
      'Check that the base is the evaluation you mean.',
    )
  const failures = comparison.candidates.flatMap(({ id, evaluators }) => {
    const failed = evaluators
      .filter(({ name }) => watched.has(name))
      .map((evaluator) => failureOf(evaluator, tolerance))
      .filter((failure) => failure !== undefined)
    return failed.length === 0 ? [] : [`'${id}' ${failed.join(' and ')}`]
  })
  if (failures.length > 0)
    throw new CommandError(
      `${failures.join('; ').replace(/\p{Cc}/gu, ' ')}.`,
      '--tolerance X allows a mean to be worse by X, --on EVALUATOR watches one evaluator alone.',
    )
}

function failureOf(evaluator: ComparedEvaluator, tolerance: number): string | undefined {
  const { name, n, delta, base_mean, mean, higher_is_better } = evaluator
  if (n === 0 || delta === null) return `has nothing to compare on '${name}'`
  const loss = higher_is_better ? -delta : delta
  const size = Math.max(Math.abs(base_mean ?? 0), Math.abs(mean ?? 0), tolerance)
  return loss > tolerance + ROUNDING * size ? `is worse on '${name}' by ${distanceOf(evaluator)}` : undefined
}
