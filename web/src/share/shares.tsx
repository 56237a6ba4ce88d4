// The links of the project that still work: what each opens, until when, and its end before that.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Share } from 'assay-client'
import { useId, useRef, useState } from 'react'
import { assay } from '../api.ts'
import { dateAndTime } from '../format/times.ts'
import { Ago } from '../parts/ago.tsx'
import { focused } from '../parts/focus.ts'
import { sharesQuestion } from './questions.ts'
import styles from './share.module.css'
import { openedWords } from './words.ts'

export function Shares() {
  const { data: shares, error } = useQuery(sharesQuestion)
  const heading = useRef<HTMLHeadingElement>(null)
  const [said, setSaid] = useState('')
  const id = useId()
  function onRevoked(share: Share) {
    setSaid(`${nameOf(share)} has ended.`)
    // The button that was pressed goes with its line.
    heading.current?.focus()
  }
  return (
    <section className={styles.shares} aria-labelledby={id}>
      <h3 id={id} ref={heading} tabIndex={-1}>
        Links of this project that still work
      </h3>
      <p role="status" className="soft">
        {said}
      </p>
      {error && <p role="alert">{error.message}</p>}
      {shares?.length === 0 && <p className="soft">None in this project.</p>}
      {shares && shares.length > 0 && (
        <ul>
          {shares.map((share) => (
            <Line key={share.public_id} share={share} onRevoked={() => onRevoked(share)} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ share, onRevoked }: { share: Share; onRevoked: () => void }) {
  const [isAsked, setIsAsked] = useState<boolean>()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => assay.revokeShare(share.public_id),
    onSuccess: onRevoked,
    // Somebody else may have ended it.
    onSettled: () => queries.invalidateQueries({ queryKey: sharesQuestion.queryKey }),
  })
  return (
    <li>
      <div className={styles.told}>
        <strong>
          <bdi>{nameOf(share)}</bdi>
        </strong>{' '}
        opens <bdi>{openedWords(share.confined_to)}</bdi>
        <p className="soft">
          ends {dateAndTime(share.expires_at)} · made <Ago time={share.created_at} /> · key …{share.last_four}
        </p>
        {revoke.error && <p role="alert">It was not ended. {revoke.error.message}</p>}
      </div>
      {isAsked ? (
        <div className={styles.asked} role="group" aria-label={`End ${nameOf(share)}?`}>
          <span>Revoke it now?</span>
          <button ref={focused} type="button" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
            Revoke
          </button>
          <button type="button" onClick={() => setIsAsked(false)}>
            Keep
          </button>
        </div>
      ) : (
        <button ref={isAsked === false ? focused : null} type="button" onClick={() => setIsAsked(true)}>
          Revoke<span className="unseen"> {nameOf(share)}</span>
        </button>
      )}
    </li>
  )
}

function nameOf({ name, last_four }: Share): string {
  return name ?? `Link …${last_four}`
}
