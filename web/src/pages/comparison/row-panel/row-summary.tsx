// One line about the row: its class for the selected candidate, whether the output changed, and the scenario id.

import shared from '../../../row-panel/row-panel.module.css'
import { ROW_CLASSES } from '../row-classes.ts'
import type { EvaluationRow, RowData } from '../row-data.ts'

interface RowSummaryProps {
  rowData: RowData
  candidate: EvaluationRow
  evaluator: string | undefined
}

export function RowSummary({ rowData, candidate, evaluator }: RowSummaryProps) {
  const { baseline, candidates, row } = rowData
  const joinedCandidate = row.candidates[candidates.indexOf(candidate)]
  if (!joinedCandidate) return null
  const { description, sign, outcome } = ROW_CLASSES[joinedCandidate.class]
  const ids = [...new Set([baseline, candidate].flatMap(({ scenario }) => scenario?.id ?? []))]
  return (
    <ul className={shared.summaryLine} aria-label="Summary">
      <li className={outcome} title={description}>
        <span aria-hidden="true">{sign} </span>
        {joinedCandidate.class === 'missing' ? (
          missingLabel(baseline, candidate)
        ) : (
          <>
            {joinedCandidate.class} on <bdi>{evaluator}</bdi>
          </>
        )}
      </li>
      {joinedCandidate.output_changed !== null && (
        <li className="muted">{joinedCandidate.output_changed ? 'output changed' : 'same output'}</li>
      )}
      {ids.map((id) => (
        <li key={id} className={shared.scenarioId} title={id}>
          <span className="sr-only">Scenario </span>
          {id}
        </li>
      ))}
    </ul>
  )
}

function missingLabel(baseline: EvaluationRow, candidate: EvaluationRow): string {
  if (baseline.scenario) return `only in ${baseline.name}`
  return candidate.scenario
    ? `only in ${candidate.name}`
    : `in neither ${baseline.name} nor ${candidate.name}`
}
