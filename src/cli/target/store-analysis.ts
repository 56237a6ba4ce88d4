// Reads breakdowns and agreements of a store, with the same texts as the API.
import { Problem, UsageError } from '../../errors.ts'
import { parseGroupKey } from '../../schema/analysis/breakdown-query.ts'
import { BY_POSITION } from '../../schema/filters/orders.ts'
import { openAgreement } from '../../store/analysis/agreements.ts'
import { openBreakdown } from '../../store/analysis/breakdown.ts'
import { ComparisonCache } from '../../store/compare/comparison-cache.ts'
import type { EvaluationInfo } from '../../store/evaluations/evaluations.ts'
import type { Connection } from '../../store/store.ts'

/** Throws UsageError if the evaluation cannot be grouped this way. */
export function readBreakdown(
  snapshot: Connection,
  by: string,
  evaluation: EvaluationInfo,
  baseline: EvaluationInfo | undefined,
  cache = new ComparisonCache(),
): Promise<string> {
  return rejectWrongUsage(async () => {
    const evaluations = { evaluation, baseline, chosen: null, version: '' }
    const read = await openBreakdown(snapshot, evaluations, { by: parseGroupKey(by), filters: [] }, cache)
    return read()
  })
}

/** Throws UsageError if the evaluation does not have these evaluators. */
export function readAgreementText(
  snapshot: Connection,
  evaluation: EvaluationInfo,
  evaluator: string,
  other: string,
): Promise<string> {
  return rejectWrongUsage(async () => {
    const evaluations = { evaluation, baseline: undefined, chosen: null, version: '' }
    const names = { evaluator, with: other }
    const viewOptions = { filters: [], order: BY_POSITION }
    const read = await openAgreement(snapshot, evaluations, names, viewOptions, new ComparisonCache())
    return read()
  })
}

/** Converts an invalid request to wrong usage of the command. */
export async function rejectWrongUsage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid-request') throw new UsageError(error.message)
    throw error
  }
}
