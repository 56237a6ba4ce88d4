// The running evaluations with their progress, on top of the page.
import { Link } from '@tanstack/react-router'
import type { Evaluation } from 'assay-client'
import { pluralize } from '../../../format/numbers.ts'
import { formatWithUnit } from '../../../results/measures.ts'
import { isEvaluatorMeasure, measuresOf } from '../groups.ts'
import { countText, progressOf } from './progress.ts'
import styles from './running-list.module.css'

const MAX_LISTED = 3

export function RunningList({ running }: { running: readonly Evaluation[] }) {
  return (
    <section aria-label="Running evaluations" className={styles.list}>
      {running.slice(0, MAX_LISTED).map((evaluation) => (
        <RunningEvaluation key={evaluation.id} evaluation={evaluation} />
      ))}
      {running.length > MAX_LISTED && (
        <Link to="/" search={{ status: 'eq.running' }}>
          {pluralize(running.length - MAX_LISTED, 'more running evaluation')}
        </Link>
      )}
    </section>
  )
}

function RunningEvaluation({ evaluation }: { evaluation: Evaluation }) {
  const { id, name } = evaluation
  const { share, isStalled, pace } = progressOf(evaluation)
  const [count, rest] = countText(evaluation)
  const score = scoreSoFar(evaluation)
  return (
    <Link to="/evaluations/$evaluationId" params={{ evaluationId: id }} className={styles.run}>
      <span className={isStalled ? styles.stalled : styles.dot} />
      <strong className={`ellipsis ${styles.name}`}>{name ?? id}</strong>
      {share !== undefined && (
        <progress aria-label={`Progress of ${name ?? id}`} value={share} className={styles.bar} />
      )}
      <span className={styles.count}>
        <span>{count}</span> <span className="quiet">{rest}</span>
      </span>
      <span className={isStalled ? styles.warning : `quiet ${styles.pace}`}>{pace}</span>
      {score && <span className={styles.score}>{score} so far</span>}
    </Link>
  )
}

/** "answer_correct 94.6 %". */
function scoreSoFar(evaluation: Evaluation): string | undefined {
  const [measure] = measuresOf([evaluation]).filter(isEvaluatorMeasure)
  const value = measure?.measureIn(evaluation)
  return measure && value && `${measure.name} ${formatWithUnit(value.unit, value.value, measure.decimals)}`
}
