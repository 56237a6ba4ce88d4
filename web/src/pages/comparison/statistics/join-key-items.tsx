// The join keys to choose from, with how many rows they match.
import type { Comparison } from 'assay-client'
import { formatPercent } from '../../../format/numbers.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { MenuItem, MenuItems } from '../../../ui/menus/menu.tsx'
import type { ComparisonState } from '../page-state.ts'

interface JoinKeyItemsProps {
  state: ComparisonState
  comparison: Comparison
}

export function JoinKeyItems({ state, comparison }: JoinKeyItemsProps) {
  const changeParams = useChangeSearchParams()
  const { join, evaluations } = comparison
  const [baseline, ...candidates] = evaluations
  const inputs = (baseline?.inputs ?? []).filter((name) =>
    candidates.every((candidate) => candidate.inputs.includes(name)),
  )
  const choices: [by: string, label: string][] = [
    ['auto', 'Automatic: ids, then inputs, then position'],
    ['id', 'Scenario id'],
    ['input', 'All inputs'],
    ...inputs.map((name): [string, string] => [`input.${name}`, `Input ${name}`]),
    ['position', 'Position in the evaluation'],
  ]
  return (
    <MenuItems>
      {choices.map(([by, label]) => {
        const tried = join.tried.find((attempt) => attempt.by === by)
        return (
          <MenuItem
            key={by}
            isChosen={state.params.by === by}
            detail={tried && `${formatPercent(tried.match_rate)} match`}
            onClick={() =>
              changeParams({ by: by === 'auto' ? undefined : by, row: undefined, side: undefined })
            }
          >
            {label}
          </MenuItem>
        )
      })}
    </MenuItems>
  )
}
