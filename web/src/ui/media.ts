// Media queries, for layouts that CSS alone cannot change.
import { useSyncExternalStore } from 'react'

/** The same widths are in the media queries of the style sheets. */
const NARROW = '(max-width: 720px)'
const TWO_COLUMNS = '(min-width: 600px)'
const WIDE = '(min-width: 1180px)'
const PRINT = 'print'

export function useIsNarrow(): boolean {
  return useMatchesMedia(NARROW)
}

/** Whether two texts fit side by side. */
export function useHasTwoColumns(): boolean {
  return useMatchesMedia(TWO_COLUMNS)
}

/** Whether two boxes fit side by side. */
export function useIsWide(): boolean {
  return useMatchesMedia(WIDE)
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
