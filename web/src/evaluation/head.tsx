// What the evaluation is: its name, what ran and when, what it is compared with; and what can be done with the view.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ListCrumb } from '../parts/list-crumb.tsx'
import { ViewActions } from '../parts/view-actions.tsx'
import { useConfinement } from '../shell/confinement.ts'
import { useMayWrite } from '../shell/key.ts'
import { useShortcuts } from '../shortcuts.ts'
import { useColumns } from './columns.ts'
import { Details } from './details.tsx'
import { EvaluationMenu } from './evaluation-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import styles from './head.module.css'
import { confinementOf, type Shown } from './shown.ts'
import { viewCall } from './view-call.ts'
import { viewLink } from './view-link.ts'

export function Head({ shown }: { shown: Shown }) {
  const { evaluation } = shown
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <nav aria-label="Breadcrumb" className={styles.crumb}>
          <ListCrumb to="/" />
        </nav>
        <h1 title={evaluation?.name ? `${evaluation.name} (${shown.id})` : shown.id}>
          {evaluation?.name ?? shown.id}
        </h1>
        <Actions shown={shown} />
      </div>
      <Details shown={shown} />
    </header>
  )
}

function Actions({ shown }: { shown: Shown }) {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  const compared = shown.base === undefined ? shown.id : [shown.base, shown.id]
  // Who may read this one alone has nothing to compare it with.
  const mayCompare = useConfinement() === null || shown.base !== undefined
  const columns = useColumns(shown).chosen.map(({ key }) => key)
  const linkToView = () =>
    viewLink(location.origin + location.pathname, search, { ...shown.view, columns, base: shown.base })
  const compare = () => navigate({ to: '/compare', search: { evaluation: compared, on: shown.view.on } })
  useShortcuts('page', mayCompare ? { c: compare } : {})
  return (
    <div className={styles.actions}>
      {mayCompare && (
        <button type="button" title="Compare row by row (c)" onClick={compare}>
          Compare…
        </button>
      )}
      <ViewActions
        link={linkToView}
        confined_to={confinementOf(shown)}
        call={viewCall(shown.id, shown.question)}
      />
      <ExportMenu shown={shown} />
      {mayWrite && shown.evaluation && <EvaluationMenu key={shown.id} evaluation={shown.evaluation} />}
    </div>
  )
}
