// What is compared, and what can be done with the view; then the answer in a sentence.
import { useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { viewLink } from '../evaluation/view-link.ts'
import { CopyAs } from '../parts/copy-as.tsx'
import { copyText } from '../parts/copy-button.tsx'
import { useTitle } from '../parts/title.ts'
import { ShareButton } from '../share/button.tsx'
import { useShortcuts } from '../shortcuts.ts'
import { Answer } from './answer.tsx'
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
  const copyAs = useRef<HTMLDivElement>(null)
  const linkToView = () => viewLink(location.origin + location.pathname, search, shown.view)
  function copyLink() {
    const { link, areColumnsLeftOut } = linkToView()
    void copyText(
      link,
      areColumnsLeftOut ? 'Link copied. It was too long, so it leaves out the columns.' : 'Link copied.',
    )
  }
  useShortcuts('page', {
    y: copyLink,
    '.': () => {
      const button = copyAs.current?.querySelector('button')
      button?.focus()
      button?.click()
    },
  })
  return (
    <div className={styles.actions}>
      <button type="button" title="Copy a link to this view (y)" onClick={copyLink}>
        Copy link
      </button>
      <ShareButton confined_to={{ comparison: shown.view.evaluations }} link={linkToView} />
      <div ref={copyAs}>
        <CopyAs call={viewCall({ ...shown.question, on: shown.on })} />
      </div>
      <ExportMenu shown={shown} />
    </div>
  )
}
