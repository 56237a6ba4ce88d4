// Toasts: short messages that disappear after a few seconds. Screen readers announce them.
import { useSyncExternalStore } from 'react'
import styles from './toasts.module.css'

interface Toast {
  id: number
  text: string
}

const VISIBLE_MS = 5000
let toasts: Toast[] = []
let nextId = 0
const listeners = new Set<() => void>()

export function toast(text: string): void {
  const id = nextId++
  // Shows a repeated message once.
  setToasts([...toasts.filter((toast) => toast.text !== text).slice(-2), { id, text }])
  setTimeout(() => setToasts(toasts.filter((toast) => toast.id !== id)), VISIBLE_MS)
}

function setToasts(next: Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const visibleToasts = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div role="status" aria-live="polite" className={styles.toasts}>
      {visibleToasts.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
