// Whether the server can be reached, as the questions under way have it.
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { isUnreachable } from './api.ts'

/** Since when it cannot be reached; undefined while it can. */
export function useUnreachableSince(): number | undefined {
  const cache = useQueryClient().getQueryCache()
  const since = useRef<number>(undefined)
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache])
  return useSyncExternalStore(subscribe, () => {
    const isFailing = cache.getAll().some(({ state }) => isUnreachable(state.fetchFailureReason))
    if (!isFailing) since.current = undefined
    else since.current ??= Date.now()
    return since.current
  })
}
