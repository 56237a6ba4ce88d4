// What a key may be confined to (one evaluation, one comparison or one variant), held against ids and put into words.
import type { ConfinedTo } from './shares.ts'

/** Whether what has this id is open to a key that is confined like this. */
export function covers(confined_to: ConfinedTo, noun: 'evaluation' | 'variant', id: string): boolean {
  const { evaluation_id, comparison = [], variant_id } = confined_to
  return noun === 'variant' ? id === variant_id : id === evaluation_id || comparison.includes(id)
}

/** In words, as behind "confined to". */
export function confinementText({ evaluation_id, comparison, variant_id }: ConfinedTo): string {
  if (evaluation_id !== undefined) return `the evaluation '${evaluation_id}'`
  if (variant_id !== undefined) return `the variant '${variant_id}'`
  return `the comparison of ${comparison?.map((id) => `'${id}'`).join(', ')}`
}
