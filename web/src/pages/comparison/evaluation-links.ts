// Names of the compared evaluations, and search params for other evaluations, another order or another row class.
import type { Comparison } from 'assay-client'
import { shortNames } from '../../navigation/short-names.ts'
import { withoutFilters } from '../../state/row-params.ts'
import type { PageSearch } from '../../state/search-params.ts'
import type { ComparisonParams } from './search-params.ts'
import { type ClassFilter, withEvaluations } from './search-params.ts'

/** Returns the id while the comparison is loading. */
export function evaluationName(comparison: Comparison | undefined, id: string): string {
  return comparison?.evaluations.find((evaluation) => evaluation.id === id)?.name ?? id
}

/** "r5" if all evaluations have different revisions of one variant, or else the part of the name that differs. */
export function shortName(comparison: Comparison | undefined, id: string): string {
  return shortNames(comparison?.evaluations ?? []).get(id) ?? id
}

/** Moves a candidate to the first position: row classes are those of the first candidate. */
export function withFirstCandidate([baseline, ...others]: readonly string[], id: string): string[] {
  return [...(baseline === undefined ? [] : [baseline]), id, ...others.filter((other) => other !== id)]
}

export interface ClassSelection {
  show: ClassFilter
  evaluator: string | undefined
  candidate: string
}

/** Shows the rows of one class for a candidate and an evaluator, without filters. */
export function classSearchParams(
  search: object,
  params: ComparisonParams,
  { show, evaluator, candidate }: ClassSelection,
): PageSearch<'/compare'> {
  return {
    ...search,
    ...withoutFilters(params.filters),
    ...withEvaluations(withFirstCandidate(params.evaluations, candidate)),
    show,
    on: evaluator ?? params.on,
    order: undefined,
  }
}
