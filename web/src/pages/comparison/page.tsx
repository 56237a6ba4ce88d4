// Page that compares two to four evaluations: a conclusion, statistics per evaluator, and the joined rows.
import { useQueries } from '@tanstack/react-query'
import { AssayError } from 'assay-client'
import { Suspense } from 'react'
import { isUnreachable } from '../../api/client.ts'
import { useBreakdownState } from '../../breakdown/breakdown-state.ts'
import { CopyDetailsButton, IgnoredParams } from '../../errors/error-notice.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { evaluationQuery } from '../../queries/evaluations.ts'
import { Panel } from '../../row-panel/panel.tsx'
import { PanelFailure, PanelFallback } from '../../row-panel/panel-content.tsx'
import { useChangeSearchParams } from '../../state/search-params.ts'
import page from '../../table/page.module.css'
import { Button } from '../../ui/button.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { useIsWide } from '../../ui/media.ts'
import { lazyComponent } from '../../ui/messages/lazy-component.tsx'
import { MessageBlock } from '../../ui/messages/message-block.tsx'
import { Header } from './header/header.tsx'
import styles from './page.module.css'
import { type ComparisonState, useComparisonState } from './page-state.ts'
import { comparisonRows } from './queries.ts'
import { rowSearchParams, withEvaluations } from './search-params.ts'
import { StatisticsCard } from './statistics/statistics-card.tsx'
import { ComparisonTable } from './table/comparison-table.tsx'
import { FilterBar } from './table/filter-bar.tsx'

const ComparisonBreakdown = lazyComponent(async () => (await import('./breakdown.tsx')).ComparisonBreakdown)
const RowPanel = lazyComponent(async () => (await import('./row-panel/row-panel.tsx')).RowPanel, PanelFailure)

export function ComparisonPage() {
  const state = useComparisonState()
  const changeParams = useChangeSearchParams()
  const { params, comparison, error } = state
  const hasRoom = useIsWide()
  const breakdown = useBreakdownState(params.breakdown, hasRoom && !params.row && hasChange(state))
  if (error instanceof AssayError && !comparison) return <ComparisonError state={state} error={error} />
  return (
    <main className={`${page.page} ${styles.comparison}`}>
      <section className={page.section} aria-label="Comparison">
        <Header state={state} />
        <IgnoredParams params={state.ignored} />
        <div className={styles.overview}>
          <StatisticsCard state={state} />
          {breakdown.isMounted && (
            <Suspense fallback={null}>
              <ComparisonBreakdown key={params.evaluations.join('\n')} state={state} breakdown={breakdown} />
            </Suspense>
          )}
        </div>
        <FilterBar state={state} breakdown={breakdown} />
        <ComparisonTable key={params.evaluations.join('\n')} state={state} />
      </section>
      {params.row && (
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

/** Whether the first candidate is better or worse on the evaluator of the classes. */
function hasChange({ comparison, evaluator }: ComparisonState): boolean {
  const [candidate] = comparison?.candidates ?? []
  const outcome = candidate?.evaluators.find(({ name }) => name === evaluator)?.outcome
  return !candidate?.has_different_rows && (outcome === 'better' || outcome === 'worse')
}

/** Instead of the comparison: names the evaluations that are missing and offers ways to recover. */
function ComparisonError({ state, error }: { state: ComparisonState; error: AssayError }) {
  const { evaluations, by } = state.params
  const changeParams = useChangeSearchParams()
  const missingIds = useQueries({
    queries: evaluations.map(evaluationQuery),
    combine: (results) =>
      results.flatMap(({ error: cause }, index) =>
        cause instanceof AssayError && !isUnreachable(cause) ? [evaluations[index] as string] : [],
      ),
  })
  useDocumentTitle('Compare')
  if (isUnreachable(error)) return <FailedPage error={error} />
  return (
    <main>
      <MessageBlock
        heading="h1"
        isError
        title={error.title}
        actions={
          <>
            {missingIds.map((id) => (
              <Button
                key={id}
                onClick={() => changeParams(withEvaluations(evaluations.filter((other) => other !== id)))}
              >
                Remove {missingIds.length > 1 ? id : 'it'}
              </Button>
            ))}
            {missingIds.length === 0 && by !== 'auto' && (
              <Button onClick={() => changeParams({ by: undefined })}>Match rows automatically</Button>
            )}
            <CopyDetailsButton error={error} />
          </>
        }
      >
        {/* The detail of a 404 names API requests. */}
        {missingIds.length === 0 && error.status !== 404 && <p>{error.detail}</p>}
        {missingIds.map((id) => (
          <p key={id}>Evaluation {id} does not exist, or this key cannot read it.</p>
        ))}
      </MessageBlock>
    </main>
  )
}
