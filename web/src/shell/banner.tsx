// Says that the server cannot be reached, while what was read before stays readable.
import { useQueryClient } from '@tanstack/react-query'
import { isUnreachable } from '../api.ts'
import { timeOfDay } from '../format/times.ts'
import { useUnreachableSince } from '../reachability.ts'
import styles from './shell.module.css'

export function Banner() {
  const queries = useQueryClient()
  const since = useUnreachableSince()
  if (since === undefined) return null
  async function retry() {
    const isFailing = (query: { state: { fetchFailureReason: unknown } }) =>
      isUnreachable(query.state.fetchFailureReason)
    await queries.cancelQueries({ predicate: isFailing })
    await queries.refetchQueries({ predicate: isFailing })
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
