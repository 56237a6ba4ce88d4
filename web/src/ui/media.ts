// Media queries, for layouts that CSS alone cannot change.
import { useSyncExternalStore } from 'react'

/** The same width is in the media queries of the style sheets. */
const NARROW = '(max-width: 720px)'
const PRINT = 'print'

export function useIsNarrow(): boolean {
  return useMatchesMedia(NARROW)
}

/** Whether the page is being printed. */
export function useIsPrinting(): boolean {
  return useMatchesMedia(PRINT)
}

function useMatchesMedia(media: string): boolean {
  return useSyncExternalStore(
    (onChange) => subscribe(media, onChange),
    () => matchMedia(media).matches,
  )
}

function subscribe(media: string, onChange: () => void): () => void {
  const query = matchMedia(media)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
