// The search param `breakdown`: a dimension, the best one, or none. Without it, a breakdown opens by itself if one group explains
// the change.
import { useState } from 'react'
import { useChangeSearchParams } from '../state/search-params.ts'
import { useShortcuts } from '../state/shortcuts.ts'

export const CLOSED = 'none'
export const BEST_DIMENSION = 'best'

export type BreakdownState = ReturnType<typeof useBreakdownState>

/** `mayOpen` is whether there is a change that a group could explain. */
export function useBreakdownState(requested: string | undefined, mayOpen: boolean) {
  const [found, setFound] = useState<string>()
  const changeParams = useChangeSearchParams()
  const isMounted = requested === undefined ? mayOpen : requested !== CLOSED
  const isOpen = isMounted && (requested ?? found) !== undefined
  const open = () => changeParams({ breakdown: BEST_DIMENSION })
  // The box has the shortcut while it is open.
  useShortcuts('page', isOpen ? {} : { b: { label: 'Break down', run: open } })
  return {
    requested,
    /** Whether the box is rendered. It can be empty while it looks for a group. */
    isMounted,
    isOpen,
    onFound: setFound,
    toggle: () => (isOpen ? changeParams({ breakdown: CLOSED }) : open()),
  }
}
