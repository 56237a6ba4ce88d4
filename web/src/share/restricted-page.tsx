// Replaces pages that a share link cannot read, and links to what it can read.
import { Link } from '@tanstack/react-router'
import { type Restriction, useRestriction } from '../api/restriction.ts'
import styles from '../errors/error-page.module.css'
import { useDocumentTitle } from '../ui/document-title.ts'
import { sharedViewLabel } from './link-labels.ts'

export function RestrictedPage() {
  const restriction = useRestriction()
  useDocumentTitle('Shared')
  if (restriction === null) return null
  return (
    <main className={styles.errorPage}>
      <h1>Not included in this link</h1>
      <p>
        Your link only opens <SharedViewLink restriction={restriction} />.
      </p>
    </main>
  )
}

function SharedViewLink({ restriction }: { restriction: Restriction }) {
  const { evaluation_id, comparison, variant_id } = restriction
  const label = <bdi>{sharedViewLabel(restriction)}</bdi>
  if (evaluation_id !== undefined)
    return (
      <Link to="/evaluations/$evaluationId" params={{ evaluationId: evaluation_id }}>
        {label}
      </Link>
    )
  return variant_id === undefined ? (
    <Link to="/compare" search={{ evaluation: comparison }}>
      {label}
    </Link>
  ) : (
    <Link to="/variants/$variantId" params={{ variantId: variant_id }}>
      {label}
    </Link>
  )
}
