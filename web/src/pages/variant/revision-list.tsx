// List of revisions, newest first: changes and scores of each.
import { useLocation } from '@tanstack/react-router'
import { memo, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { EvaluationLink } from '../../navigation/evaluation-link.tsx'
import { useListShortcuts } from '../../navigation/list-shortcuts.ts'
import { RevisionLink } from '../../navigation/revision-link.tsx'
import type { Revision, RevisionEvaluation } from '../../queries/variants.ts'
import { ChangeSummary } from '../../revisions/change-summary.tsx'
import { MetricDelta } from '../../revisions/metric-delta.tsx'
import type { Metric } from '../../revisions/metrics.ts'
import { evaluationName } from '../../revisions/metrics.ts'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useTruncatedList } from '../../ui/truncation.tsx'
import type { Selection } from './footer.tsx'
import type { History, HistoryEntry } from './history.ts'
import styles from './revision-list.module.css'

const MAX_EVALUATIONS = 3

/** Rows are rendered in batches, so that a long history appears quickly. */
const BATCH_SIZE = 60
const MAX_ROWS = 1000

export function RevisionList({ history, selection }: { history: History; selection: Selection }) {
  const { entries, metric } = history
  const list = useRef<HTMLTableElement>(null)
  const hash = useLocation({ select: (location) => location.hash })
  const { items, showAll } = useTruncatedList(entries, MAX_ROWS, 'revision')
  const renderedCount = useBatches(items.length)
  const isRendered = items.slice(0, renderedCount).some(({ revision }) => hash === rowId(revision))
  useListShortcuts(list)
  // Labels of the plot link to rows. Focus after the browser's own jump to the hash, which removes the focus.
  useEffect(() => {
    if (!isRendered) return
    const frame = requestAnimationFrame(() => document.getElementById(hash)?.querySelector('a')?.focus())
    return () => cancelAnimationFrame(frame)
  }, [hash, isRendered])
  return (
    <>
      <table ref={list} aria-label="Revisions" className={styles.list}>
        <thead>
          <tr className={styles.header}>
            <th scope="col">
              <span className="sr-only">Selected</span>
            </th>
            <th scope="col">Rev.</th>
            <th scope="col">Author</th>
            <th scope="col">Created</th>
            <th scope="col">Changes</th>
            <th scope="col">Evaluations{metric && `, ${metric.name}`}</th>
          </tr>
        </thead>
        <tbody>
          {items.slice(0, renderedCount).map(({ revision, changeLabels, baseline }) => (
            <Row
              key={revision.revision}
              id={history.id}
              revision={revision}
              changeLabels={changeLabels}
              baseline={baseline}
              metric={metric}
              isHighlighted={hash === rowId(revision)}
              isSelected={selection.numbers.includes(revision.revision)}
              onToggle={selection.toggle}
            />
          ))}
        </tbody>
      </table>
      {showAll && <p className={styles.more}>{showAll}</p>}
    </>
  )
}

/** Number of rows to render; grows by one batch at a time up to the total. */
function useBatches(total: number): number {
  const [rendered, setRendered] = useState(BATCH_SIZE)
  useEffect(() => {
    if (rendered >= total) return
    const timer = setTimeout(() => setRendered(rendered + BATCH_SIZE), 0)
    return () => clearTimeout(timer)
  }, [rendered, total])
  return rendered
}

function rowId({ revision }: Revision): string {
  return `r${revision}`
}

interface RowProps extends HistoryEntry {
  id: string
  metric: Metric | undefined
  isHighlighted: boolean
  isSelected: boolean
  onToggle: (number: number) => void
}

const Row = memo(function Row(props: RowProps) {
  const { id, revision, changeLabels, baseline, metric, isHighlighted, isSelected, onToggle } = props
  const { evaluations } = revision
  const hiddenCount = evaluations.length - MAX_EVALUATIONS
  return (
    <tr
      data-row={revision.revision}
      id={rowId(revision)}
      className={styles.row}
      data-highlighted={isHighlighted || isSelected || undefined}
    >
      <td>
        <input
          type="checkbox"
          aria-label={`Select r${revision.revision}`}
          title="Select (x)"
          checked={isSelected}
          onChange={() => onToggle(revision.revision)}
        />
      </td>
      <td>
        <RevisionLink variantId={id} revision={revision.revision} className={styles.open} />
      </td>
      <td>
        <span className={styles.author} title={revision.modified_by}>
          {revision.modified_by}
        </span>
      </td>
      <td className={styles.created}>
        <TimeAgo time={revision.created_at} />
      </td>
      <td>
        <ChangeSummary changeLabels={changeLabels} />
      </td>
      <td className={styles.evaluations}>
        {evaluations.length === 0 && (
          <span className="muted">
            –<span className="sr-only"> none</span>
          </span>
        )}
        {evaluations.slice(0, MAX_EVALUATIONS).map((evaluation) => (
          <EvaluationScore key={evaluation.id} evaluation={evaluation} baseline={baseline} metric={metric} />
        ))}
        {hiddenCount > 0 && <span className="muted">+ {formatCount(hiddenCount)} more</span>}
      </td>
    </tr>
  )
})

function EvaluationScore({
  evaluation,
  baseline,
  metric,
}: { evaluation: RevisionEvaluation } & Pick<RowProps, 'baseline' | 'metric'>) {
  const value = metric?.valueIn(evaluation)
  return (
    <span className={styles.evaluation}>
      <EvaluationLink id={evaluation.id} name={evaluationName(evaluation)} />
      {metric && value !== undefined && (
        <>
          <span className="number">{metric.format(value)}</span>
          <span className="number">
            <MetricDelta metric={metric} value={value} baseline={baseline} />
          </span>
        </>
      )}
    </span>
  )
}
