// The page of one evaluation: header, filters, statistics and the table of its rows.
import { getRouteApi } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { Suspense } from 'react'
import { useBreakdownState } from '../../breakdown/breakdown-state.ts'
import { ErrorNotice, IgnoredParams } from '../../errors/error-notice.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { type EvaluationState, useEvaluationState } from '../../evaluation-state/page-state.ts'
import { scenarioTextQuery } from '../../queries/scenarios.ts'
import { Panel } from '../../row-panel/panel.tsx'
import { PanelFailure, PanelFallback } from '../../row-panel/panel-content.tsx'
import { withoutFilters } from '../../state/row-params.ts'
import { useChangeSearchParams } from '../../state/search-params.ts'
import page from '../../table/page.module.css'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { lazyComponent } from '../../ui/messages/lazy-component.tsx'
import { Loading } from '../../ui/messages/loading.tsx'
import { Toolbar } from './filters/toolbar.tsx'
import { Header } from './header/header.tsx'
import { MetricStrip, useAreStatisticsVisible } from './metrics/metric-strip.tsx'
import { useCanHaveReviews } from './reviews/can-have-reviews.ts'
import { EvaluationTable } from './table/evaluation-table.tsx'

const route = getRouteApi('/evaluations/$evaluationId')

const ErrorGroups = lazyComponent(async () => (await import('./errors/error-groups.tsx')).ErrorGroups)
const EvaluationBreakdown = lazyComponent(async () => (await import('./breakdown.tsx')).EvaluationBreakdown)
const FailureModes = lazyComponent(async () => (await import('./reviews/failure-modes.tsx')).FailureModes)
const ScenarioPanel = lazyComponent(
  async () => (await import('../scenario/page.tsx')).ScenarioPanel,
  PanelFailure,
)

export function EvaluationPage() {
  const { evaluationId } = route.useParams()
  const pageState = useEvaluationState(evaluationId)
  const areStatisticsVisible = useAreStatisticsVisible()
  const changeParams = useChangeSearchParams()
  useDocumentTitle(pageState.evaluation?.name ?? evaluationId)
  const { error, evaluation, isDeleted, params } = pageState
  const canHaveReviews = useCanHaveReviews(evaluation)
  // The table is what the page is about, so the breakdown does not open by itself.
  const breakdown = useBreakdownState(params.breakdown, false)
  if (isDeleted || (error instanceof AssayError && !evaluation)) {
    return <FailedPage error={error} deletedName={evaluation && (evaluation.name ?? evaluationId)} />
  }
  return (
    <main className={page.page}>
      <section className={page.section} aria-label="Rows">
        <Header pageState={pageState} />
        {hasNotices(pageState) && <Notices pageState={pageState} />}
        <Toolbar pageState={pageState} breakdown={breakdown} />
        {breakdown.isMounted && (
          <Suspense fallback={null}>
            <EvaluationBreakdown key={evaluationId} pageState={pageState} breakdown={breakdown} />
          </Suspense>
        )}
        {areStatisticsVisible && <MetricStrip pageState={pageState} />}
        {canHaveReviews && (
          <Suspense fallback={null}>
            <FailureModes evaluationId={evaluationId} />
          </Suspense>
        )}
        {pageState.params.group === 'error' ? (
          <Suspense fallback={<Loading />}>
            <ErrorGroups pageState={pageState} />
          </Suspense>
        ) : (
          <EvaluationTable key={evaluationId} pageState={pageState} />
        )}
      </section>
      {pageState.params.row !== undefined && (
        <Panel label="Scenario">
          <Suspense
            fallback={
              <PanelFallback
                request={scenarioTextQuery(evaluationId, pageState.params.row)}
                onClose={() => changeParams({ row: undefined })}
              />
            }
          >
            <ScenarioPanel key={evaluationId} pageState={pageState} scenario={pageState.params.row} />
          </Suspense>
        </Panel>
      )}
    </main>
  )
}

function hasNotices({ ignored, missingBaselineId, error }: EvaluationState): boolean {
  return ignored.length > 0 || missingBaselineId !== undefined || error !== null
}

function Notices({ pageState }: { pageState: EvaluationState }) {
  const changeParams = useChangeSearchParams()
  const { filters } = pageState.params
  return (
    <>
      <IgnoredParams params={pageState.ignored} />
      {pageState.missingBaselineId !== undefined && (
        <p role="status" className="notice">
          Baseline {pageState.missingBaselineId} does not exist, or this key cannot read it. Select another
          one.
        </p>
      )}
      {/* The rest of the page stays: often one filter is invalid. */}
      <ErrorNotice error={pageState.error}>
        {filters.length > 0 && (
          <button type="button" onClick={() => changeParams(withoutFilters(filters))}>
            Clear all filters
          </button>
        )}
      </ErrorNotice>
    </>
  )
}
