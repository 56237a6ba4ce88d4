// One scenario with a page of its own: what the panel shows, with all the room there is.
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useShown } from '../evaluation/shown.ts'
import { Ignored } from '../parts/ignored.tsx'
import { ListCrumb } from '../parts/list-crumb.tsx'
import { useTitle } from '../parts/title.ts'
import type { Search } from '../search.ts'
import { usePageFrame } from './frame.ts'
import styles from './page.module.css'
import { Scenario } from './scenario.tsx'

const route = getRouteApi('/evaluations/$evaluationId/scenarios/$scenarioId')

export function ScenarioPage() {
  const { evaluationId, scenarioId } = route.useParams()
  const shown = useShown(evaluationId, scenarioId)
  useTitle(scenarioId, shown.evaluation?.name ?? evaluationId)
  const frame = usePageFrame(evaluationId, scenarioId)
  const main = useRef<HTMLElement>(null)
  // What had the focus on the page before is gone with it.
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [])
  return (
    <main ref={main} tabIndex={-1} className={styles.page}>
      <nav aria-label="Where this is" className={styles.path}>
        <ListCrumb to="/" />
        <Link to="/evaluations/$evaluationId" params={{ evaluationId }} search={tableOf}>
          {shown.evaluation?.name ?? evaluationId}
        </Link>
      </nav>
      <Ignored parts={shown.ignored} />
      <Scenario shown={shown} id={scenarioId} frame={frame} />
    </main>
  )
}

/** The same view, without what is about one scenario alone. */
function tableOf(search: Search): Search {
  return { ...search, tab: undefined, output: undefined }
}
