// Values that keep their identity while they say the same, so that what follows from them is not made again.
import { useRef } from 'react'

/** The value of before, where its JSON is the same. */
export function useStable<T>(value: T): T {
  const kept = useRef(value)
  if (JSON.stringify(kept.current) !== JSON.stringify(value)) kept.current = value
  return kept.current
}

/** The last value that was there. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value)
  if (value !== undefined) last.current = value
  return last.current
}
