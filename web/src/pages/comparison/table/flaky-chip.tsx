// The chip that filters by rows of the candidate that both pass and fail.
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { Chip } from '../../../ui/chip.tsx'
import { shortName } from '../evaluation-links.ts'
import type { ComparisonState } from '../page-state.ts'
import { flakyFilter } from '../row-classes.ts'

export function FlakyChip({ state }: { state: ComparisonState }) {
  const { params, comparison, evaluator = '' } = state
  const changeParams = useChangeSearchParams()
  const [candidate] = comparison?.candidates ?? []
  const isVerdict = candidate?.evaluators.some(({ name, is_verdict }) => name === evaluator && is_verdict)
  if (!candidate || !isVerdict) return null
  const [name, value] = flakyFilter(evaluator)
  const isPressed = params.filters.some((filter) => filter[0] === name && filter[1] === value)
  return (
    <Chip
      data-tooltip={`Rows of ${shortName(comparison, candidate.id)} that both pass and fail`}
      isPressed={isPressed}
      onClick={() => changeParams({ [name]: isPressed ? undefined : value })}
    >
      Flaky
    </Chip>
  )
}
