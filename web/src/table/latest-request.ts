// Detects responses that arrive after the user has moved to another row.
import { useEffect, useRef } from 'react'

/** Returns a function that starts a request and returns a check. The check is false after a newer request or another `subject`. */
export function useLatestRequest(subject: string | undefined): () => () => boolean {
  const latestId = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject invalidates the request
  useEffect(() => {
    return () => {
      latestId.current++
    }
  }, [subject])
  return () => {
    const id = ++latestId.current
    return () => latestId.current === id
  }
}
