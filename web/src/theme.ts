// Light, dark, or as the system has it. theme.js sets what was chosen before the first paint.
import { preference, setPreference } from './preferences.ts'

type Theme = 'light' | 'dark'

function shownTheme(): Theme {
  const chosen = preference('theme')
  if (chosen === 'light' || chosen === 'dark') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function switchTheme(): void {
  const theme = shownTheme() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  setPreference('theme', theme)
}
