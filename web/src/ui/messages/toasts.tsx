// Toasts: short messages that disappear after a few seconds. Screen readers announce them.
import { createStore } from '../../state/store.ts'
import styles from './toasts.module.css'

interface Toast {
  id: number
  text: string
}

const VISIBLE_MS = 5000
const toasts = createStore<Toast[]>([])
let nextId = 0

export function toast(text: string): void {
  const id = nextId++
  // Shows a repeated message once.
  const others = toasts.get().filter((toast) => toast.text !== text)
  toasts.set([...others.slice(-2), { id, text }])
  setTimeout(() => toasts.set(toasts.get().filter((toast) => toast.id !== id)), VISIBLE_MS)
}

export function Toasts() {
  return (
    <div role="status" aria-live="polite" className={styles.toasts}>
      {toasts.use().map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  )
}
