// The API key of this tab, from the URL fragment or entered. A project key is stored in localStorage until sign-out. The key
// of a share link stays in sessionStorage and does not replace the stored one.
import { useSyncExternalStore } from 'react'
import { BASE_PATH } from '../state/base-path.ts'

/** Services below different paths of one host share the storage, but not their keys. */
const STORAGE_KEY = `assay.key${BASE_PATH}`
/** Why the last session ended, for the sign-in view. Stored where its key was: for all tabs, or for this one. */
const REASON_STORAGE_KEY = `assay.sign-out-reason${BASE_PATH}`
const listeners = new Set<() => void>()
/** After a share link ends, the stored key is used only on request: the tab was opened for the link. */
let isStoredKeyPaused = false
let isKeyTyped = false

export const LINK_EXPIRED =
  'This link has expired, was revoked, or is incomplete. Ask the sender for a new one.'

/** Reads `#key=…` and removes it from the address bar and the history. Browsers never send the fragment. */
export function takeKeyFromUrl(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return
  history.replaceState(history.state, '', location.pathname + location.search)
  if (key.trim() === '') return
  signIn(key)
  isKeyTyped = false
}

export function sessionKey(): string | undefined {
  return sessionStorage.getItem(STORAGE_KEY) ?? (isStoredKeyPaused ? undefined : storedKey())
}

function storedKey(): string | undefined {
  return localStorage.getItem(STORAGE_KEY) ?? undefined
}

export function useSessionKey(): string | undefined {
  return useSyncExternalStore(subscribe, sessionKey)
}

/** Stores the key for this tab only, until it is known to be a project key. */
export function signIn(key: string): void {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem(REASON_STORAGE_KEY)
  isStoredKeyPaused = false
  isKeyTyped = true
  sessionStorage.setItem(STORAGE_KEY, key.trim())
  notifyListeners()
}

/** Moves the key from sessionStorage to localStorage, for all tabs. */
export function storeKey(key: string): void {
  if (sessionStorage.getItem(STORAGE_KEY) !== key) return
  localStorage.setItem(STORAGE_KEY, key)
  sessionStorage.removeItem(STORAGE_KEY)
}

/** Whether this tab uses the key in localStorage, which is always a project key. */
export function isKeyStored(): boolean {
  return sessionStorage.getItem(STORAGE_KEY) === null
}

/** The sign-in view shows `reason`. */
export function signOut(reason: string): void {
  isStoredKeyPaused = !isKeyStored() && storedKey() !== undefined
  const storage = isKeyStored() ? localStorage : sessionStorage
  sessionStorage.removeItem(REASON_STORAGE_KEY)
  storage.setItem(REASON_STORAGE_KEY, reason)
  storage.removeItem(STORAGE_KEY)
  notifyListeners()
}

/** Signs out because the server rejected the key. */
export function endSession(detail: string): void {
  signOut(isKeyStored() || isKeyTyped ? `The key was rejected: ${detail}` : LINK_EXPIRED)
}

export function useSignOutReason(): string | null {
  return useSyncExternalStore(
    subscribe,
    () => sessionStorage.getItem(REASON_STORAGE_KEY) ?? localStorage.getItem(REASON_STORAGE_KEY),
  )
}

/** Returns a function that continues with the stored key, or undefined if there is none. */
export function useResumeStoredKey(): (() => void) | undefined {
  const canResume = useSyncExternalStore(subscribe, () => isStoredKeyPaused && storedKey() !== undefined)
  return canResume ? resumeStoredKey : undefined
}

function resumeStoredKey(): void {
  isStoredKeyPaused = false
  notifyListeners()
}

/** Calls back when the key changes, before anything renders with the new one. */
export function onKeyChange(onChange: () => void): void {
  let lastKey = sessionKey()
  subscribe(() => {
    if (sessionKey() === lastKey) return
    lastKey = sessionKey()
    onChange()
  })
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

/** The storage event reports changes in other tabs. Listeners run in the order of subscription. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
