// Whether the server can be reached, judged by failing queries.
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { isUnreachable } from './client.ts'

/** When the server became unreachable, or undefined while it can be reached. */
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
