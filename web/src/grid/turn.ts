// Answers that come too late: whoever asked has gone on to another row since, or has left.
import { useEffect, useRef } from 'react'

/** Begins a turn; what it returns says whether the turn is still on. Another one ends it, and so does another `about`. */
export function useTurn(about: string | undefined): () => () => boolean {
  const turn = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it is about is why a turn ends
  useEffect(() => {
    return () => {
      turn.current++
    }
  }, [about])
  return () => {
    const own = ++turn.current
    return () => turn.current === own
  }
}
