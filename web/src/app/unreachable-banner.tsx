// The banner shown while the server is unavailable. The page stays readable.
import { type Query, useQueryClient } from '@tanstack/react-query'
import { isUnreachable } from '../api/client.ts'
import { useUnreachableSince } from '../api/reachability.ts'
import { formatTime } from '../format/times.ts'
import styles from './shell.module.css'

export function UnreachableBanner() {
  const queryClient = useQueryClient()
  const unreachableSince = useUnreachableSince()
  if (unreachableSince === undefined) return null
  async function retry() {
    // Find the failing queries first, because canceling resets their failure state.
    const failingQueries = queryClient.getQueryCache().findAll({ predicate: isFailing })
    const filter = { predicate: (query: Query) => failingQueries.includes(query) }
    await queryClient.cancelQueries(filter)
    await queryClient.refetchQueries(filter)
  }
  return (
    <div role="alert" className={styles.banner}>
      <span>
        The server cannot be reached (since {formatTime(unreachableSince)}). Retrying automatically.
      </span>
      <button type="button" onClick={retry}>
        Retry now
      </button>
    </div>
  )
}

function isFailing({ state }: Query): boolean {
  return isUnreachable(state.fetchFailureReason)
}
