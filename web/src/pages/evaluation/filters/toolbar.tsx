// The toolbar above the rows of an evaluation: states, search, filters and display settings.

import { MessageSquareText, Pin } from 'lucide'
import { BreakdownButton } from '../../../breakdown/breakdown-button.tsx'
import type { BreakdownState } from '../../../breakdown/breakdown-state.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { RowToolbar } from '../../../filters/row-toolbar.tsx'
import { setPreference } from '../../../state/preferences.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { MenuItem, MenuItems, MenuSeparator } from '../../../ui/menus/menu.tsx'
import { lazyComponent } from '../../../ui/messages/lazy-component.tsx'
import { useAreStatisticsVisible } from '../metrics/metric-strip.tsx'
import { ReviewButton } from '../reviews/review-button.tsx'
import { COLUMN_TYPES, useColumns } from '../table/column-types.tsx'
import { ErrorsHeading, StateChips } from './state-chips.tsx'
import { changeLabel } from './state-filter.ts'

const DisplaySettings = lazyComponent(
  async () => (await import('../../../table/display-settings.tsx')).DisplaySettings,
)

interface ToolbarProps {
  pageState: EvaluationState
  breakdown: BreakdownState
}

export function Toolbar({ pageState, breakdown }: ToolbarProps) {
  const columns = useColumns(pageState)
  const { query, statisticsQuery, summary, params } = pageState
  const { inputs = [], evaluators = [] } = summary?.columns ?? {}
  const baselineName = pageState.baselineId === undefined ? undefined : 'the baseline'
  return (
    <RowToolbar
      chips={
        params.group === 'error' ? (
          <ErrorsHeading pageState={pageState} />
        ) : (
          <StateChips pageState={pageState} />
        )
      }
      filters={query.filters}
      removableFilters={statisticsQuery.filters.filter(([name]) => name !== 'q')}
      labelOf={(filter) => changeLabel(filter, summary?.evaluators ?? [])}
      filterNames={{ evaluators, inputs, baselineName }}
      totalRows={pageState.rowCount}
      frequentFilters={<FrequentFilters pageState={pageState} />}
      actions={
        <>
          <ReviewButton pageState={pageState} />
          <BreakdownButton breakdown={breakdown} />
        </>
      }
      displaySettings={
        <DisplaySettings density={params.density} choice={columns} types={COLUMN_TYPES}>
          <TableOptions pageState={pageState} />
        </DisplaySettings>
      }
    />
  )
}

/** Pinned rows, and rows with a note. */
function FrequentFilters({ pageState: { summary, query } }: { pageState: EvaluationState }) {
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

function TableOptions({
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
