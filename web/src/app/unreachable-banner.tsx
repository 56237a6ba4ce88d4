// The banner shown while the server is unavailable. The page stays readable. Disappears soon after the server is back.
import { type Query, useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide'
import { useCallback, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { isServerReady, isUnreachable } from '../api/client.ts'
import { formatTime } from '../format/times.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './shell.module.css'

const PROBE_MS = 1000
const MAX_PROBE_MS = 10_000
const MAX_RETRY_MS = 30_000

export function UnreachableBanner() {
  const unreachableSince = useUnreachableSince()
  const retry = useRetryFailing()
  useProbe(unreachableSince, retry)
  if (unreachableSince === undefined) return null
  return (
    <div role="alert" className={styles.banner}>
      <span>
        <Icon icon={CloudOff} />
        The server cannot be reached since {formatTime(unreachableSince)}. Retrying automatically.
      </span>
      <Button variant="plain" size="small" onClick={retry}>
        Retry now
      </Button>
    </div>
  )
}

function useRetryFailing(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    // Find the failing queries first, because canceling resets their failure state.
    const failingQueries = queryClient.getQueryCache().findAll({ predicate: isFailing })
    const filter = { predicate: (query: Query) => failingQueries.includes(query) }
    await queryClient.cancelQueries(filter)
    await queryClient.refetchQueries(filter)
  }
}

function isFailing({ state }: Query): boolean {
  return isUnreachable(state.fetchFailureReason)
}

/** Retries as soon as the server is ready. Hidden tabs only have the retries of their queries, which back off. */
function useProbe(unreachableSince: number | undefined, retry: () => Promise<void>): void {
  const nextProbeAt = useRef(0)
  // A server that is ready but fails a query must not get that query every second.
  const nextRetry = useRef({ at: 0, delayMs: PROBE_MS })
  const probe = useEffectEvent(async () => {
    const { at, delayMs } = nextRetry.current
    if (unreachableSince === undefined || document.hidden || Date.now() < Math.max(at, nextProbeAt.current))
      return
    // Frequent during a restart, rare during a long outage.
    nextProbeAt.current = Date.now() + Math.min(MAX_PROBE_MS, (Date.now() - unreachableSince) / 5)
    if (!(await isServerReady())) return
    const isRepeated = Date.now() < at + MAX_RETRY_MS
    const nextDelayMs = isRepeated ? Math.min(MAX_RETRY_MS, delayMs * 2) : PROBE_MS
    nextRetry.current = { at: Date.now() + nextDelayMs, delayMs: nextDelayMs }
    await retry()
  })
  const isEnabled = unreachableSince !== undefined
  useEffect(() => {
    if (!isEnabled) return
    nextProbeAt.current = 0
    const timer = setInterval(() => void probe(), PROBE_MS)
    const onVisible = () => void probe()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [isEnabled])
}

/** The time when the first query failed, or undefined if no query fails. */
function useUnreachableSince(): number | undefined {
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
