// Loading state: nothing at first, then a progress bar, then a text and a cancel button.
import { useEffect, useState } from 'react'
import styles from './loading.module.css'

const VISIBLE_AFTER_MS = 100
const TEXT_AFTER_MS = 300

interface LoadingProps {
  /** What happens: "Searching 100,000 rows". */
  description?: string | undefined
  onCancel?: (() => void) | undefined
}

export function Loading({ description = 'Loading', onCancel }: LoadingProps) {
  const isVisible = useHasElapsed(VISIBLE_AFTER_MS)
  const hasText = useHasElapsed(TEXT_AFTER_MS)
  if (!isVisible) return null
  return (
    <div className={styles.loading}>
      <div role="progressbar" aria-label="Loading" className={styles.progress} />
      {hasText && (
        <p>
          {description} …{' '}
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

function useHasElapsed(ms: number): boolean {
  const [hasPassed, setHasPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasPassed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return hasPassed
}
