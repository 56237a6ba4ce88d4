// The dialog that creates share links to the current view and revokes existing ones, with its form.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { assay } from '../api/client.ts'
import { useKey } from '../api/key.ts'
import type { Restriction } from '../api/restriction.ts'
import { formatDateTime } from '../format/times.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copy-button.tsx'
import { focusOnMount } from '../ui/focus.ts'
import { ChoiceMenu } from '../ui/menus/choice-menu.tsx'
import { Dialog } from '../ui/messages/dialog.tsx'
import { sharedContentLabel, sharedViewLabel } from './link-labels.ts'
import { LinkList, sharesQuery } from './link-list.tsx'
import styles from './share.module.css'
import type { ViewLink } from './view-link.ts'

export interface ShareTarget {
  confined_to: Restriction
  /** The URL of the current view, with preferences written out as search params. */
  link: () => ViewLink
}

export function ShareDialog({ confined_to, link, onClose }: ShareTarget & { onClose: () => void }) {
  // Shares the view as it was when the dialog opened.
  const [initialView] = useState(link)
  const [key, setKey] = useState<string>()
  const isReview = confined_to.review_id !== undefined
  return (
    <Dialog title={isReview ? 'Invite a reviewer' : 'Share this view'} isWide onClose={onClose}>
      {isReview ? <ReviewerRights /> : <ReaderRights confined_to={confined_to} />}
      {key === undefined ? (
        <NewLinkForm confined_to={confined_to} onCreated={setKey} />
      ) : (
        <CreatedLink
          link={`${initialView.link}#key=${key}`}
          areColumnsOmitted={initialView.areColumnsOmitted ?? false}
        />
      )}
      <LinkList reviewId={confined_to.review_id} />
    </Dialog>
  )
}

function ReaderRights({ confined_to }: Pick<ShareTarget, 'confined_to'>) {
  return (
    <p>
      A link opens{' '}
      <strong>
        <bdi>{sharedViewLabel(confined_to)}</bdi>
      </strong>{' '}
      as you see it now. Anyone with the link can read {sharedContentLabel(confined_to)} until it expires.
      They cannot change anything or see other data in the project.
    </p>
  )
}

function ReviewerRights() {
  return (
    <p>
      Create one link per reviewer. It opens only the rows of this review and stores answers under the name
      below. Scores, other answers and the name of the evaluation stay hidden.
    </p>
  )
}

/** The new share link, to copy. It is shown only once. */
function CreatedLink({ link, areColumnsOmitted }: { link: string; areColumnsOmitted: boolean }) {
  // A toast would be hidden behind the dialog.
  const [message, setMessage] = useState('')
  return (
    <div className={styles.created}>
      <input
        readOnly
        aria-label="Share link"
        value={link}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button ref={focusOnMount} variant="primary" onClick={() => copyText(link, 'Copied.', setMessage)}>
        Copy link
      </Button>
      <p className="muted">
        Copy the link now. It is shown only once.
        {areColumnsOmitted && ' It was too long, so the columns are not included.'}{' '}
        <span role="status">{message}</span>
      </p>
    </div>
  )
}

interface NewLinkFormProps {
  confined_to: Restriction
  onCreated: (key: string) => void
}

/** The form for a new share link: its name and expiry. */
function NewLinkForm({ confined_to, onCreated }: NewLinkFormProps) {
  const id = useId()
  const isReview = confined_to.review_id !== undefined
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState('7')
  const [day, setDay] = useState('')
  const keyExpiry = useKey().data?.expires_at ?? null
  const expiry = linkExpiry({ lifetime, day, keyExpiry })
  const queryClient = useQueryClient()
  const createLink = useMutation({
    mutationFn: (expires_at: string) =>
      assay.createShare({ confined_to, expires_at, ...(name.trim() !== '' && { name: name.trim() }) }),
    onSuccess: ({ key }) => {
      onCreated(key)
      return queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    // Computed again, because the form may have been open for a while.
    const currentExpiry = linkExpiry({ lifetime, day, keyExpiry })
    if (currentExpiry && !createLink.isPending) createLink.mutate(currentExpiry.time)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor={`${id}name`}>
        {isReview ? 'Reviewer' : 'Name'} {!isReview && <span className="muted">(optional)</span>}
      </label>
      <input
        id={`${id}name`}
        autoComplete="off"
        maxLength={200}
        required={isReview}
        placeholder={isReview ? 'whose answers it stores' : 'who or what it is for'}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <span aria-hidden="true">Expires</span>
      <div className={styles.expiry}>
        <ChoiceMenu
          title="Expires"
          value={lifetime}
          options={LIFETIMES.map(([value, name]) => ({ value, name }))}
          onSelect={setLifetime}
        />
        {lifetime === 'date' && (
          <input
            type="date"
            aria-label="Last day"
            required
            min={today()}
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
        )}
        {expiry && (
          <span className="muted">
            {formatDateTime(expiry.time)}
            {expiry.isLimitedByKey && ', when your key expires'}
          </span>
        )}
      </div>
      <div className={styles.submit}>
        <Button type="submit" variant="primary" disabled={createLink.isPending}>
          {createLink.isPending ? 'Creating…' : 'Create link'}
        </Button>
        {createLink.error && <span role="alert">The link was not created. {createLink.error.message}</span>}
      </div>
    </form>
  )
}

const DAY_MS = 86_400_000

/** Options of the form: a number of days, or 'date'. */
const LIFETIMES = [
  ['1', 'in 1 day'],
  ['7', 'in 7 days'],
  ['30', 'in 30 days'],
  ['date', 'on a date'],
] as const

interface ExpiryOptions {
  lifetime: string
  /** The value of the date input. */
  day: string
  /** When the key that creates the link expires. */
  keyExpiry: string | null
}

interface LinkExpiry {
  time: string
  isLimitedByKey: boolean
}

/** Undefined until a date is set. */
function linkExpiry({ lifetime, day, keyExpiry }: ExpiryOptions, now = Date.now()): LinkExpiry | undefined {
  // The end of the day in the user's time zone.
  const end = lifetime === 'date' ? Date.parse(`${day}T23:59:59`) : now + Number(lifetime) * DAY_MS
  if (Number.isNaN(end)) return undefined
  const isLimitedByKey = keyExpiry !== null && Date.parse(keyExpiry) < end
  return { time: isLimitedByKey ? keyExpiry : new Date(end).toISOString(), isLimitedByKey }
}

/** Today in the user's time zone, as a value of a date input. */
function today(now = new Date()): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`
}
