// The API client and the query client. Stale data is shown at once and refetched; queries retry without limit while the
// server is unavailable.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Assay, AssayConnectionError, AssayError } from 'assay-client'
import { BASE_PATH } from '../state/base-path.ts'
import { endSession, sessionKey } from './session.ts'

export const assay = new Assay({ baseUrl: `${BASE_PATH}/api`, key: sessionKey, retries: 0 })

const MAX_RETRY_DELAY_MS = 30_000

/** True if there was no response, or one with status 5xx. Such requests are retried, except queries that take too long. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AssayError) return error.status >= 500 && error.code !== 'query-timeout'
  return error instanceof AssayConnectionError
}

let readinessProbe: Promise<boolean> | undefined

/** Requests the readiness of the server, once for all that need it at the same time. */
export function isServerReady(): Promise<boolean> {
  readinessProbe ??= fetch(`${BASE_PATH}/readyz`, { cache: 'no-store' })
    .then(({ ok }) => ok)
    .catch(() => false)
    .finally(() => {
      readinessProbe = undefined
    })
  return readinessProbe
}

function onError(error: unknown): void {
  if (error instanceof AssayError && error.status === 401 && sessionKey() !== undefined) {
    endSession(error.detail)
  }
}

/** Refetches the key after a failed write, so that the banner appears and retries start at once. */
function onWriteError(error: unknown): void {
  onError(error)
  if (isUnreachable(error)) void queryClient.invalidateQueries({ queryKey: ['key'] })
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError: onWriteError }),
  defaultOptions: {
    queries: {
      // A service on the same machine works without a network.
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) =>
        isUnreachable(error) || (error instanceof AssayError && error.status === 429 && failures < 3),
      retryDelay: (failures, error) => {
        const { retryAfter = 0 } = error instanceof AssayError ? error : {}
        return Math.min(MAX_RETRY_DELAY_MS, 1000 * Math.max(retryAfter, 2 ** failures))
      },
    },
    mutations: { networkMode: 'always' },
  },
})
