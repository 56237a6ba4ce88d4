// Refetches what depends on a changed document. Loads with the first change.
import { hashKey, type InvalidateQueryFilters, type QueryClient } from '@tanstack/react-query'

const refetches = new Map<string, { isOutdated: boolean; promise: Promise<void> }>()

/** One refetch at a time. A change during a refetch causes another one, so that changes do not cancel slow queries. */
export function refetchDependents(client: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  const key = hashKey(filters.queryKey ?? [])
  const running = refetches.get(key)
  if (running) {
    running.isOutdated = true
    return running.promise
  }
  const refetch = { isOutdated: true, promise: Promise.resolve() }
  refetches.set(key, refetch)
  refetch.promise = (async () => {
    while (refetch.isOutdated) {
      refetch.isOutdated = false
      await client.invalidateQueries(filters)
    }
    refetches.delete(key)
  })()
  return refetch.promise
}
