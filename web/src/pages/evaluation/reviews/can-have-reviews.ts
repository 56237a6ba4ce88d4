// Whether to request the reviews of an evaluation.
import type { Evaluation } from 'assay-client'
import { useRestriction } from '../../../api/restriction.ts'

/** The evaluators of a review are declared as human, so other evaluations need no request. */
export function useCanHaveReviews(evaluation: Evaluation | undefined): boolean {
  const isRestricted = useRestriction() !== null
  return !isRestricted && (evaluation?.evaluators?.some(({ kind }) => kind === 'human') ?? false)
}
