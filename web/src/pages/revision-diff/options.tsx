// Sticky toolbar of the revision diff: layout options and buttons to step through the changes.

import layoutStyles from '../../content/text-layout.module.css'
import { LineSwitches } from '../../content/text-layout.tsx'
import { type ChangeSteps, StepButtons } from '../../diff/change-steps.tsx'
import { useShortcuts } from '../../state/shortcuts.ts'
import styles from './page.module.css'
import type { RevisionDiffParams } from './page-params.ts'

export function Options({ params, steps }: { params: RevisionDiffParams; steps: ChangeSteps }) {
  useShortcuts('page', { s: params.toggleSplit, w: params.toggleWrap })
  return (
    <div role="group" aria-label="Diff options" className={styles.options}>
      <label>
        <input type="checkbox" checked={!params.showsUnchanged} onChange={params.toggleUnchanged} /> only
        changes
      </label>
      <label>
        <input type="checkbox" checked={params.ignoreWhitespace} onChange={params.toggleWhitespace} /> ignore
        whitespace
      </label>
      <div className={layoutStyles.switches}>
        <LineSwitches layout={params} hasSplit />
      </div>
      <div className={styles.steps}>
        <StepButtons steps={steps}>changes</StepButtons>
      </div>
    </div>
  )
}
