// Page of a variant: a plot of its scores by revision, and the list of revisions with their changes.
import { getRouteApi, Link } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { ErrorPage } from '../../errors/error-page.tsx'
import { IgnoredParams } from '../../errors/ignored-params.tsx'
import styles from '../../revisions/header.module.css'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { Loading } from '../../ui/loading.tsx'
import { FirstRevision } from './first-revision.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { type History, useHistory } from './history.ts'
import { RevisionList } from './revision-list.tsx'
import { Scores } from './scores.tsx'
import { useSelection } from './selection.ts'

const route = getRouteApi('/variants/$variantId')

export function VariantPage() {
  const { variantId } = route.useParams()
  const history = useHistory(variantId)
  useDocumentTitle(history.variant?.name ?? variantId)
  if (history.error instanceof AssayError && !history.revisions) {
    return (
      <main>
        <ErrorPage error={history.error} />
      </main>
    )
  }
  return (
    <main>
      <Header history={history} />
      <IgnoredParams params={history.ignored} />
      {/* The key resets the selection when the variant changes. */}
      <Body key={variantId} history={history} />
    </main>
  )
}

function Body({ history }: { history: History }) {
  const { id, revisions, entries, filter } = history
  const selection = useSelection()
  if (!revisions) return <Loading />
  if (revisions.length === 0) return <FirstRevision id={id} />
  return (
    <>
      <Scores history={history} revisions={revisions} />
      <RevisionList history={history} selection={selection} />
      {entries.length === 0 && (
        <p className={styles.empty}>
          No revision matches “{filter}”.{' '}
          <Link to="/variants/$variantId" params={{ variantId: id }}>
            Show all
          </Link>
        </p>
      )}
      {revisions.length > 1 && <Footer id={id} revisions={revisions} selection={selection} />}
    </>
  )
}
