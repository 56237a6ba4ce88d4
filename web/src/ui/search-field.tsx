// A search input that updates the URL while you type, debounced and without new history entries, and follows the URL when it
// changes.
import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../state/shortcuts.ts'

const DEBOUNCE_MS = 200

interface SearchFieldProps {
  /** The text in the URL. */
  text: string
  onText: (text: string) => void
  label: string
  title?: string
  placeholder: string
  className?: string | undefined
}

export function SearchField({
  text: urlText,
  onText,
  label,
  title,
  placeholder,
  className,
}: SearchFieldProps) {
  const [text, setText] = useState(urlText)
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** The text last written to the URL. If the URL differs, the user navigated. */
  const submittedText = useRef(urlText)
  useEffect(() => {
    if (submittedText.current === urlText) return
    clearTimeout(timer.current)
    submittedText.current = urlText
    setText(urlText)
  }, [urlText])
  useEffect(() => () => clearTimeout(timer.current), [])

  function submit(next: string) {
    clearTimeout(timer.current)
    submittedText.current = next
    onText(next)
  }
  function onType(next: string) {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => submit(next), DEBOUNCE_MS)
  }
  function clear() {
    setText('')
    submit('')
  }
  useShortcuts('page', {
    '/': { label, run: () => input.current?.select() },
    ...(text !== '' && { Escape: { label: 'Clear the search', run: clear } }),
  })
  return (
    <input
      ref={input}
      type="search"
      aria-label={label}
      aria-keyshortcuts="/"
      title={title}
      placeholder={placeholder}
      className={className}
      spellCheck={false}
      value={text}
      onChange={(event) => onType(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') submit(text)
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (text === '') input.current?.blur()
        else clear()
      }}
    />
  )
}
