// Labels and row counts of the row classes (regressed, improved, …).
import type { ComparisonRows } from 'assay-client'
import { formatScore } from '../../format/numbers.ts'
import { shortName } from './evaluation-links.ts'
import type { ComparisonState } from './page-state.ts'
import type { ClassFilter } from './search-params.ts'

interface RowClass {
  name: string
  /** Shown as a tooltip. */
  description: string
  /** Also the class of its color. */
  outcome?: 'worse' | 'better'
}

export const ROW_CLASSES: Record<ClassFilter, RowClass> = {
  regressed: {
    name: 'Regressed',
    description: 'The candidate is worse than the baseline',
    outcome: 'worse',
  },
  improved: {
    name: 'Improved',
    description: 'The candidate is better than the baseline',
    outcome: 'better',
  },
  unclear: {
    name: 'Unclear',
    description: 'The repeats differ, but it can be chance',
  },
  same: { name: 'Same', description: 'Both have the same score' },
  incomparable: {
    name: 'Incomparable',
    description: 'One side has an error or no score, or only one side is a verdict',
  },
  missing: { name: 'Missing', description: 'Only one of the two evaluations has this row' },
  all: { name: 'All', description: 'All rows of the baseline and the candidate' },
}

/** The filter by rows of the first candidate that both pass and fail. */
export function flakyFilter(evaluator: string): [`flaky.${string}`, string] {
  return [`flaky.${evaluator}`, 'is.true']
}

type ClassCounts = ComparisonRows['classes']

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

/** The score of a row with repeats: "3/5" for verdicts, the mean of numbers. */
export function scoreText(score: ComparisonRows['rows'][number]['base_score']): string {
  if (!score || score.mean === null) return 'not scored'
  return score.passes === null ? formatScore(score.mean) : `${score.passes}/${score.count}`
}

/** Names of the baseline and the first candidate. */
export function pairNames({
  params,
  comparison,
}: Pick<ComparisonState, 'params' | 'comparison'>): [string, string] {
  const [baseline = '', candidate = ''] = params.evaluations
  return [shortName(comparison, baseline), shortName(comparison, candidate)]
}

/** "regressed on exact_match". */
export function classLabel(show: ClassFilter, evaluator: string | undefined): string {
  if (show === 'all') return ''
  return show === 'missing' || evaluator === undefined ? show : `${show} on ${evaluator}`
}
