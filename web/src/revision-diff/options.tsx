// How the difference is shown, and the way through it. Stays in sight above what it leads through.
import { StepButtons, type Steps } from '../diff/steps.tsx'
import { LineSwitches } from '../scenario/layout-switches.tsx'
import scenario from '../scenario/scenario.module.css'
import { useShortcuts } from '../shortcuts.ts'
import styles from './page.module.css'
import type { View } from './view.ts'

export function Options({ view, steps }: { view: View; steps: Steps }) {
  useShortcuts('page', { s: view.switchSplit, w: view.switchWrap })
  return (
    <div role="group" aria-label="How it is shown" className={styles.options}>
      <label>
        <input type="checkbox" checked={!view.isWhole} onChange={view.switchWhole} /> only changes
      </label>
      <label>
        <input type="checkbox" checked={view.ignoresSpace} onChange={view.switchSpace} /> ignore white space
      </label>
      <div className={scenario.switches}>
        <LineSwitches layout={view} hasSplit />
      </div>
      <div className={styles.steps}>
        <StepButtons steps={steps}>changes</StepButtons>
      </div>
    </div>
  )
}
