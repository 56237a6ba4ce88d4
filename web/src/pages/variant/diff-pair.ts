// The two revisions that a diff compares.
import type { Revision } from '../../queries/variants.ts'

/** The older revision first. */
export type Pair = [from: number, to: number]

/** The two selected revisions, or else the selected or current one with its previous one. Undefined if there are no two. */
export function diffPair(
  revisions: readonly Revision[],
  selected: readonly number[],
  current?: number,
): Pair | undefined {
  const [first = current, second] = selected
  if (first === undefined) return undefined
  if (second !== undefined) return [Math.min(first, second), Math.max(first, second)]
  const previous = revisions[revisions.findIndex(({ revision }) => revision === first) - 1]
  return previous && [previous.revision, first]
}

/** The two newest revisions that were evaluated, or else the two newest. Undefined if there is only one revision. */
export function newestPair(revisions: readonly Revision[]): Pair | undefined {
  const evaluated = revisions.filter(({ evaluations }) => evaluations.length > 0)
  const [from, to] = (evaluated.length > 1 ? evaluated : revisions).slice(-2)
  return from && to && [from.revision, to.revision]
}
