// The icon of a result state. States without a verdict or an error have none.
import { Check, TriangleAlert, X } from 'lucide'
import { Icon, type IconType } from '../ui/icon.tsx'
import type { RepeatedState, ResultState } from './result-states.ts'
import styles from './state-icon.module.css'

const ICONS: Partial<Record<ResultState | RepeatedState, { icon: IconType; className: string | undefined }>> =
  {
    fail: { icon: X, className: 'worse' },
    pass: { icon: Check, className: 'better' },
    error: { icon: TriangleAlert, className: styles.error },
  }

/** Decoration: the text next to it names the state. */
export function StateIcon({ state }: { state: ResultState | RepeatedState }) {
  const { icon, className } = ICONS[state] ?? {}
  if (!icon) return null
  return (
    <span className={`${styles.icon} ${className}`}>
      <Icon icon={icon} size={14} />
    </span>
  )
}
