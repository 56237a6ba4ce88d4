// Short words about what was just done, said aloud too; they go by themselves.
import { useSyncExternalStore } from 'react'
import styles from './shell.module.css'

interface Toast {
  id: number
  text: string
}

const SHOWN_MS = 5000
let toasts: Toast[] = []
let nextId = 0
const listeners = new Set<() => void>()

export function toast(text: string): void {
  const id = nextId++
  show([...toasts.slice(-2), { id, text }])
  setTimeout(() => show(toasts.filter((one) => one.id !== id)), SHOWN_MS)
}

function show(next: Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div role="status" aria-live="polite" className={styles.toasts}>
      {shown.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
