// One scenario beside the table it is a row of.
import type { Shown } from '../evaluation/shown.ts'

export function ScenarioPanel({ shown, scenario }: { shown: Shown; scenario: string }) {
  return (
    <aside aria-label="Scenario">
      {shown.id} {scenario}
    </aside>
  )
}
