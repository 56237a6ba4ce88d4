// The sign-in view. It replaces the page at the current URL until the key is valid.
import { useId, useState } from 'react'
import { signIn, useResumeStoredKey, useSignOutReason } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { useDocumentTitle } from '../ui/document-title.ts'
import styles from './sign-in.module.css'
import { Logo } from './top-bar.tsx'

export function SignIn({ problem }: { problem?: string | undefined }) {
  useDocumentTitle('Sign in')
  const [key, setKey] = useState('')
  const signOutReason = useSignOutReason()
  const resume = useResumeStoredKey()
  const id = useId()
  const message = problem ?? signOutReason
  return (
    <main className={styles.signIn}>
      <h1>
        <Logo /> Sign in to Assay
      </h1>
      {message && (
        <p role="alert" className={styles.problem}>
          {message}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (key.trim() !== '') signIn(key)
        }}
      >
        <label htmlFor={id}>API key</label>
        <input
          id={id}
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder="assay_…"
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <Button type="submit" variant="primary">
          Sign in
        </Button>
      </form>
      {resume && <Button onClick={resume}>Use the key stored in this browser</Button>}
      <p className="muted">
        <code>npm start</code> prints a link that signs you in. To create a key, run{' '}
        <code>assay keys create --scope read,write</code>. The key is stored in this browser until you sign
        out. The key of a share link is stored only for its tab.
      </p>
    </main>
  )
}
