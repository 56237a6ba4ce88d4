// One scenario beside the table it is a row of.
import type { Shown } from '../evaluation/shown.ts'
import { Panel } from '../parts/panel.tsx'
import { usePanelFrame } from './frame.ts'
import { Scenario } from './scenario.tsx'

export function ScenarioPanel({ shown, scenario }: { shown: Shown; scenario: string }) {
  const frame = usePanelFrame(shown.id, scenario)
  return (
    <Panel label="Scenario">
      <Scenario shown={shown} id={scenario} frame={frame} />
    </Panel>
  )
}
