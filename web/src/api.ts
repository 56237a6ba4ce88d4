// The one client of the page, and how answers are kept: shown from memory at once, asked again when they may be old, and
// asked for ever while the server cannot be reached.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Assay, AssayConnectionError, AssayError } from 'assay-client'
import { endSession, sessionKey } from './session.ts'

export const assay = new Assay({ baseUrl: '/api', key: sessionKey, retries: 0 })

const LONGEST_WAIT_MS = 30_000

/** Nothing answers, or something that is broken: worth asking again, and no fault of the question. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof AssayConnectionError || (error instanceof AssayError && error.status >= 500)
}

function onError(error: unknown): void {
  if (error instanceof AssayError && error.status === 401 && sessionKey() !== undefined) {
    endSession(error.detail)
  }
}

/** Who saves into the void learns at once that the server is away: the key is asked for, until it answers. */
function onWriteError(error: unknown): void {
  onError(error)
  if (isUnreachable(error)) void queryClient.invalidateQueries({ queryKey: ['key'] })
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError: onWriteError }),
  defaultOptions: {
    queries: {
      // A service on this very machine answers without any network.
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) =>
        isUnreachable(error) || (error instanceof AssayError && error.status === 429 && failures < 3),
      retryDelay: (failures) => Math.min(LONGEST_WAIT_MS, 1000 * 2 ** failures),
    },
    mutations: { networkMode: 'always' },
  },
})
