// Labels for what a share link opens.
import type { Restriction } from '../api/restriction.ts'

/** Completes "opens …": "the evaluation geo-v4". */
export function sharedViewLabel({
  evaluation_id,
  comparison = [],
  variant_id,
  review_id,
}: Restriction): string {
  if (review_id !== undefined) return `the review ${review_id}`
  if (evaluation_id !== undefined) return `the evaluation ${evaluation_id}`
  if (variant_id !== undefined) return `the variant ${variant_id}`
  const [baseline, ...candidates] = comparison
  return `the comparison of ${candidates.join(', ')} with ${baseline}`
}

/** What a recipient of the link can read. */
export function sharedContentLabel({ evaluation_id, variant_id }: Restriction): string {
  if (evaluation_id !== undefined) return 'all of its scenarios, results and notes'
  if (variant_id !== undefined) return 'all of its revisions, and the scores of the evaluations that ran them'
  return 'all of their scenarios, results and notes'
}
