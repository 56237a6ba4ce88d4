// How texts are laid out, as this browser likes it: wrapped or not, two texts side by side or one below the other.
import { setPreference, usePreference } from '../preferences.ts'

export interface LayoutPreferences {
  isWrapped: boolean
  isSplit: boolean
  switchWrap(): void
  switchSplit(): void
}

export function useLayoutPreferences(): LayoutPreferences {
  const isWrapped = usePreference('wrap') !== 'off'
  const isSplit = usePreference('diff') !== 'unified'
  return {
    isWrapped,
    isSplit,
    switchWrap: () => setPreference('wrap', isWrapped ? 'off' : undefined),
    switchSplit: () => setPreference('diff', isSplit ? 'unified' : undefined),
  }
}
