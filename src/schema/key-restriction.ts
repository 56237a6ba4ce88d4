// Key restrictions: a restricted key can read one evaluation, one comparison or one variant.
import type { KeyRestriction } from './shares.ts'

/** Whether a key with this restriction can read the evaluation or variant. */
export function isAllowedBy(
  confined_to: KeyRestriction,
  noun: 'evaluation' | 'variant',
  id: string,
): boolean {
  const { evaluation_id, comparison = [], variant_id } = confined_to
  return noun === 'variant' ? id === variant_id : id === evaluation_id || comparison.includes(id)
}

/** Describes a restriction, for use after "restricted to". */
export function describeRestriction({ evaluation_id, comparison, variant_id }: KeyRestriction): string {
  if (evaluation_id !== undefined) return `the evaluation '${evaluation_id}'`
  if (variant_id !== undefined) return `the variant '${variant_id}'`
  return `the comparison of ${comparison?.map((id) => `'${id}'`).join(', ')}`
}
