// The content of the panel that shows one scenario next to the table.
import type { EvaluationState } from '../../evaluation-state/page-state.ts'
import { usePanelFrame } from './frame.ts'
import { Scenario } from './scenario.tsx'

export function ScenarioPanel({ pageState, scenario }: { pageState: EvaluationState; scenario: string }) {
  const frame = usePanelFrame(pageState.id, scenario)
  return <Scenario pageState={pageState} id={scenario} frame={frame} />
}
