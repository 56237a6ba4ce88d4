// What is shown in place of a page whose question failed: what was wrong, and where to go on.
import { Link } from '@tanstack/react-router'
import { AssayError } from 'assay-client'
import { isUnreachable } from '../api.ts'
import { signOut } from '../session.ts'
import { useConfinement } from '../shell/confinement.ts'
import { useKey } from '../shell/key.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './parts.module.css'
import { CopyDetails } from './refused.tsx'

export function Failure({ error }: { error: unknown }) {
  const { data: key } = useKey()
  const isConfined = useConfinement() !== null
  const list = location.pathname.startsWith('/variants') ? '/variants' : '/'
  if (isUnreachable(error)) return <p className={styles.failure}>Waiting for the server…</p>
  if (!(error instanceof AssayError)) {
    return (
      <div role="alert" className={styles.failure}>
        <h1>This page failed</h1>
        <p>{String(error)}</p>
        <CopyButton text={error instanceof Error ? (error.stack ?? String(error)) : String(error)}>
          Copy details
        </CopyButton>
      </div>
    )
  }
  return (
    <div role="alert" className={styles.failure}>
      <h1>{error.title}</h1>
      <p>{error.detail}</p>
      {error.status === 403 && key && (
        <p>
          Your key is for the project <strong>{key.project}</strong>.{' '}
          <button
            type="button"
            onClick={() => signOut(`The key is for the project ${key.project}: ${error.detail}`)}
          >
            Use another key
          </button>
        </p>
      )}
      <p>
        {!isConfined && <Link to={list}>All {list.slice(1) || 'evaluations'}</Link>}{' '}
        <CopyDetails error={error} />
      </p>
    </div>
  )
}
