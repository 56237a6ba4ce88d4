// The toolbar above the rows of an evaluation: states, search, filters and display settings.
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { RowToolbar } from '../../../filters/row-toolbar.tsx'
import { DisplaySettings } from '../../../table/display-settings.tsx'
import { ErrorsHeading } from '../errors/errors-heading.tsx'
import { COLUMN_TYPES, useColumns } from '../table/column-types.tsx'
import { StateChips } from './state-chips.tsx'
import { changeLabel } from './state-filter.ts'
import { FrequentFilters, TableOptions } from './toolbar-menus.tsx'

export function Toolbar({ pageState }: { pageState: EvaluationState }) {
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
      displaySettings={
        <DisplaySettings density={params.density} choice={columns} types={COLUMN_TYPES}>
          <TableOptions pageState={pageState} />
        </DisplaySettings>
      }
    />
  )
}
