// The link that was made, to copy: nothing keeps it.
import { useState } from 'react'
import { copyText } from '../parts/copy-button.tsx'
import { focused } from '../parts/focus.ts'
import styles from './share.module.css'

export function Made({ link, areColumnsLeftOut }: { link: string; areColumnsLeftOut: boolean }) {
  // What the page says elsewhere would be behind the dialog.
  const [said, setSaid] = useState('')
  return (
    <div className={styles.made}>
      <input readOnly aria-label="The link" value={link} onFocus={(event) => event.currentTarget.select()} />
      <button
        ref={focused}
        type="button"
        className="primary"
        onClick={() => copyText(link, 'Copied.', setSaid)}
      >
        Copy link
      </button>
      <p className="soft">
        Shown once: the key in it is kept nowhere, so copy it now.
        {areColumnsLeftOut && ' It was too long, so it leaves out the columns.'}{' '}
        <span role="status">{said}</span>
      </p>
    </div>
  )
}
