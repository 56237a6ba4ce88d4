// The dialog that creates share links to the current view and revokes existing ones.
import { useState } from 'react'
import type { Restriction } from '../api/restriction.ts'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/copy-button.tsx'
import { focusOnMount } from '../ui/focus.ts'
import { Dialog } from '../ui/messages/dialog.tsx'
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
  // Shares the view as it was when the dialog opened.
  const [initialView] = useState(link)
  const [key, setKey] = useState<string>()
  return (
    <Dialog title="Share this view" isWide onClose={onClose}>
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
    </Dialog>
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
