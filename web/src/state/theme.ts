// The theme: light, dark, or that of the system. theme.js applies the stored one before the first paint.
import { preference, setPreference } from './preferences.ts'

type Theme = 'light' | 'dark'

function currentTheme(): Theme {
  const preferredTheme = preference('theme')
  if (preferredTheme === 'light' || preferredTheme === 'dark') return preferredTheme
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function switchTheme(): void {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  setPreference('theme', theme)
}
