// The toolbar above the rows of an evaluation: states, search, filters and display settings.
import { Suspense } from 'react'
import { lazyComponent } from '../../../api/lazy-modules.ts'
import type { EvaluationState } from '../../../evaluation-state/page-state.ts'
import { RowToolbar } from '../../../filters/row-toolbar.tsx'
import { COLUMN_TYPES, useColumns } from '../table/column-types.tsx'
import { StateChips } from './state-chips.tsx'
import { changeLabel } from './state-filter.ts'

const ErrorsHeading = lazyComponent(async () => (await import('../errors/errors-heading.tsx')).ErrorsHeading)
const FrequentFilters = lazyComponent(async () => (await import('./toolbar-menus.tsx')).FrequentFilters)
const TableOptions = lazyComponent(async () => (await import('./toolbar-menus.tsx')).TableOptions)
const DisplaySettings = lazyComponent(
  async () => (await import('../../../table/display-settings.tsx')).DisplaySettings,
)

export function Toolbar({ pageState }: { pageState: EvaluationState }) {
  const columns = useColumns(pageState)
  const { query, statisticsQuery, summary, params } = pageState
  const { inputs = [], evaluators = [] } = summary?.columns ?? {}
  const baselineName = pageState.baselineId === undefined ? undefined : 'the baseline'
  return (
    <RowToolbar
      chips={
        params.group === 'error' ? (
          <Suspense>
            <ErrorsHeading pageState={pageState} />
          </Suspense>
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
