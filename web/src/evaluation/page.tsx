// The results of one evaluation: what it is and how it did, then every row.
import { getRouteApi } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { lazy, Suspense } from 'react'
import { Failure } from '../parts/failure.tsx'
import { useTitle } from '../parts/title.ts'
import { Waiting } from '../parts/waiting.tsx'
import { loadDetailPages } from '../read-ahead.ts'
import { Chips } from './chips.tsx'
import { FilterBar } from './filter-bar.tsx'
import { Grid } from './grid.tsx'
import { Head } from './head.tsx'
import { MetricStrip } from './metric-strip.tsx'
import { Notices } from './notices.tsx'
import styles from './page.module.css'
import { useShown } from './shown.ts'

const route = getRouteApi('/evaluations/$evaluationId')

const ErrorGroups = lazy(async () => ({ default: (await loadDetailPages()).ErrorGroups }))
const ScenarioPanel = lazy(async () => ({ default: (await loadDetailPages()).ScenarioPanel }))

export function EvaluationPage() {
  const { evaluationId } = route.useParams()
  const shown = useShown(evaluationId)
  useTitle(shown.evaluation?.name ?? evaluationId)
  if (shown.error instanceof AssayError && !shown.evaluation) {
    return (
      <main>
        <Failure error={shown.error} />
      </main>
    )
  }
  return (
    <main className={styles.page}>
      <section className={styles.results} aria-label="Rows">
        <Head shown={shown} />
        <Notices shown={shown} />
        <Chips shown={shown} />
        <FilterBar shown={shown} />
        <MetricStrip shown={shown} />
        {shown.view.group === 'error' ? (
          <Suspense fallback={<Waiting />}>
            <ErrorGroups shown={shown} />
          </Suspense>
        ) : (
          <Grid key={evaluationId} shown={shown} told={shown.error} />
        )}
      </section>
      {shown.view.row !== undefined && (
        <Suspense fallback={<Waiting />}>
          <ScenarioPanel key={evaluationId} shown={shown} scenario={shown.view.row} />
        </Suspense>
      )}
    </main>
  )
}
