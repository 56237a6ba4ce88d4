// Running evaluations: their list on top of the first page, and the progress on the page of one.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { useEffect, useState } from 'react'
import { pluralize } from '../format/numbers.ts'
import { countText, type Progress, progressOf, type Sample, withSample } from './progress.ts'
import styles from './running.module.css'

const MAX_LISTED = 3
/** How often the time since the last write is displayed again. */
const CLOCK_MS = 10_000

interface RunningListProps {
  running: readonly Evaluation[]
  /** "answer_correct 94.6 %". */
  scoreOf: (evaluation: Evaluation) => string | undefined
}

export function RunningList({ running, scoreOf }: RunningListProps) {
  return (
    <section aria-label="Running evaluations" className={styles.list}>
      {running.slice(0, MAX_LISTED).map((evaluation) => (
        <ListedRun key={evaluation.id} evaluation={evaluation} score={scoreOf(evaluation)} />
      ))}
      {running.length > MAX_LISTED && (
        <Link to="/" search={{ status: 'eq.running' }}>
          {pluralize(running.length - MAX_LISTED, 'more running evaluation')}
        </Link>
      )}
    </section>
  )
}

function ListedRun({ evaluation, score }: { evaluation: Evaluation; score: string | undefined }) {
  const { id, name } = evaluation
  const progress = useProgress(evaluation)
  return (
    <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} className={styles.run}>
      <span className={progress.isStalled ? styles.stalled : styles.dot} />
      <strong className={`ellipsis ${styles.name}`}>{name ?? id}</strong>
      <Counts evaluation={evaluation} progress={progress} />
      {score && <span className={styles.score}>{score} so far</span>}
    </Link>
  )
}

/** The progress of one evaluation, in one line. */
export function RunProgress({ evaluation }: { evaluation: Evaluation }) {
  const progress = useProgress(evaluation)
  return (
    <span className={styles.progress}>
      <span className={progress.isStalled ? styles.stalled : styles.dot} />
      <span>running</span>
      <Counts evaluation={evaluation} progress={progress} />
    </span>
  )
}

function Counts({ evaluation, progress }: { evaluation: Evaluation; progress: Progress }) {
  const { share, isStalled, pace } = progress
  const [count, rest] = countText(evaluation)
  return (
    <>
      {share !== undefined && (
        <progress
          aria-label={`Progress of ${evaluation.name ?? evaluation.id}`}
          value={share}
          className={styles.bar}
        />
      )}
      <span className={styles.count}>
        <span>{count}</span> <span className="quiet">{rest}</span>
      </span>
      {pace && <span className={isStalled ? styles.warning : `quiet ${styles.pace}`}>{pace}</span>}
    </>
  )
}

/** The rate is that of the last minute, as far as this page has seen it. */
function useProgress(evaluation: Evaluation): Progress {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const newSamples = withSample(samples, evaluation)
  if (newSamples !== samples) setSamples(newSamples)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return progressOf(evaluation, Math.max(now, Date.parse(evaluation.updated_at)), newSamples)
}
