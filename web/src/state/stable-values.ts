// Hooks that return the same object while the value is equal, to avoid recomputing what depends on it.
import { useRef } from 'react'

/** Returns the previous value if its JSON is the same. */
export function useStable<T>(value: T): T {
  const stable = useRef(value)
  if (JSON.stringify(stable.current) !== JSON.stringify(value)) stable.current = value
  return stable.current
}

/** The last value that was not undefined. */
export function useLastDefined<T>(value: T | undefined): T | undefined {
  const lastValue = useRef(value)
  if (value !== undefined) lastValue.current = value
  return lastValue.current
}
