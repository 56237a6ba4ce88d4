// One line about the row: its class for the selected candidate, and whether the output changed.
import { Triangle } from '../../../ui/icon.tsx'
import { ROW_CLASSES } from '../row-classes.ts'
import type { EvaluationRow, RowData } from '../row-data.ts'
import styles from './row-panel.module.css'

interface RowSummaryProps {
  rowData: RowData
  candidate: EvaluationRow
  evaluator: string | undefined
}

export function RowSummary({ rowData, candidate, evaluator }: RowSummaryProps) {
  const { baseline, candidates, row } = rowData
  const joinedCandidate = row.candidates[candidates.indexOf(candidate)]
  if (!joinedCandidate) return null
  const { description, outcome } = ROW_CLASSES[joinedCandidate.class]
  const hasOtherId = baseline.scenario && candidate.scenario && baseline.scenario.id !== candidate.scenario.id
  return (
    <div className={styles.summary}>
      <p data-tooltip={description}>
        {outcome && <Triangle direction={outcome} />}{' '}
        {joinedCandidate.class === 'missing' ? (
          missingLabel(baseline, candidate)
        ) : (
          <>
            <strong className={outcome}>{joinedCandidate.class}</strong> on <bdi>{evaluator}</bdi>
          </>
        )}
      </p>
      {joinedCandidate.output_changed !== null && (
        <p className="muted">{joinedCandidate.output_changed ? 'output changed' : 'same output'}</p>
      )}
      {hasOtherId && (
        <p className="muted">
          in {candidate.shortName} <code>{candidate.scenario?.id}</code>
        </p>
      )}
    </div>
  )
}

function missingLabel(baseline: EvaluationRow, candidate: EvaluationRow): string {
  if (baseline.scenario) return `only in ${baseline.name}`
  return candidate.scenario
    ? `only in ${candidate.name}`
    : `in neither ${baseline.name} nor ${candidate.name}`
}
