// What is compared, and what can be done with the view; then the answer in a sentence.
import { useSearch } from '@tanstack/react-router'
import { viewLink } from '../evaluation/view-link.ts'
import { ListCrumb } from '../parts/list-crumb.tsx'
import { useTitle } from '../parts/title.ts'
import { ViewActions } from '../parts/view-actions.tsx'
import { Answer } from './answer.tsx'
import { useColumns } from './columns.ts'
import { nameOf } from './compared.ts'
import { EvaluationChips } from './evaluation-chips.tsx'
import { ExportMenu } from './export-menu.tsx'
import styles from './head.module.css'
import { JoinLine } from './join-line.tsx'
import type { Shown } from './shown.ts'
import { viewCall } from './view-call.ts'

export function Head({ shown }: { shown: Shown }) {
  const { view, comparison, error } = shown
  const isRead = comparison !== undefined || !error
  useTitle(`Compare ${view.evaluations.map((id) => nameOf(comparison, id)).join(', ')}`)
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <nav aria-label="Breadcrumb" className={styles.crumb}>
          <ListCrumb to="/" />
        </nav>
        <h1>Compare</h1>
        <EvaluationChips shown={shown} />
        <Actions shown={shown} />
      </div>
      {isRead && <Answer shown={shown} />}
      {isRead && <JoinLine shown={shown} />}
    </header>
  )
}

function Actions({ shown }: { shown: Shown }) {
  const search = useSearch({ strict: false })
  const columns = useColumns(shown).chosen.map(({ key }) => key)
  const linkToView = () => viewLink(location.origin + location.pathname, search, { ...shown.view, columns })
  return (
    <div className={styles.actions}>
      <ViewActions
        link={linkToView}
        confined_to={{ comparison: shown.view.evaluations }}
        call={viewCall({ ...shown.question, on: shown.on })}
      />
      <ExportMenu shown={shown} />
    </div>
  )
}
