// Page that compares two to four evaluations: a conclusion, statistics per evaluator, and the joined rows.
import { AssayError } from 'assay-client'
import { IgnoredParams } from '../../errors/ignored-params.tsx'
import page from '../../table/page.module.css'
import { ComparisonError } from './comparison-error.tsx'
import { Header } from './header/header.tsx'
import { Warnings } from './header/warnings.tsx'
import { useComparisonState } from './page-state.ts'
import { RowPanel } from './row-panel/row-panel.tsx'
import { StartPage } from './start-page.tsx'
import { StatisticsTable } from './statistics/statistics-table.tsx'
import { ComparisonTable } from './table/comparison-table.tsx'
import { FilterBar } from './table/filter-bar.tsx'

export function ComparisonPage() {
  const state = useComparisonState()
  const { params, comparison, error } = state
  if (params.evaluations.length < 2) return <StartPage first={params.evaluations[0]} />
  return (
    <main className={page.page}>
      <section className={page.section} aria-label="Comparison">
        <Header state={state} />
        <IgnoredParams params={state.ignored} />
        {error instanceof AssayError && !comparison ? (
          <ComparisonError state={state} error={error} />
        ) : (
          <>
            <Warnings state={state} />
            <StatisticsTable state={state} />
            <FilterBar state={state} />
            <ComparisonTable key={params.evaluations.join('\n')} state={state} />
          </>
        )}
      </section>
      {params.row && (comparison || !error) && (
        <RowPanel key={params.evaluations.join('\n')} state={state} row={params.row} />
      )}
    </main>
  )
}
