// User preferences in localStorage. They are defaults: search params override them.
import { useSyncExternalStore } from 'react'

const PREFIX = 'assay.'
const listeners = new Set<() => void>()

export function preference(name: string): string | undefined {
  return localStorage.getItem(PREFIX + name) ?? undefined
}

export function setPreference(name: string, value: string | undefined): void {
  if (value === undefined) localStorage.removeItem(PREFIX + name)
  else localStorage.setItem(PREFIX + name, value)
  for (const listener of listeners) listener()
}

export function usePreference(name: string): string | undefined {
  return useSyncExternalStore(subscribe, () => preference(name))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
