// Where a key is given. It stands over whatever page the address names, which shows once the key is good.
import { useId, useState } from 'react'
import { useTitle } from '../parts/title.ts'
import { signIn, useFarewell, useReturn } from '../session.ts'
import styles from './shell.module.css'

export function SignIn({ problem }: { problem?: string | undefined }) {
  useTitle('Sign in')
  const [key, setKey] = useState('')
  const farewell = useFarewell()
  const comeBack = useReturn()
  const id = useId()
  const said = problem ?? farewell
  return (
    <main className={styles.signIn}>
      <h1>
        <span aria-hidden="true" className={styles.mark}>
          ◆
        </span>{' '}
        Sign in to Assay
      </h1>
      {said && <p role="alert">{said}</p>}
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
        <button type="submit" className="primary">
          Sign in
        </button>
      </form>
      {comeBack && (
        <button type="button" onClick={comeBack}>
          Go on with the key of this browser
        </button>
      )}
      <p className="soft">
        <code>npm start</code> prints a link that opens this page signed in. For a service of your own,{' '}
        <code>assay keys create --scope read,write</code> prints a key. It is kept in this browser until you
        sign out. A link that was shared with you works in the tab in which you opened it.
      </p>
    </main>
  )
}
