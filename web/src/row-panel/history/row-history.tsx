// The history of a row. It is requested when it scrolls into view.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { evaluationQuery } from '../../queries/evaluations.ts'
import { Skeleton } from '../../ui/messages/skeleton.tsx'
import styles from './history.module.css'
import { HistoryPoints } from './history-points.tsx'

interface RowHistoryProps {
  evaluationId: string
  scenarioId: string
}

/** Nothing for an evaluation without a variant: its rows have no history. */
export function RowHistory({ evaluationId, scenarioId }: RowHistoryProps) {
  const { data: evaluation } = useQuery(evaluationQuery(evaluationId))
  if (!evaluation?.variant_id) return null
  return <VisibleHistory evaluationId={evaluationId} scenarioId={scenarioId} />
}

function VisibleHistory(props: RowHistoryProps) {
  const headingId = useId()
  const section = useRef<HTMLElement>(null)
  const [wasVisible, setWasVisible] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setWasVisible(true))
    if (section.current) observer.observe(section.current)
    return () => observer.disconnect()
  }, [])
  return (
    <section ref={section} aria-labelledby={headingId} className={styles.history}>
      <h3 id={headingId}>History of this row</h3>
      {wasVisible ? <HistoryPoints {...props} fallback={<LoadingPoints />} /> : <LoadingPoints />}
    </section>
  )
}

function LoadingPoints() {
  return (
    <div aria-hidden="true" className={styles.points}>
      {[1, 2, 3].map((key) => (
        <span key={key} className={styles.point}>
          <Skeleton width={12} />
        </span>
      ))}
    </div>
  )
}
