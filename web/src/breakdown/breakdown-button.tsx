// The button of a toolbar that opens and closes the breakdown.
import { ChartBarDecreasing } from 'lucide'
import { IconButton } from '../ui/button.tsx'
import type { BreakdownState } from './breakdown-state.ts'

export function BreakdownButton({ breakdown: { isOpen, toggle } }: { breakdown: BreakdownState }) {
  return (
    <IconButton
      icon={ChartBarDecreasing}
      label={isOpen ? 'Close the breakdown' : 'Break down'}
      shortcut={isOpen ? undefined : 'b'}
      size="small"
      aria-expanded={isOpen}
      onClick={toggle}
    />
  )
}
