// What a new link is called and when it ends.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { assay } from '../api.ts'
import { dateAndTime } from '../format/times.ts'
import type { ConfinedTo } from '../shell/confinement.ts'
import { useKey } from '../shell/key.ts'
import { endOf, LENGTHS, today } from './ends.ts'
import { sharesQuestion } from './questions.ts'
import styles from './share.module.css'

interface NewLinkProps {
  confined_to: ConfinedTo
  onMade: (key: string) => void
}

export function NewLink({ confined_to, onMade }: NewLinkProps) {
  const id = useId()
  const [name, setName] = useState('')
  const [length, setLength] = useState('7')
  const [day, setDay] = useState('')
  const latest = useKey().data?.expires_at ?? null
  const end = endOf({ length, day, latest })
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: (expires_at: string) =>
      assay.createShare({ confined_to, expires_at, ...(name.trim() !== '' && { name: name.trim() }) }),
    onSuccess: ({ key }) => {
      onMade(key)
      return queries.invalidateQueries({ queryKey: sharesQuestion.queryKey })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    // Reckoned anew: the form may have stood open for a while.
    const asked = endOf({ length, day, latest })
    if (asked && !make.isPending) make.mutate(asked.time)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <label htmlFor={`${id}name`}>
        Name <span className="soft">(optional)</span>
      </label>
      <input
        id={`${id}name`}
        autoComplete="off"
        maxLength={200}
        placeholder="who or what it is for"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <label htmlFor={`${id}length`}>Ends</label>
      <div className={styles.end}>
        <select id={`${id}length`} value={length} onChange={(event) => setLength(event.target.value)}>
          {LENGTHS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        {length === 'date' && (
          <input
            type="date"
            aria-label="Last day"
            required
            min={today()}
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
        )}
        {end && (
          <span className="soft">
            {dateAndTime(end.time)}
            {end.isWithKey && ', with your own key'}
          </span>
        )}
      </div>
      <div className={styles.make}>
        <button type="submit" className="primary" disabled={make.isPending}>
          {make.isPending ? 'Making…' : 'Make link'}
        </button>
        {make.error && <span role="alert">No link was made. {make.error.message}</span>}
      </div>
    </form>
  )
}
