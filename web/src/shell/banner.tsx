// Says that the server cannot be reached, while what was read before stays readable.
import { type Query, useQueryClient } from '@tanstack/react-query'
import { isUnreachable } from '../api.ts'
import { timeOfDay } from '../format/times.ts'
import { useUnreachableSince } from '../reachability.ts'
import styles from './shell.module.css'

export function Banner() {
  const queries = useQueryClient()
  const since = useUnreachableSince()
  if (since === undefined) return null
  async function retry() {
    // Found before they are given up: after that nothing tells them from the others.
    const failing = queries.getQueryCache().findAll({ predicate: isFailing })
    const areThese = { predicate: (query: Query) => failing.includes(query) }
    await queries.cancelQueries(areThese)
    await queries.refetchQueries(areThese)
  }
  return (
    <div role="alert" className={styles.banner}>
      <span>The server cannot be reached since {timeOfDay(since)}. Trying again by itself.</span>
      <button type="button" onClick={retry}>
        Retry now
      </button>
    </div>
  )
}

function isFailing({ state }: Query): boolean {
  return isUnreachable(state.fetchFailureReason)
}
