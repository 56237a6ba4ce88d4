// The theme: light, dark, or that of the system.
import { preference, setPreference } from './preferences.ts'

type Theme = 'light' | 'dark'

function currentTheme(): Theme {
  const preferredTheme = preference('theme')
  if (preferredTheme === 'light' || preferredTheme === 'dark') return preferredTheme
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** The first script calls this before the first paint. The API reference has theme.js for it. */
export function applyStoredTheme(): void {
  const theme = preference('theme')
  if (theme) document.documentElement.dataset.theme = theme
}

export function switchTheme(): void {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  setPreference('theme', theme)
}
