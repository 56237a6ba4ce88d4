// A row of the revision table: changes, message, author, date, and the scores of the newest evaluation.
import { memo } from 'react'
import { formatDateTime, formatDay } from '../../../format/times.ts'
import { EvaluationLink, RevisionLink } from '../../../navigation/links.tsx'
import type { RevisionEvaluation } from '../../../queries/variants.ts'
import { plainText } from '../../../revisions/change-labels.ts'
import { ChangeSummary } from '../../../revisions/change-summary.tsx'
import { MetricValue } from '../../../revisions/metric-value.tsx'
import { evaluationName } from '../../../revisions/metrics.ts'
import tableStyles from '../../../ui/table.module.css'
import type { HistoryEntry } from '../history.ts'
import { isRunning, runningText } from '../verdict-parts.ts'
import type { Columns } from './columns.ts'
import styles from './revision-table.module.css'

interface RevisionRowProps {
  id: string
  index: number
  entry: HistoryEntry
  columns: Columns
  isSelected: boolean
  onToggle: (revision: number) => void
  onFocus: (index: number) => void
}

export const RevisionRow = memo(function RevisionRow(props: RevisionRowProps) {
  const { id, index, entry, columns, isSelected, onToggle, onFocus } = props
  const { revision, modified_by, created_at, message, evaluations } = entry.revision
  return (
    <tr
      data-row={revision}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      onFocus={() => onFocus(index)}
    >
      <td>
        <input
          type="checkbox"
          aria-label={`Select r${revision}`}
          data-tooltip="Select"
          data-shortcut="x"
          checked={isSelected}
          onChange={() => onToggle(revision)}
        />
      </td>
      <td>
        <RevisionLink variantId={id} revision={revision} className={styles.revision} />
      </td>
      <td className={styles.changes} data-tooltip={entry.changeLabels.labels.map(plainText).join('\n')}>
        <ChangeSummary changeLabels={entry.changeLabels} />
      </td>
      {columns.hasMessage && (
        <td className={styles.text} data-tooltip={message ?? undefined}>
          {message}
        </td>
      )}
      {columns.hasAuthor && (
        <td className={styles.text} data-tooltip={modified_by}>
          {modified_by}
        </td>
      )}
      {columns.hasDate && (
        <td className={styles.text}>
          <time dateTime={created_at} data-tooltip={formatDateTime(created_at)}>
            {formatDay(created_at)}
          </time>
        </td>
      )}
      <ScoreCells id={id} evaluations={evaluations} columns={columns} />
    </tr>
  )
})

interface ScoreCellsProps {
  id: string
  evaluations: readonly RevisionEvaluation[]
  columns: Columns
}

function ScoreCells({ id, evaluations, columns: { metrics } }: ScoreCellsProps) {
  const [newest] = evaluations
  if (metrics.length === 0) return null
  if (!newest || isRunning(newest)) {
    return (
      <td colSpan={metrics.length} className={styles.status}>
        {newest ? (
          <span className={styles.running}>
            <EvaluationLink id={newest.id} name={runningText(newest)} />
          </span>
        ) : (
          'not evaluated'
        )}
      </td>
    )
  }
  return metrics.map((metric, index) => (
    <td key={`${metric.search.on} ${metric.search.figure}`} className={tableStyles.numeric}>
      <MetricValue
        variantId={id}
        evaluation={newest}
        metric={metric}
        link={index === 0 ? (text) => <ScoreLink evaluation={newest} text={text} /> : undefined}
      />
    </td>
  ))
}

/** The first value of a row opens its evaluation. */
function ScoreLink({ evaluation, text }: { evaluation: RevisionEvaluation; text: string }) {
  return (
    <span className={styles.score} data-tooltip={evaluationName(evaluation)}>
      <EvaluationLink id={evaluation.id} name={text} />
    </span>
  )
}
