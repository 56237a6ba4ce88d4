// What the key of this browser is and may do.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { assay } from '../api.ts'
import { keepKey, LINK_ENDED, signOut, useSessionKey } from '../session.ts'

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

/** Whether sharing is offered: nobody hands out what they do not read, nor with a key that was handed out. */
export function useMayShare(): boolean {
  const { data } = useKey()
  return data?.confined_to === null && data.scopes.includes('read') && data.scopes.includes('write')
}

/** Keeps a key of a whole project in this browser, once it is known to be one. */
export function useKeeping(): void {
  const key = useSessionKey()
  const { data } = useKey()
  const isWhole = data?.confined_to === null
  useEffect(() => {
    if (key !== undefined && isWhole) keepKey(key)
  }, [key, isWhole])
}

/** Signs out when the key ends. */
export function useExpiry(): void {
  const { data } = useKey()
  const expiresAt = data?.expires_at
  const isWhole = data?.confined_to === null
  useEffect(() => {
    if (!expiresAt) return
    const left = Math.max(0, Date.parse(expiresAt) - Date.now())
    if (left > LONGEST_TIMER_MS) return
    const timer = setTimeout(() => signOut(isWhole ? 'The key has expired.' : LINK_ENDED), left)
    return () => clearTimeout(timer)
  }, [expiresAt, isWhole])
}
