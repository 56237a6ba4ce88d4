// The page of one scenario, and the panel with the same content next to the table.
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { IgnoredParams } from '../../errors/error-notice.tsx'
import { FailedPage } from '../../errors/error-page.tsx'
import { type EvaluationState, useEvaluationState } from '../../evaluation-state/page-state.ts'
import { ListCrumb } from '../../navigation/links.tsx'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { usePageFrame, usePanelFrame } from './frame.ts'
import styles from './page.module.css'
import { Scenario } from './scenario.tsx'

const route = getRouteApi('/evaluations/$evaluationId/scenarios/$scenarioId')

export function ScenarioPage() {
  const { evaluationId, scenarioId } = route.useParams()
  const pageState = useEvaluationState(evaluationId, scenarioId)
  useDocumentTitle(scenarioId, pageState.evaluation?.name ?? evaluationId)
  const frame = usePageFrame(evaluationId, scenarioId)
  const main = useRef<HTMLElement>(null)
  // The focused element of the previous page no longer exists, so focus this page.
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [])
  const { isDeleted, evaluation, error } = pageState
  if (isDeleted) return <FailedPage error={error} deletedName={evaluation?.name ?? evaluationId} />
  return (
    <main ref={main} tabIndex={-1} className={styles.page}>
      <nav aria-label="Breadcrumb" className={styles.breadcrumb}>
        <ListCrumb to="/" />
        <Link
          to="/evaluations/$evaluationId"
          params={{ evaluationId }}
          search={(old) => ({ ...old, view: undefined, output: undefined })}
        >
          {pageState.evaluation?.name ?? evaluationId}
        </Link>
      </nav>
      <IgnoredParams params={pageState.ignored} />
      <Scenario pageState={pageState} id={scenarioId} frame={frame} />
    </main>
  )
}

export function ScenarioPanel({ pageState, scenario }: { pageState: EvaluationState; scenario: string }) {
  const frame = usePanelFrame(pageState.id, scenario)
  return <Scenario pageState={pageState} id={scenario} frame={frame} />
}
