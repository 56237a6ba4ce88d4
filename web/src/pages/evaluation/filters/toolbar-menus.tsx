// The items of the menus in the toolbar: frequent filters, and options of the table.
import { MessageSquareText, Pin } from 'lucide'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { setPreference } from '../../../state/preferences.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { MenuItem, MenuItems, MenuSeparator } from '../../../ui/menus/menu.tsx'
import { useAreStatisticsVisible } from '../metrics/visibility.ts'

/** Pinned rows, and rows with a note. */
export function FrequentFilters({ pageState: { summary, query } }: { pageState: EvaluationState }) {
  const changeParams = useChangeSearchParams()
  const options = [
    { label: 'Pinned', icon: Pin, name: 'is_pinned', value: 'is.true', rows: summary?.pinned },
    {
      label: 'With a note',
      icon: MessageSquareText,
      name: 'note',
      value: 'is.present',
      rows: summary?.noted,
    },
  ]
  return (
    <MenuItems>
      {options.map(({ label, icon, name, value, rows }) => {
        const isChosen = query.filters.some((filter) => filter[0] === name && filter[1] === value)
        return (
          <MenuItem
            key={name}
            icon={icon}
            detail={rows}
            isChosen={isChosen}
            onClick={() => changeParams({ [name]: isChosen ? undefined : value })}
          >
            {label}
          </MenuItem>
        )
      })}
      <MenuSeparator />
    </MenuItems>
  )
}

export function TableOptions({
  pageState: { params, summary, hasRepeats, isGrouped: areRepeatsGrouped },
}: {
  pageState: EvaluationState
}) {
  const changeParams = useChangeSearchParams()
  const areStatisticsVisible = useAreStatisticsVisible()
  const isGrouped = params.group === 'error'
  return (
    <MenuItems>
      <MenuItem
        isChosen={areStatisticsVisible}
        onClick={() => setPreference('statistics', areStatisticsVisible ? undefined : 'on')}
      >
        Statistics above the table
      </MenuItem>
      {hasRepeats && (
        <MenuItem
          isChosen={areRepeatsGrouped}
          shortcut="g"
          onClick={() => changeParams({ group: areRepeatsGrouped ? 'none' : undefined })}
        >
          Group repeats of a row
        </MenuItem>
      )}
      <MenuItem
        isChosen={isGrouped}
        detail={summary?.error_group_count}
        onClick={() => changeParams({ group: isGrouped ? undefined : 'error' })}
      >
        Group by error
      </MenuItem>
    </MenuItems>
  )
}
