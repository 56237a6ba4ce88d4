// Selects the evaluation to compare with, on this page only or as the stored baseline.
import { useRestriction } from '../../../api/restriction.ts'
import { Menu } from '../../../ui/menus/menu.tsx'
import type { BaselineChoicesProps } from './baseline-choices.tsx'
import { BaselineChoices } from './baseline-choices.tsx'
import { baselineLabel } from './baseline-label.ts'
import styles from './header.module.css'

/** Why the API chose a baseline for an evaluation without its own one. */
const BASELINE_REASONS: Record<string, { label: string; detail: string } | undefined> = {
  marked: {
    label: 'Marked baseline',
    detail: 'This evaluation has no baseline of its own, and this one is the baseline of another evaluation.',
  },
  previous: {
    label: 'Previous run',
    detail: 'This evaluation has no baseline, so it is compared with the previous one of its variant.',
  },
}

export function BaselineMenu({ pageState, evaluation }: BaselineChoicesProps) {
  const { baselineId, totalSummary } = pageState
  const base = totalSummary?.base
  const isDeclared = baselineId === evaluation.baseline_id
  const chosen = base && BASELINE_REASONS[base.chosen ?? '']
  const prefix = isDeclared ? 'Baseline' : (chosen?.label ?? 'Compared with')
  const name = base ? baselineLabel(evaluation, base) : '…'
  const label = baselineId === undefined ? 'Select a baseline' : `${prefix} ${name}`
  // A restricted key cannot list other evaluations.
  if (useRestriction() !== null) return baselineId === undefined ? null : <span>{label}</span>
  return (
    <Menu
      className={styles.baseline}
      variant="plain"
      size="small"
      title={
        base
          ? [`Compared with ${base.name ?? base.id}.`, chosen?.detail].filter(Boolean).join(' ')
          : 'Evaluation to compare with'
      }
      label={<span className="ellipsis">{label}</span>}
    >
      <BaselineChoices pageState={pageState} evaluation={evaluation} />
    </Menu>
  )
}
