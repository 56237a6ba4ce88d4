// The banner shown while the server cannot be reached. The page stays readable.
import { type Query, useQueryClient } from '@tanstack/react-query'
import { isUnreachable } from '../api/client.ts'
import { useUnreachableSince } from '../api/reachability.ts'
import { formatTime } from '../format/times.ts'
import styles from './shell.module.css'

export function UnreachableBanner() {
  const queries = useQueryClient()
  const since = useUnreachableSince()
  if (since === undefined) return null
  async function retry() {
    // Collected first: canceling resets their failure state.
    const failing = queries.getQueryCache().findAll({ predicate: isFailing })
    const collected = { predicate: (query: Query) => failing.includes(query) }
    await queries.cancelQueries(collected)
    await queries.refetchQueries(collected)
  }
  return (
    <div role="alert" className={styles.banner}>
      <span>The server cannot be reached (since {formatTime(since)}). Retrying automatically.</span>
      <button type="button" onClick={retry}>
        Retry now
      </button>
    </div>
  )
}

function isFailing({ state }: Query): boolean {
  return isUnreachable(state.fetchFailureReason)
}
