// Whether the server is available. A query without a response or with a 5xx response counts as unavailable.
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useSyncExternalStore } from 'react'
import { isUnreachable } from './client.ts'

/** The time when the first query failed, or undefined if no query fails. */
export function useUnreachableSince(): number | undefined {
  const cache = useQueryClient().getQueryCache()
  const failingSince = useRef<number>(undefined)
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache])
  return useSyncExternalStore(subscribe, () => {
    const isFailing = cache.getAll().some(({ state }) => isUnreachable(state.fetchFailureReason))
    if (!isFailing) failingSince.current = undefined
    else failingSince.current ??= Date.now()
    return failingSince.current
  })
}
