// The key that this browser reads with: handed over in the fragment of an address or typed in, kept until sign-out.
import { useSyncExternalStore } from 'react'

const PLACE = 'assay.key'
const listeners = new Set<() => void>()
/** Why the last one ended, for the sign-in view. */
let farewell: string | undefined

/** The fragment never reaches a server, and leaves the address bar and the history at once. */
export function takeKeyFromAddress(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  if (key.trim() !== '') signIn(key)
}

export function sessionKey(): string | undefined {
  return localStorage.getItem(PLACE) ?? undefined
}

export function useSessionKey(): string | undefined {
  return useSyncExternalStore(subscribe, sessionKey)
}

export function signIn(key: string): void {
  farewell = undefined
  localStorage.setItem(PLACE, key.trim())
  announce()
}

/** `reason` is shown where one signs in again. */
export function signOut(reason?: string): void {
  farewell = reason
  localStorage.removeItem(PLACE)
  announce()
}

export function useFarewell(): string | undefined {
  return useSyncExternalStore(subscribe, () => farewell)
}

/** Acts when the key becomes another, before anything is shown with it. */
export function onKeyChange(act: () => void): void {
  let known = sessionKey()
  subscribe(() => {
    if (sessionKey() === known) return
    known = sessionKey()
    act()
  })
}

function announce(): void {
  for (const listener of listeners) listener()
}

/** Other tabs sign in and out too. Who listens first hears of it first. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
