// The box that narrows a list down while one types. The address follows, and the box follows the address.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { one, type Search } from '../search.ts'
import { useShortcuts } from '../shortcuts.ts'

export function FilterBox({ label }: { label: string }) {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const wanted = one(search, 'q') ?? ''
  const [text, setText] = useState(wanted)
  const box = useRef<HTMLInputElement>(null)
  const sent = useRef(wanted)
  // Back, forward and links change the address too.
  useEffect(() => {
    if (wanted !== sent.current) setText(wanted)
    sent.current = wanted
  }, [wanted])
  const change = (next: string) => {
    setText(next)
    sent.current = next
    void navigate({
      to: '.',
      search: (old: Search) => ({ ...old, q: next === '' ? undefined : next }),
      replace: true,
    })
  }
  useShortcuts('page', {
    '/': () => box.current?.focus(),
    Escape: () => (text === '' ? box.current?.blur() : change('')),
  })
  return (
    <input
      ref={box}
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      placeholder={`/ ${label.toLowerCase()}`}
      spellCheck={false}
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  )
}
