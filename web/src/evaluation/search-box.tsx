// Searches while one types: the address follows a moment later, without a step of its own in the history.
import { useEffect, useRef, useState } from 'react'
import { counted } from '../format/numbers.ts'
import { useShortcuts } from '../shortcuts.ts'
import styles from './filters.module.css'
import type { Shown } from './shown.ts'
import { useChangeView } from './view.ts'

const PAUSE_MS = 250

export function SearchBox({ shown }: { shown: Shown }) {
  const said = shown.view.filters.find(([name]) => name === 'q')?.[1] ?? ''
  const [text, setText] = useState(said)
  const change = useChangeView()
  const box = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** What the address was told last: when it says something else, somebody went back, or followed a link. */
  const told = useRef(said)
  useEffect(() => {
    if (told.current === said) return
    clearTimeout(timer.current)
    told.current = said
    setText(said)
  }, [said])
  useEffect(() => () => clearTimeout(timer.current), [])

  function tell(next: string) {
    clearTimeout(timer.current)
    told.current = next
    change({ q: next === '' ? undefined : next }, { replace: true })
  }
  function type(next: string) {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => tell(next), PAUSE_MS)
  }
  function clear() {
    setText('')
    tell('')
  }
  useShortcuts('page', {
    '/': () => box.current?.select(),
    ...(text !== '' && { Escape: clear }),
  })
  const rows = shown.evaluation?.scenario_count
  return (
    <input
      ref={box}
      type="search"
      aria-label="Search in rows"
      title="Inputs, outputs, expected answers and notes (/)"
      placeholder={
        rows === undefined ? 'Search' : `Search in ${rows === 1 ? '' : 'all '}${counted(rows, 'row')}`
      }
      className={styles.search}
      spellCheck={false}
      value={text}
      onChange={(event) => type(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') tell(text)
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (text === '') box.current?.blur()
        else clear()
      }}
    />
  )
}
