// A value outside of React, which keeps it when the page changes. Components that use it render again when it changes.
import { useSyncExternalStore } from 'react'

export function createStore<Value>(value: Value) {
  const listeners = new Set<() => void>()
  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get: () => value,
    set(next: Value): void {
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, () => value),
  }
}
