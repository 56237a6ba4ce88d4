// What the evaluation is: its name, what ran and when, what it is compared with; and what can be done with the view.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { CopyAs } from '../parts/copy-as.tsx'
import { copyText } from '../parts/copy-button.tsx'
import { ListCrumb } from '../parts/list-crumb.tsx'
import { ShareButton } from '../share/button.tsx'
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
  const copyAs = useRef<HTMLDivElement>(null)
  const linkToView = () =>
    viewLink(location.origin + location.pathname, search, { ...shown.view, columns, base: shown.base })
  function copyLink() {
    const { link, areColumnsLeftOut } = linkToView()
    void copyText(
      link,
      areColumnsLeftOut ? 'Link copied. It was too long, so it leaves out the columns.' : 'Link copied.',
    )
  }
  const compare = () => navigate({ to: '/compare', search: { evaluation: compared, on: shown.view.on } })
  useShortcuts('page', {
    ...(mayCompare && { c: compare }),
    y: copyLink,
    '.': () => {
      const button = copyAs.current?.querySelector('button')
      button?.focus()
      button?.click()
    },
  })
  return (
    <div className={styles.actions}>
      {mayCompare && (
        <button type="button" title="Compare row by row (c)" onClick={compare}>
          Compare…
        </button>
      )}
      <button type="button" title="Copy a link to this view (y)" onClick={copyLink}>
        Copy link
      </button>
      <ShareButton confined_to={confinementOf(shown)} link={linkToView} />
      <div ref={copyAs}>
        <CopyAs call={viewCall(shown.id, shown.question)} />
      </div>
      <ExportMenu shown={shown} />
      {mayWrite && shown.evaluation && <EvaluationMenu key={shown.id} evaluation={shown.evaluation} />}
    </div>
  )
}
