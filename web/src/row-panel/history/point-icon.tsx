// The icon of a point. Unlike elsewhere, states without a verdict have one too, because a small point has no text.
import { CircleAlert, Minus } from 'lucide'
import type { ResultState } from '../../results/result-states.ts'
import { StateIcon } from '../../results/state-icon.tsx'
import { Icon } from '../../ui/icon.tsx'

export function PointIcon({ state }: { state: ResultState }) {
  if (state !== 'unscored' && state !== 'output_error') return <StateIcon state={state} />
  return (
    <span className={state === 'unscored' ? 'quiet' : 'worse'}>
      <Icon icon={state === 'unscored' ? Minus : CircleAlert} size={14} />
    </span>
  )
}
