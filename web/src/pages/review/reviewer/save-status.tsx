// Whether the answers of a reviewer are stored.
import { Check, CloudOff } from 'lucide'
import { useEffect, useState } from 'react'
import { pluralize } from '../../../format/numbers.ts'
import { formatTimeAgo } from '../../../format/times.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from '../review.module.css'
import type { Outbox } from './outbox.ts'

interface SaveStatusProps {
  reviewer: string
  outbox: Outbox
}

export function SaveStatus({ reviewer, outbox: { unsaved, isFailing, savedAt, discard } }: SaveStatusProps) {
  const rejected = unsaved.find(({ problem }) => problem !== undefined)
  if (rejected) {
    return (
      <span role="alert" className={styles.unsaved}>
        Row {rejected.scenario} is not saved: {rejected.problem}{' '}
        <Button size="small" onClick={() => discard(rejected)}>
          Discard
        </Button>
      </span>
    )
  }
  if (isFailing) {
    return (
      <span role="status" className={styles.unsaved}>
        <Icon icon={CloudOff} size={14} /> {pluralize(unsaved.length, 'answer')} not saved yet
      </span>
    )
  }
  return (
    <span role="status" className={styles.saved}>
      {unsaved.length > 0 && `Saving as ${reviewer} …`}
      {unsaved.length === 0 && savedAt !== undefined && (
        <>
          <Icon icon={Check} size={14} /> Saved as {reviewer}, <Age time={savedAt} />
        </>
      )}
      {unsaved.length === 0 && savedAt === undefined && `You answer as ${reviewer}`}
    </span>
  )
}

/** Not announced again every second. */
function Age({ time }: { time: string }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000))
  return <span aria-hidden="true">{seconds < 60 ? `${seconds} s ago` : formatTimeAgo(time, now)}</span>
}
