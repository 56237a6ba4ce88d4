// The history of a variant: what each revision changed and how it scored, as a plot and as a list.
import { getRouteApi, Link } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { Failure } from '../parts/failure.tsx'
import { Ignored } from '../parts/ignored.tsx'
import { useTitle } from '../parts/title.ts'
import { Waiting } from '../parts/waiting.tsx'
import { FirstRevision } from './first-revision.tsx'
import { Foot } from './foot.tsx'
import { Head } from './head.tsx'
import { type History, useHistory } from './history.ts'
import { RevisionList } from './revision-list.tsx'
import { Scores } from './scores.tsx'
import { useSelection } from './selection.ts'
import styles from './variant.module.css'

const route = getRouteApi('/variants/$variantId')

export function VariantPage() {
  const { variantId } = route.useParams()
  const history = useHistory(variantId)
  useTitle(history.variant?.name ?? variantId)
  if (history.error instanceof AssayError && !history.revisions) {
    return (
      <main>
        <Failure error={history.error} />
      </main>
    )
  }
  return (
    <main>
      <Head history={history} />
      <Ignored parts={history.ignored} />
      {/* What is selected in one history says nothing about another. */}
      <Body key={variantId} history={history} />
    </main>
  )
}

function Body({ history }: { history: History }) {
  const { id, revisions, entries, filter } = history
  const selection = useSelection()
  if (!revisions) return <Waiting />
  if (revisions.length === 0) return <FirstRevision id={id} />
  return (
    <>
      <Scores history={history} revisions={revisions} />
      <RevisionList history={history} selection={selection} />
      {entries.length === 0 && (
        <p className={styles.empty}>
          No revision has “{filter}” in it.{' '}
          <Link to="/variants/$variantId" params={{ variantId: id }}>
            Show all
          </Link>
        </p>
      )}
      {revisions.length > 1 && <Foot id={id} revisions={revisions} selection={selection} />}
    </>
  )
}
