// The API key of this session and its permissions.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { assay } from './client.ts'
import { LINK_EXPIRED, signOut, storeKey, useSessionKey } from './session.ts'

/** Short enough to notice soon that the server is down. */
const HEARTBEAT_MS = 20_000
/** setTimeout accepts at most 31 bits. */
const MAX_TIMER_MS = 2 ** 31 - 1

export function useKey() {
  const key = useSessionKey()
  return useQuery({
    queryKey: ['key', key],
    queryFn: ({ signal }) => assay.getKey({ signal }),
    enabled: key !== undefined,
    refetchInterval: HEARTBEAT_MS,
  })
}

/** Editing is offered only to keys with the scope `write`. */
export function useCanWrite(): boolean {
  return useKey().data?.scopes.includes('write') ?? false
}

/** Sharing needs the scopes `read` and `write`, and a key that is not itself a share link. */
export function useCanShare(): boolean {
  const { data } = useKey()
  return data?.confined_to === null && data.scopes.includes('read') && data.scopes.includes('write')
}

/** Stores the key in this browser once it is known to be a project key, not a share link. */
export function useStoreProjectKey(): void {
  const key = useSessionKey()
  const { data } = useKey()
  const isProjectKey = data?.confined_to === null
  useEffect(() => {
    if (key !== undefined && isProjectKey) storeKey(key)
  }, [key, isProjectKey])
}

/** Signs out when the key expires. */
export function useSignOutOnExpiry(): void {
  const { data } = useKey()
  const expiresAt = data?.expires_at
  const isProjectKey = data?.confined_to === null
  useEffect(() => {
    if (!expiresAt) return
    const remainingMs = Math.max(0, Date.parse(expiresAt) - Date.now())
    if (remainingMs > MAX_TIMER_MS) return
    const timer = setTimeout(() => signOut(isProjectKey ? 'The key has expired.' : LINK_EXPIRED), remainingMs)
    return () => clearTimeout(timer)
  }, [expiresAt, isProjectKey])
}
