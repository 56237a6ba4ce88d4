// Labels and row counts of the row classes (regressed, improved, …).
import type { ComparisonRows } from 'assay-client'
import { evaluationName } from './evaluation-links.ts'
import type { ComparisonState } from './page-state.ts'
import type { ClassFilter } from './search-params.ts'

export const CLASS_NAMES: Record<ClassFilter, string> = {
  regressed: 'Regressed',
  improved: 'Improved',
  same: 'Same',
  incomparable: 'Incomparable',
  missing: 'Missing',
  all: 'All',
}

/** Shown as tooltips. */
export const CLASS_DESCRIPTIONS: Record<ClassFilter, string> = {
  regressed: 'The candidate is worse than the baseline',
  improved: 'The candidate is better than the baseline',
  same: 'Both have the same score',
  incomparable: 'One side has an error or no score, or only one side is a verdict',
  missing: 'Only one of the two evaluations has this row',
  all: 'All rows of the baseline and the candidate',
}

export type ClassCounts = ComparisonRows['classes']

export function rowsInClass(classes: ClassCounts, show: ClassFilter): number {
  if (show !== 'all') return classes[show]
  return Object.values(classes).reduce((sum, rows) => sum + rows, 0)
}

/** Rows per class after filters. Without filters the comparison's statistics have the same counts, possibly earlier. */
export function classCounts(state: ComparisonState): ClassCounts | undefined {
  const { classes, comparison, query, evaluator } = state
  if (classes || query.filters.length > 0) return classes
  return comparison?.candidates[0]?.evaluators.find(({ name }) => name === evaluator)?.classes
}

/** Names of the baseline and the first candidate. */
export function pairNames({
  params,
  comparison,
}: Pick<ComparisonState, 'params' | 'comparison'>): [string, string] {
  const [baseline = '', candidate = ''] = params.evaluations
  return [evaluationName(comparison, baseline), evaluationName(comparison, candidate)]
}

/** "regressed on exact_match". */
export function classLabel(show: ClassFilter, evaluator: string | undefined): string {
  if (show === 'all') return ''
  return show === 'missing' || evaluator === undefined ? show : `${show} on ${evaluator}`
}
