// What the key of this browser is and may do.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { assay } from '../api.ts'
import { signOut, useSessionKey } from '../session.ts'

/** Long enough for a key that is looked at now, short enough to notice that the server is gone. */
const HEARTBEAT_MS = 20_000
/** Timers hold no more than 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export function useKey() {
  const key = useSessionKey()
  return useQuery({
    queryKey: ['key', key],
    queryFn: ({ signal }) => assay.getKey({ signal }),
    enabled: key !== undefined,
    refetchInterval: HEARTBEAT_MS,
  })
}

/** Whether editing is offered: it is to keys that may write. */
export function useMayWrite(): boolean {
  return useKey().data?.scopes.includes('write') ?? false
}

/** Signs out when the key ends. */
export function useExpiry(): void {
  const expiresAt = useKey().data?.expires_at
  useEffect(() => {
    if (!expiresAt) return
    const left = Math.max(0, Date.parse(expiresAt) - Date.now())
    if (left > LONGEST_TIMER_MS) return
    const timer = setTimeout(() => signOut('The key has expired.'), left)
    return () => clearTimeout(timer)
  }, [expiresAt])
}
