// The check of --fail-on-regression: fails if a candidate is worse than the baseline.
import { CommandError } from '../../errors.ts'
import type { ComparedEvaluator, Comparison } from '../../schema/comparisons.ts'
import { formatCount } from '../output/progress.ts'
import { joinNames } from '../output/statistics.ts'
import { formatDifference } from './table.ts'

/** Evaluators to check, each with its number of scored rows in the baseline. */
export type ScoredCounts = ReadonlyMap<string, number>

/** Relative rounding error of means. A loss within it counts as equal to the tolerance. */
const ROUNDING_ERROR = 1e-12

/** Throws CommandError if a mean is worse by more than the tolerance, or if too few rows can be compared. */
export function failOnRegressions(
  comparison: Comparison,
  scoredCounts: ScoredCounts,
  tolerance: number,
): void {
  if (scoredCounts.size === 0)
    throw new CommandError(
      'Nothing can be compared: no evaluator has a score in the baseline.',
      'Check the id of the baseline.',
    )
  const failures = comparison.candidates.flatMap(({ id, evaluators, has_different_rows }) => {
    if (has_different_rows) return [`'${id}' does not have the same rows as the baseline`]
    const descriptions = evaluators
      .filter(({ name }) => scoredCounts.has(name))
      .map((evaluator) => describeFailure(evaluator, scoredCounts.get(evaluator.name) ?? 0, tolerance))
      .filter((failure) => failure !== undefined)
    return descriptions.length === 0 ? [] : [`'${id}' ${joinNames(descriptions)}`]
  })
  if (failures.length > 0)
    throw new CommandError(
      `${failures.join('; ')}.`,
      'Use --tolerance X to allow means that are worse by up to X, or --on EVALUATOR to check only some evaluators.',
    )
}

function describeFailure(
  evaluator: ComparedEvaluator,
  scoredCount: number,
  tolerance: number,
): string | undefined {
  const { name, n, delta, base_mean, mean, higher_is_better } = evaluator
  if (n === 0 || delta === null) return `is not comparable on '${name}'`
  // The mean of a few rows is not meaningful, for example after an aborted run.
  if (2 * n < scoredCount)
    return `has a score on '${name}' in only ${formatCount(n)} of the ${formatCount(scoredCount)} rows that are scored in the baseline`
  const loss = higher_is_better ? -delta : delta
  const size = Math.max(Math.abs(base_mean ?? 0), Math.abs(mean ?? 0), tolerance)
  return loss > tolerance + ROUNDING_ERROR * size
    ? `is worse on '${name}' by ${formatDifference(evaluator)}${describeDoubt(evaluator)}`
    : undefined
}

/** The gate compares means, so it also fails if there is no verdict. */
function describeDoubt({ n, outcome }: ComparedEvaluator): string {
  if (outcome === 'tied') return ' (no clear change)'
  if (outcome === 'too-few') return ` (too few rows for a verdict: ${formatCount(n)})`
  return ''
}
