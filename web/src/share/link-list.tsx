// The active share links of the project, with a button to revoke each.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Share } from 'assay-client'
import { useId, useRef, useState } from 'react'
import { assay } from '../api/client.ts'
import { formatDateTime } from '../format/times.ts'
import { Button } from '../ui/button.tsx'
import { focusOnMount } from '../ui/focus.ts'
import { TimeAgo } from '../ui/time-ago.tsx'
import { sharedViewLabel } from './link-labels.ts'
import styles from './share.module.css'

/** With a review, only the links of its reviewers. */
export function LinkList({ reviewId }: { reviewId: string | undefined }) {
  const { data, error } = useQuery(sharesQuery)
  const shares = data?.filter(
    ({ confined_to }) => reviewId === undefined || confined_to.review_id === reviewId,
  )
  const heading = useRef<HTMLHeadingElement>(null)
  const [message, setMessage] = useState('')
  const id = useId()
  function onRevoked(share: Share) {
    setMessage(`${linkName(share)} was revoked.`)
    // The pressed button disappears with its list item.
    heading.current?.focus()
  }
  return (
    <section className={styles.shares} aria-labelledby={id}>
      <h3 id={id} ref={heading} tabIndex={-1}>
        Active links {reviewId === undefined ? 'in this project' : 'of this review'}
      </h3>
      <p role="status" className="muted">
        {message}
      </p>
      {error && <p role="alert">{error.message}</p>}
      {shares?.length === 0 && <p className="muted">No active links.</p>}
      {shares && shares.length > 0 && (
        <ul>
          {shares.map((share) => (
            <ShareLink key={share.public_id} share={share} onRevoked={() => onRevoked(share)} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ShareLink({ share, onRevoked }: { share: Share; onRevoked: () => void }) {
  const [isConfirming, setIsConfirming] = useState<boolean>()
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => assay.revokeShare(share.public_id),
    onSuccess: onRevoked,
    // It may have been revoked elsewhere.
    onSettled: () => queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey }),
  })
  return (
    <li>
      <div className={styles.description}>
        <strong>
          <bdi>{linkName(share)}</bdi>
        </strong>{' '}
        opens <bdi>{sharedViewLabel(share.confined_to)}</bdi>
        <p className="muted">
          expires {formatDateTime(share.expires_at)} · created <TimeAgo time={share.created_at} /> · key …
          {share.last_four}
        </p>
        {revoke.error && <p role="alert">The link was not revoked. {revoke.error.message}</p>}
      </div>
      {isConfirming ? (
        <div className={styles.confirmation} role="group" aria-label={`Revoke ${linkName(share)}?`}>
          <span>Revoke it now?</span>
          <Button ref={focusOnMount} size="small" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
            Revoke
          </Button>
          <Button size="small" variant="plain" onClick={() => setIsConfirming(false)}>
            Cancel
          </Button>
        </div>
      ) : (
        <Button
          ref={isConfirming === false ? focusOnMount : null}
          size="small"
          onClick={() => setIsConfirming(true)}
        >
          Revoke<span className="sr-only"> {linkName(share)}</span>
        </Button>
      )}
    </li>
  )
}

function linkName({ name, last_four }: Share): string {
  return name ?? `Link …${last_four}`
}

/** The active links of the project, newest first. */
export const sharesQuery = queryOptions({
  queryKey: ['shares'],
  queryFn: ({ signal }) => assay.listShares({ signal }),
})
