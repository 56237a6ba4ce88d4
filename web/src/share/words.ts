// What a shared link opens, in words.
import type { ConfinedTo } from '../shell/confinement.ts'

/** As behind "opens": "the evaluation geo-v4". */
export function openedWords({ evaluation_id, comparison = [], variant_id }: ConfinedTo): string {
  if (evaluation_id !== undefined) return `the evaluation ${evaluation_id}`
  if (variant_id !== undefined) return `the variant ${variant_id}`
  const [base, ...candidates] = comparison
  return `the comparison of ${candidates.join(', ')} with ${base}`
}

/** What whoever opens it can read. */
export function readableWords({ evaluation_id, variant_id }: ConfinedTo): string {
  if (evaluation_id !== undefined) return 'all of its scenarios, results and notes'
  if (variant_id !== undefined) return 'all of its revisions, and the scores of the evaluations that ran them'
  return 'all of their scenarios, results and notes'
}
