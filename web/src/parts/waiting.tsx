// What is shown while an answer takes its time: nothing at first, then a thin bar, then words and a way out.
import { useEffect, useState } from 'react'
import styles from './parts.module.css'

const SHOWN_AFTER_MS = 100
const SLOW_AFTER_MS = 3000

interface WaitingProps {
  /** What is being looked at: "100,000 rows". */
  about?: string | undefined
  onCancel?: (() => void) | undefined
}

export function Waiting({ about, onCancel }: WaitingProps) {
  const isShown = usePassed(SHOWN_AFTER_MS)
  const isSlow = usePassed(SLOW_AFTER_MS)
  if (!isShown) return null
  return (
    <div className={styles.waiting}>
      <div role="progressbar" aria-label="Loading" className={styles.progress} />
      {isSlow && (
        <p>
          Still working{about ? `: ${about}` : ''}.{' '}
          {onCancel && (
            <button type="button" onClick={onCancel}>
              Cancel
            </button>
          )}
        </p>
      )}
    </div>
  )
}

function usePassed(ms: number): boolean {
  const [hasPassed, setHasPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return hasPassed
}
