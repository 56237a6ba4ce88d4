// The results of one evaluation: what it is and how it did, then every row.
import { getRouteApi } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { Failure } from '../parts/failure.tsx'
import { ScenarioPanel } from '../scenario/panel.tsx'
import { Chips } from './chips.tsx'
import { ErrorGroups } from './error-groups.tsx'
import { FilterBar } from './filter-bar.tsx'
import { Grid } from './grid.tsx'
import { Head } from './head.tsx'
import { MetricStrip } from './metric-strip.tsx'
import { Notices } from './notices.tsx'
import styles from './page.module.css'
import { useShown } from './shown.ts'

const route = getRouteApi('/evaluations/$evaluationId')

export function EvaluationPage() {
  const { evaluationId } = route.useParams()
  const shown = useShown(evaluationId)
  if (shown.error instanceof AssayError && !shown.evaluation) return <Failure error={shown.error} />
  return (
    <main className={styles.page}>
      <section className={styles.results} aria-label="Results">
        <Head shown={shown} />
        <Notices shown={shown} error={shown.error} />
        <Chips shown={shown} />
        <FilterBar shown={shown} />
        <MetricStrip shown={shown} />
        {shown.view.group === 'error' ? (
          <ErrorGroups shown={shown} />
        ) : (
          <Grid key={evaluationId} shown={shown} />
        )}
      </section>
      {shown.view.row !== undefined && (
        <ScenarioPanel key={evaluationId} shown={shown} scenario={shown.view.row} />
      )}
    </main>
  )
}
