// The breakdown of an evaluation above its rows: of the change from its baseline, or of its scores.
import { BreakdownBox } from '../../breakdown/breakdown-box.tsx'
import type { BreakdownState } from '../../breakdown/breakdown-state.ts'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { baselineLabel } from './header/baseline-menu.tsx'
import styles from './page.module.css'

interface EvaluationBreakdownProps {
  pageState: EvaluationState
  breakdown: BreakdownState
}

export function EvaluationBreakdown({ pageState, breakdown }: EvaluationBreakdownProps) {
  const { id, evaluation, statisticsQuery, totalSummary, activeEvaluator } = pageState
  if (!evaluation || !totalSummary) return null
  const { base, columns } = totalSummary
  const baselineName = base ? baselineLabel(evaluation, base) : ''
  const { revision, name } = evaluation
  return (
    <div className={styles.breakdown}>
      <BreakdownBox
        evaluation={id}
        base={statisticsQuery.base}
        filters={statisticsQuery.filters}
        evaluationNames={[baselineName, revision === null ? (name ?? id) : `r${revision}`]}
        names={columns}
        evaluator={activeEvaluator}
        requested={breakdown.requested}
        onFound={breakdown.onFound}
      />
    </div>
  )
}
