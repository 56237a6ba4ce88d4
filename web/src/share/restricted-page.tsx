// Replaces pages that a share link cannot read, and links to what it can read.
import { Link } from '@tanstack/react-router'
import { type Restriction, useRestriction } from '../api/restriction.ts'
import { useDocumentTitle } from '../ui/document-title.ts'
import { MessageBlock } from '../ui/messages/message-block.tsx'
import { sharedViewLabel } from './link-labels.ts'

export function RestrictedPage() {
  const restriction = useRestriction()
  useDocumentTitle('Shared')
  if (restriction === null) return null
  return (
    <main>
      <MessageBlock title="Not included in this link" heading="h1">
        <p>
          Your link opens only <SharedViewLink restriction={restriction} />. Ask the person who sent it for a
          link to this page.
        </p>
      </MessageBlock>
    </main>
  )
}

function SharedViewLink({ restriction }: { restriction: Restriction }) {
  const { evaluation_id, comparison, variant_id, review_id } = restriction
  const label = <bdi>{sharedViewLabel(restriction)}</bdi>
  if (evaluation_id !== undefined)
    return (
      <Link className="count-link" to="/evaluations/$evaluationId" params={{ evaluationId: evaluation_id }}>
        {label}
      </Link>
    )
  if (review_id !== undefined)
    return (
      <Link className="count-link" to="/reviews/$reviewId" params={{ reviewId: review_id }}>
        {label}
      </Link>
    )
  return variant_id === undefined ? (
    <Link className="count-link" to="/compare" search={{ evaluation: comparison }}>
      {label}
    </Link>
  ) : (
    <Link className="count-link" to="/variants/$variantId" params={{ variantId: variant_id }}>
      {label}
    </Link>
  )
}
