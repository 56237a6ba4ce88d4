// The most frequent values of an input, with their rows. A click filters by one.
import { useQuery } from '@tanstack/react-query'
import { groupLabel } from '../../../breakdown/groups.ts'
import { breakdownQuery } from '../../../breakdown/queries.ts'
import { formatCount } from '../../../format/numbers.ts'
import type { FilterSearch } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { MenuHeading, MenuItem, MenuItems, MenuSeparator } from '../../../ui/menus/menu.tsx'
import type { EvaluationContext } from './context.ts'

const MAX_VALUES = 8

interface InputValuesProps {
  /** The key of the column: `input.topic`. */
  input: string
  context: EvaluationContext
}

export function InputValues({ input, context: { id, query } }: InputValuesProps) {
  const changeParams = useChangeSearchParams()
  const { filters, base } = query
  const { data } = useQuery(breakdownQuery({ evaluation: id, base, filters }, input))
  // If most rows have a value of their own, a list of some of them says nothing.
  if (!data || data.group_count > data.total.rows / 2) return null
  const values = data.groups.slice(0, MAX_VALUES).map((group) => ({ ...groupLabel(input, group), group }))
  const hiddenCount = data.group_count - values.length
  return (
    <MenuItems>
      <MenuHeading>
        {formatCount(data.group_count)} values{hiddenCount > 0 && ', the most frequent ones'}
      </MenuHeading>
      {values.map(({ label, filter, group }) => {
        const isChosen =
          filter !== undefined && filters.some(([name, value]) => name === filter[0] && value === filter[1])
        return (
          <MenuItem
            key={group.first}
            isChosen={isChosen}
            disabled={!filter}
            detail={formatCount(group.rows)}
            onClick={() => changeParams({ [input]: isChosen ? undefined : filter?.[1] } as FilterSearch)}
          >
            <bdi className="ellipsis">{label}</bdi>
          </MenuItem>
        )
      })}
      <MenuSeparator />
    </MenuItems>
  )
}
