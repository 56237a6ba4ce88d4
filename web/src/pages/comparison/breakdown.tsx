// The breakdown of the change of the first candidate, next to the statistics.
import { useMemo } from 'react'
import { BreakdownBox } from '../../breakdown/breakdown-box.tsx'
import type { BreakdownState } from '../../breakdown/breakdown-state.ts'
import type { ComparisonState } from './page-state.ts'
import { comparisonNames } from './page-state.ts'
import { pairNames } from './row-classes.ts'

interface ComparisonBreakdownProps {
  state: ComparisonState
  breakdown: BreakdownState
}

export function ComparisonBreakdown({ state, breakdown }: ComparisonBreakdownProps) {
  const { comparison, params, query, evaluator } = state
  const names = useMemo(() => comparison && comparisonNames(comparison), [comparison])
  const [base, evaluation = ''] = params.evaluations
  if (!names) return null
  return (
    <BreakdownBox
      evaluation={evaluation}
      base={base}
      filters={query.filters}
      evaluationNames={pairNames(state)}
      names={names}
      evaluator={evaluator}
      requested={breakdown.requested}
      onFound={breakdown.onFound}
    />
  )
}
