// The states of rows with repeats, and how many rows have each.
import type { EvaluationSummary } from 'assay-client'
import type { FilterState } from '../../../results/result-states.ts'

/** The number of rows with an error or a failed output is not known. */
export function repeatedStateCounts(
  { output_errors, evaluators }: Pick<EvaluationSummary, 'output_errors' | 'evaluators'>,
  evaluatorName: string | undefined,
): [FilterState, number | undefined][] {
  const failedOutputs: [FilterState, undefined][] = output_errors > 0 ? [['output_error', undefined]] : []
  const evaluator = evaluators.find(({ name }) => name === evaluatorName)
  if (!evaluator) return failedOutputs
  const { rows = 0, flaky, pass_all = null, pass_any = null, errors } = evaluator
  const hasVerdicts = typeof flaky === 'number' && pass_all !== null && pass_any !== null
  return [
    ...(hasVerdicts
      ? ([
          ['flaky', flaky],
          ['always_pass', Math.round(pass_all * rows)],
          ['always_fail', Math.round((1 - pass_any) * rows)],
        ] satisfies [FilterState, number][])
      : []),
    ...(errors > 0 ? ([['error', undefined]] satisfies [FilterState, undefined][]) : []),
    ...failedOutputs,
  ]
}
