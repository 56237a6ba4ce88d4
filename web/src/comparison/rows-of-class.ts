// The address that shows all rows of one class, as many as were counted: whatever left some out is taken away.
import { withoutFilters } from '../evaluation/view.ts'
import type { Search } from '../search.ts'
import { withEvaluations, withFirstCandidate } from './compared.ts'
import type { ShownClass, View } from './view.ts'

interface Counted {
  show: ShownClass
  on: string | undefined
  candidate: string
}

export function rowsOfClass(search: Search, view: View, { show, on, candidate }: Counted): Search {
  return {
    ...search,
    ...withoutFilters(view.filters),
    ...withEvaluations(withFirstCandidate(view.evaluations, candidate)),
    show,
    on: on ?? view.on,
    order: undefined,
  }
}
