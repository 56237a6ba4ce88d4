// A box that searches while one types: the address follows a moment later, without a step of its own in the history, and the
// box follows the address.
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../shortcuts.ts'

const PAUSE_MS = 200

interface SearchFieldProps {
  /** As the address has it. */
  text: string
  onText: (text: string) => void
  label: string
  title?: string
  placeholder: string
  className?: string | undefined
}

export function SearchField({ text: said, onText, label, title, placeholder, className }: SearchFieldProps) {
  const [text, setText] = useState(said)
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
    onText(next)
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
  return (
    <input
      ref={box}
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      title={title}
      placeholder={placeholder}
      className={className}
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
