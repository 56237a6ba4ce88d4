// The key that this tab reads with: handed over in the fragment of an address or typed in. One of a whole project is kept in
// this browser until sign-out; one that opens a single view, as in a shared link, stays in its tab and displaces none.
import { useSyncExternalStore } from 'react'

const PLACE = 'assay.key'
const listeners = new Set<() => void>()
/** Why the last one ended, for the sign-in view. */
let farewell: string | undefined
/** Whether the key of the browser waits until somebody asks for it: what it opens is not what the tab was opened for. */
let isAside = false
let isTyped = false

export const LINK_ENDED =
  'This link has ended, or was not copied whole. Ask whoever gave it to you for a new one.'

/** The fragment never reaches a server, and leaves the address bar and the history at once. */
export function takeKeyFromAddress(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  if (key.trim() === '') return
  signIn(key)
  isTyped = false
}

export function sessionKey(): string | undefined {
  return sessionStorage.getItem(PLACE) ?? (isAside ? undefined : keptKey())
}

function keptKey(): string | undefined {
  return localStorage.getItem(PLACE) ?? undefined
}

export function useSessionKey(): string | undefined {
  return useSyncExternalStore(subscribe, sessionKey)
}

/** In this tab, until it is known to be of a whole project. */
export function signIn(key: string): void {
  farewell = undefined
  isAside = false
  isTyped = true
  sessionStorage.setItem(PLACE, key.trim())
  announce()
}

/** From its tab into the browser, for all tabs. */
export function keepKey(key: string): void {
  if (sessionStorage.getItem(PLACE) !== key) return
  localStorage.setItem(PLACE, key)
  sessionStorage.removeItem(PLACE)
}

/** Such a key is of a whole project: no other is kept. */
export function isKept(): boolean {
  return sessionStorage.getItem(PLACE) === null
}

/** `reason` is shown where one signs in again. */
export function signOut(reason?: string): void {
  farewell = reason
  isAside = !isKept() && keptKey() !== undefined
  const storage = isKept() ? localStorage : sessionStorage
  storage.removeItem(PLACE)
  announce()
}

/** The server does not take the key, or no longer. */
export function endSession(detail: string): void {
  signOut(isKept() || isTyped ? `The key was refused: ${detail}` : LINK_ENDED)
}

export function useFarewell(): string | undefined {
  return useSyncExternalStore(subscribe, () => farewell)
}

/** Goes on with the key of the browser; undefined where there is none that waits. */
export function useReturn(): (() => void) | undefined {
  const isThere = useSyncExternalStore(subscribe, () => isAside && keptKey() !== undefined)
  return isThere ? comeBack : undefined
}

function comeBack(): void {
  isAside = false
  announce()
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
