// Error pages: for a failed query, an unavailable server, an exception while rendering, and an unknown path.
import { Link, useLocation } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { isUnreachable } from '../api/client.ts'
import { useKey } from '../api/key.ts'
import { useRestriction } from '../api/restriction.ts'
import { signOut } from '../api/session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { CopyDetailsButton } from './error-notice.tsx'

import styles from './error-page.module.css'

export function ErrorPage({ error }: { error: unknown }) {
  const { data: keyInfo } = useKey()
  const isRestricted = useRestriction() !== null
  const listPath = useLocation().pathname.startsWith('/variants') ? '/variants' : '/'
  if (isUnreachable(error)) return <p className={styles.errorPage}>The server is not available. Retrying…</p>
  if (!(error instanceof AssayError)) {
    return (
      <div role="alert" className={styles.errorPage}>
        <h1>This page could not be displayed. Reload it.</h1>
        <p>{String(error)}</p>
        <CopyButton text={error instanceof Error ? (error.stack ?? String(error)) : String(error)}>
          Copy details
        </CopyButton>
      </div>
    )
  }
  return (
    <div role="alert" className={styles.errorPage}>
      <h1>{error.title}</h1>
      <p>{error.detail}</p>
      {error.status === 403 && keyInfo && (
        <p>
          Your key is for project <strong>{keyInfo.project}</strong>.{' '}
          <button
            type="button"
            onClick={() => signOut(`Your key is for project ${keyInfo.project}. ${error.detail}`)}
          >
            Use another key
          </button>
        </p>
      )}
      <p>
        {!isRestricted && <Link to={listPath}>All {listPath.slice(1) || 'evaluations'}</Link>}{' '}
        <CopyDetailsButton error={error} />
      </p>
    </div>
  )
}

/** For a page whose data could not be loaded. */
export function FailedPage({ error }: { error: unknown }) {
  return (
    <main>
      <ErrorPage error={error} />
    </main>
  )
}

export function NotFoundPage() {
  return (
    <main className={styles.errorPage}>
      <h1>Page not found</h1>
      <p>
        There is no page at this address. <Link to="/">All evaluations</Link>
      </p>
    </main>
  )
}
