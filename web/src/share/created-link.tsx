// The new share link, to copy. It is shown only once.
import { useState } from 'react'
import { copyText } from '../ui/copy-button.tsx'
import { focusOnMount } from '../ui/focus.ts'
import styles from './share.module.css'

export function CreatedLink({ link, areColumnsOmitted }: { link: string; areColumnsOmitted: boolean }) {
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
