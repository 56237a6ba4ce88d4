// The dialog that creates share links to the current view and revokes existing ones.
import { useId, useState } from 'react'
import type { Restriction } from '../api/restriction.ts'
import { copyText } from '../ui/copy-button.tsx'
import { focusOnMount, showModal } from '../ui/focus.ts'
import { sharedContentLabel, sharedViewLabel } from './link-labels.ts'
import { LinkList } from './link-list.tsx'
import { NewLinkForm } from './new-link-form.tsx'
import styles from './share.module.css'
import type { ViewLink } from './view-link.ts'

export interface ShareTarget {
  confined_to: Restriction
  /** The URL of the current view, with preferences written out as search params. */
  link: () => ViewLink
}

export function ShareDialog({ confined_to, link, onClose }: ShareTarget & { onClose: () => void }) {
  const heading = useId()
  // Shares the view as it was when the dialog opened.
  const [initialView] = useState(link)
  const [key, setKey] = useState<string>()
  return (
    <dialog ref={showModal} aria-labelledby={heading} className={styles.dialog} onClose={onClose}>
      <header className={styles.header}>
        <h2 id={heading}>Share this view</h2>
        <form method="dialog">
          <button type="submit" className="plain">
            ✕<span className="sr-only">Close</span>
          </button>
        </form>
      </header>
      <p>
        A link opens{' '}
        <strong>
          <bdi>{sharedViewLabel(confined_to)}</bdi>
        </strong>{' '}
        as you see it now. Anyone with the link can read {sharedContentLabel(confined_to)} until it expires.
        They cannot change anything or see other data in the project.
      </p>
      {key === undefined ? (
        <NewLinkForm confined_to={confined_to} onCreated={setKey} />
      ) : (
        <CreatedLink
          link={`${initialView.link}#key=${key}`}
          areColumnsOmitted={initialView.areColumnsOmitted ?? false}
        />
      )}
      <LinkList />
    </dialog>
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
      <button
        ref={focusOnMount}
        type="button"
        className="primary"
        onClick={() => copyText(link, 'Copied.', setMessage)}
      >
        Copy link
      </button>
      <p className="muted">
        Copy the link now. It is shown only once.
        {areColumnsOmitted && ' It was too long, so the columns are not included.'}{' '}
        <span role="status">{message}</span>
      </p>
    </div>
  )
}
