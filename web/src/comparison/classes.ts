// What became of rows, in words: the class that is shown, how many rows it has, and what it is about.
import type { ComparisonRows } from 'assay-client'
import { nameOf } from './compared.ts'
import type { Shown } from './shown.ts'
import type { ShownClass } from './view.ts'

export const CLASS_NAMES: Record<ShownClass, string> = {
  regressed: 'Regressed',
  improved: 'Improved',
  same: 'Same',
  incomparable: 'Incomparable',
  missing: 'Missing',
  all: 'All',
}

/** Why a row is in its class. */
export const CLASS_MEANINGS: Record<ShownClass, string> = {
  regressed: 'The candidate is worse than the baseline',
  improved: 'The candidate is better than the baseline',
  same: 'Both have the same score',
  incomparable: 'An error or no score on either side, or a verdict against a number',
  missing: 'Only one of the two has the row',
  all: 'Every row of base and candidate',
}

export type Classes = ComparisonRows['classes']

export function rowsIn(classes: Classes, show: ShownClass): number {
  if (show !== 'all') return classes[show]
  return Object.values(classes).reduce((sum, rows) => sum + rows, 0)
}

/** How many rows of each class the filters leave: without any filter the figures know it first. */
export function classesOf({ classes, comparison, question, on }: Shown): Classes | undefined {
  if (classes || question.filters.length > 0) return classes
  return comparison?.candidates[0]?.evaluators.find(({ name }) => name === on)?.classes
}

/** What the base and the first candidate are called. */
export function pairOf({ view, comparison }: Pick<Shown, 'view' | 'comparison'>): [string, string] {
  const [base = '', first = ''] = view.evaluations
  return [nameOf(comparison, base), nameOf(comparison, first)]
}

/** "regressed on exact_match". */
export function classWords(show: ShownClass, on: string | undefined): string {
  if (show === 'all') return ''
  return show === 'missing' || on === undefined ? show : `${show} on ${on}`
}
