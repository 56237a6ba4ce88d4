// Page that compares two to four evaluations: a conclusion, statistics per evaluator, and the joined rows.
import { AssayError } from 'assay-client'
import { Suspense } from 'react'
import { lazyComponent } from '../../api/lazy-modules.ts'
import { IgnoredParams } from '../../errors/ignored-params.tsx'
import { Panel } from '../../row-panel/panel.tsx'
import { PanelFallback } from '../../row-panel/panel-fallback.tsx'
import { useChangeSearchParams } from '../../state/search-params.ts'
import page from '../../table/page.module.css'
import { ComparisonError } from './comparison-error.tsx'
import { Header } from './header/header.tsx'
import styles from './page.module.css'
import { useComparisonState } from './page-state.ts'
import { comparisonRows } from './queries.ts'
import { rowSearchParams } from './search-params.ts'
import { StatisticsCard } from './statistics/statistics-card.tsx'
import { ComparisonTable } from './table/comparison-table.tsx'
import { FilterBar } from './table/filter-bar.tsx'

const RowPanel = lazyComponent(async () => (await import('./row-panel/row-panel.tsx')).RowPanel)

export function ComparisonPage() {
  const state = useComparisonState()
  const changeParams = useChangeSearchParams()
  const { params, comparison, error } = state
  return (
    <main className={`${page.page} ${styles.comparison}`}>
      <section className={page.section} aria-label="Comparison">
        <Header state={state} />
        <IgnoredParams params={state.ignored} />
        {error instanceof AssayError && !comparison ? (
          <ComparisonError state={state} error={error} />
        ) : (
          <>
            <StatisticsCard state={state} />
            <FilterBar state={state} />
            <ComparisonTable key={params.evaluations.join('\n')} state={state} />
          </>
        )}
      </section>
      {params.row && (comparison || !error) && (
        <Panel label="Row">
          <Suspense
            fallback={
              <PanelFallback
                request={comparisonRows(state.query).positionQuery(params.row)}
                onClose={() => changeParams(rowSearchParams(undefined))}
              />
            }
          >
            <RowPanel key={params.evaluations.join('\n')} state={state} row={params.row} />
          </Suspense>
        </Panel>
      )}
    </main>
  )
}
