// Which evaluations are compared: what they are called, and the address with others or in another order.
import type { Comparison } from 'assay-client'
import type { Search } from '../search.ts'

/** As it is called on the page; its id while nothing more is known of it. */
export function nameOf(comparison: Comparison | undefined, id: string): string {
  return comparison?.evaluations.find((one) => one.id === id)?.name ?? id
}

/** The change of the address: a row that is open belongs to those of before. */
export function withEvaluations(evaluations: readonly string[]): Search {
  return { evaluation: [...evaluations], row: undefined, side: undefined, pair: undefined }
}

/** Classes go by the first candidate: the same evaluations with another one there. */
export function withFirstCandidate([base, ...others]: readonly string[], id: string): string[] {
  return [...(base === undefined ? [] : [base]), id, ...others.filter((other) => other !== id)]
}

/** `step` is -1 for nearer to the base. */
export function moved(evaluations: readonly string[], id: string, step: 1 | -1): string[] {
  const left = evaluations.filter((other) => other !== id)
  return left.toSpliced(evaluations.indexOf(id) + step, 0, id)
}
