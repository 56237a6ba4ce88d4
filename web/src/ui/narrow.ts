// Whether the window is narrow, for layouts that CSS alone cannot change.
import { useSyncExternalStore } from 'react'

/** The same width is in the media queries of the style sheets. */
const NARROW = '(max-width: 720px)'

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
