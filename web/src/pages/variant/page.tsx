// Page of a variant: a plot of its scores by revision, and the list of revisions with their changes.
import { getRouteApi, Link } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { FailedPage } from '../../errors/error-page.tsx'
import { IgnoredParams } from '../../errors/ignored-params.tsx'
import { GettingStarted } from '../../revisions/getting-started.tsx'
import styles from '../../revisions/header.module.css'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { Loading } from '../../ui/loading.tsx'
import { Footer, useSelection } from './footer.tsx'
import { Header } from './header.tsx'
import { type History, useHistory } from './history.ts'
import { RevisionList } from './revision-list.tsx'
import { Scores } from './scores.tsx'

const EXAMPLE_REVISION = {
  modified_by: 'me',
  config: { config_name: 'first', parameters: { model: 'a-model', temperature: 0.2 } },
}

const route = getRouteApi('/variants/$variantId')

export function VariantPage() {
  const { variantId } = route.useParams()
  const history = useHistory(variantId)
  useDocumentTitle(history.variant?.name ?? variantId)
  if (history.error instanceof AssayError && !history.revisions) return <FailedPage error={history.error} />
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
  if (revisions.length === 0) {
    return (
      <GettingStarted path={`variants/${encodeURIComponent(id)}/revisions`} example={EXAMPLE_REVISION}>
        This variant has no revisions yet. To add the first,
      </GettingStarted>
    )
  }
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
