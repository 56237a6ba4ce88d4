// The search box, the filters and the display settings of the table.

import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { ActiveFilters } from '../../../filters/active-filters.tsx'
import { FilterForm } from '../../../filters/filter-form.tsx'
import styles from '../../../filters/filters.module.css'
import { SearchBox } from '../../../filters/search-box.tsx'
import { setPreference, usePreference } from '../../../state/preferences.ts'
import { type Filter, useChangePreference } from '../../../state/row-params.ts'
import { useChangeSearchParams } from '../../../state/search-params.ts'
import { ColumnsMenu } from '../../../table/columns/columns-menu.tsx'
import { DensityPicker } from '../../../table/density-picker.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { COLUMN_TYPES, useColumns } from '../table/column-types.tsx'

export function FilterBar({ pageState }: { pageState: EvaluationState }) {
  const prefer = useChangePreference()
  const columns = useColumns(pageState)
  const { query, statisticsQuery, summary } = pageState
  const { inputs = [], evaluators = [] } = summary?.columns ?? {}
  const baselineName = pageState.baselineId === undefined ? undefined : 'the baseline'
  return (
    <search className={styles.bar}>
      <SearchBox filters={pageState.params.filters} totalRows={pageState.evaluation?.scenario_count} />
      <Menu label="+ Filter" className="plain">
        <FilterForm filters={query.filters} names={{ evaluators, inputs, baselineName }} />
      </Menu>
      <ActiveFilters filters={statisticsQuery.filters.filter((filter) => !hasOwnControl(filter))} />
      <div className={styles.layout}>
        <GroupSelect pageState={pageState} />
        <DensityPicker
          density={pageState.params.density}
          onChoose={(density) => prefer('density', density)}
        />
        <ColumnsMenu choice={columns} types={COLUMN_TYPES} />
        <StatisticsToggle />
      </div>
    </search>
  )
}

/** Filters with a chip of their own, or in the search box. */
function hasOwnControl([name, value]: Filter): boolean {
  return (
    name === 'q' ||
    (name === 'is_pinned' && value === 'is.true') ||
    (name === 'note' && value === 'is.present')
  )
}

function GroupSelect({ pageState: { params } }: { pageState: EvaluationState }) {
  const changeParams = useChangeSearchParams()
  return (
    <select
      aria-label="Group rows"
      value={params.group ?? ''}
      onChange={(event) => changeParams({ group: event.target.value === 'error' ? 'error' : undefined })}
    >
      <option value="">No groups</option>
      <option value="error">By error</option>
    </select>
  )
}

/** Whether this browser shows the statistics above the table. */
export function useIsStripVisible(): boolean {
  return usePreference('statistics') !== 'off'
}

function StatisticsToggle() {
  const isVisible = useIsStripVisible()
  return (
    <button
      type="button"
      aria-pressed={isVisible}
      title="Statistics above the table"
      onClick={() => setPreference('statistics', isVisible ? 'off' : undefined)}
    >
      Statistics
    </button>
  )
}
