// The form for a new share link: its name and expiry.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { assay } from '../api/client.ts'
import { useKey } from '../api/key.ts'
import type { Restriction } from '../api/restriction.ts'
import { formatDateTime } from '../format/times.ts'
import { sharesQuery } from '../queries/shares.ts'
import { Button } from '../ui/button.tsx'
import { LIFETIMES, linkExpiry, today } from './link-expiry.ts'
import styles from './share.module.css'

interface NewLinkFormProps {
  confined_to: Restriction
  onCreated: (key: string) => void
}

export function NewLinkForm({ confined_to, onCreated }: NewLinkFormProps) {
  const id = useId()
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
        Name <span className="muted">(optional)</span>
      </label>
      <input
        id={`${id}name`}
        autoComplete="off"
        maxLength={200}
        placeholder="who or what it is for"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <label htmlFor={`${id}length`}>Expires</label>
      <div className={styles.expiry}>
        <select id={`${id}length`} value={lifetime} onChange={(event) => setLifetime(event.target.value)}>
          {LIFETIMES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
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
