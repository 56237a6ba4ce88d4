// The current import options. The drop target needs them without the form.
import type { ImportSettings } from './uploads.ts'

let settings: ImportSettings = {}
const listeners = new Set<() => void>()

export function importSettings(): ImportSettings {
  return settings
}

export function changeSettings(change: ImportSettings): void {
  settings = { ...settings, ...change }
  for (const listener of listeners) listener()
}

export function subscribeToSettings(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
