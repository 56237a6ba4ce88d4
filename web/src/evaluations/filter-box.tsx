// The text that names must hold. It acts shortly after the last key.
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../shortcuts.ts'
import styles from './page.module.css'

const TYPING_MS = 150

export function FilterBox({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  /** What is typed and not in the address yet. */
  const [typed, setTyped] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  useShortcuts('page', { '/': () => input.current?.focus() })
  const act = useRef(onChange)
  act.current = onChange
  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(() => {
      act.current(typed)
      setTyped(undefined)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      ref={input}
      type="search"
      className={styles.filterBox}
      aria-label="Filter by name"
      placeholder="/ filter by name…"
      spellCheck={false}
      value={typed ?? text}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (event.currentTarget.value === '') event.currentTarget.blur()
        else setTyped('')
      }}
    />
  )
}
