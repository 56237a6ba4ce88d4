// Follows what other processes write: polls while the tab is visible, and refetches what depends on a changed response.
import {
  hashKey,
  type InvalidateQueryFilters,
  type Query,
  type QueryClient,
  type QueryFunctionContext,
} from '@tanstack/react-query'
import { AssayError, type Evaluation } from 'assay-client'

const ACTIVE_POLL_MS = 2000
const IDLE_POLL_MS = 15_000
/** An evaluation that changed this recently probably changes again. */
const RECENT_MS = 60_000

/** The options of a polled query. An unchanged response is a 304, which renders nothing. */
export function pollingOf<Data>(evaluationsOf: (data: Data) => readonly Evaluation[]) {
  return {
    refetchInterval: ({ state: { data, error } }: Pick<Query<Data>, 'state'>) =>
      data === undefined || isNotFound(error) ? false : pollMs(evaluationsOf(data)),
    // Continue at once when the tab becomes visible.
    refetchOnWindowFocus: 'always',
  } as const
}

/** An empty list waits for its first evaluation. */
function pollMs(evaluations: readonly Evaluation[], now = Date.now()): number {
  const isActive = evaluations.some(
    ({ status, updated_at }) => status === 'running' || now - Date.parse(updated_at) < RECENT_MS,
  )
  return isActive || evaluations.length === 0 ? ACTIVE_POLL_MS : IDLE_POLL_MS
}

export function isNotFound(error: unknown): boolean {
  return error instanceof AssayError && error.status === 404
}

const refetches = new WeakMap<object, Promise<void>>()

/** Reads a document with `read`, and refetches the queries that depend on it if it has changed. */
export async function readFollowed<Data extends object>(
  { client, queryKey, signal }: Pick<QueryFunctionContext, 'client' | 'queryKey' | 'signal'>,
  read: (options: { signal: AbortSignal }) => Promise<Data>,
  dependents: InvalidateQueryFilters,
): Promise<Data> {
  const data = await read({ signal })
  // The server is available, so the next heartbeat can wait.
  client.setQueriesData({ queryKey: ['key'] }, (keyInfo: unknown) => keyInfo)
  const previous = client.getQueryData(queryKey)
  // The API client returns the same object for a 304.
  if (previous && previous !== data) refetches.set(data, refetchDependents(client, dependents))
  return data
}

/** Reads a followed document again after an own write, and waits for what depends on it. */
export async function refetchFollowed(client: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  await client.invalidateQueries({ queryKey, exact: true })
  await refetches.get(client.getQueryData<object>(queryKey) ?? {})
}

const running = new Map<string, { isOutdated: boolean; promise: Promise<void> }>()

/** One refetch at a time. A change during a refetch causes another one, so that changes do not cancel slow queries. */
function refetchDependents(client: QueryClient, filters: InvalidateQueryFilters): Promise<void> {
  const key = hashKey(filters.queryKey ?? [])
  const current = running.get(key)
  if (current) {
    current.isOutdated = true
    return current.promise
  }
  const refetch = { isOutdated: true, promise: Promise.resolve() }
  running.set(key, refetch)
  refetch.promise = (async () => {
    while (refetch.isOutdated) {
      refetch.isOutdated = false
      await client.invalidateQueries(filters)
    }
    running.delete(key)
  })()
  return refetch.promise
}
