// The tabs that select a repeat of the open row.
import { queryClient } from '../../api/client.ts'
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { evaluationRows } from '../../queries/evaluations.ts'
import type { RowRepeats } from '../../results/repeats.ts'
import { repeatTabs } from '../../row-panel/repeat-tab-list.ts'
import { RepeatTabs } from '../../row-panel/repeat-tabs.tsx'
import type { ScenarioState } from './scenario-state.ts'

interface RepeatsProps {
  pageState: EvaluationState
  repeats: RowRepeats
  displays: ScenarioState['displays']
  /** The scenario of the selected repeat. */
  selectedId: string
  onOpen: (scenario: string) => void
}

export function Repeats({ pageState, repeats, displays, selectedId, onOpen }: RepeatsProps) {
  const { id, query } = pageState
  /** The position of a row is the same for all of its repeats. */
  function open(scenario: string) {
    for (const { positionQuery } of [
      evaluationRows(id, query),
      evaluationRows(id, { ...query, filters: [] }),
    ]) {
      const position = queryClient.getQueryData(positionQuery(selectedId).queryKey)
      if (position) queryClient.setQueryData(positionQuery(scenario).queryKey, position)
    }
    onOpen(scenario)
  }
  return (
    <RepeatTabs
      label="Repeat"
      tabs={repeatTabs(repeats, displays, pageState.activeEvaluator)}
      selectedId={selectedId}
      onSelect={open}
    />
  )
}
