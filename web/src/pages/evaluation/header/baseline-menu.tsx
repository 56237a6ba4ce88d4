// Selects the evaluation to compare with, on this page only or as the stored baseline.
import { Suspense } from 'react'
import { lazyComponent } from '../../../api/lazy-modules.ts'
import { useRestriction } from '../../../api/restriction.ts'
import { Menu } from '../../../ui/menus/menu.tsx'
import { Loading } from '../../../ui/messages/loading.tsx'
import type { BaselineChoicesProps } from './baseline-choices.tsx'
import { baselineLabel } from './baseline-label.ts'
import styles from './header.module.css'

const BaselineChoices = lazyComponent(async () => (await import('./baseline-choices.tsx')).BaselineChoices)

export function BaselineMenu({ pageState, evaluation }: BaselineChoicesProps) {
  const { baselineId, totalSummary } = pageState
  const base = totalSummary?.base
  const prefix = baselineId === evaluation.baseline_id ? 'Baseline' : 'Compared with'
  const name = base ? baselineLabel(evaluation, base) : '…'
  const label = baselineId === undefined ? 'Select a baseline' : `${prefix} ${name}`
  // A restricted key cannot list other evaluations.
  if (useRestriction() !== null) return baselineId === undefined ? null : <span>{label}</span>
  return (
    <Menu
      className={styles.baseline}
      variant="plain"
      size="small"
      title={base ? `Compared with ${base.name ?? base.id}` : 'Evaluation to compare with'}
      label={<span className="ellipsis">{label}</span>}
    >
      <Suspense fallback={<Loading />}>
        <BaselineChoices pageState={pageState} evaluation={evaluation} />
      </Suspense>
    </Menu>
  )
}
