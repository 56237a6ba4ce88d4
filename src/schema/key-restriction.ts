// Key restrictions: a restricted key can read one evaluation, one comparison or one variant, or answer one review.
import type { KeyRestriction } from './shares.ts'

/** Whether a key with this restriction can use the evaluation, variant or review. */
export function isAllowedBy(
  confined_to: KeyRestriction,
  noun: 'evaluation' | 'variant' | 'review',
  id: string,
): boolean {
  if (noun === 'review') return id === confined_to.review_id
  return noun === 'variant' ? id === confined_to.variant_id : allowedEvaluations(confined_to).includes(id)
}

/** The ids of the evaluations that a key with this restriction can read. */
export function allowedEvaluations({ evaluation_id, comparison = [] }: KeyRestriction): string[] {
  return evaluation_id === undefined ? comparison : [evaluation_id]
}

/** Describes a restriction, for use after "restricted to". */
export function describeRestriction({
  evaluation_id,
  comparison,
  variant_id,
  review_id,
}: KeyRestriction): string {
  if (review_id !== undefined) return `the review '${review_id}'`
  if (evaluation_id !== undefined) return `the evaluation '${evaluation_id}'`
  if (variant_id !== undefined) return `the variant '${variant_id}'`
  return `the comparison of ${comparison?.map((id) => `'${id}'`).join(', ')}`
}
