// Truncates long texts and lists until the user expands them.
import { useState } from 'react'
import { formatBytes, pluralize } from '../format/numbers.ts'

const DEFAULT_LENGTH = 4000

export function LongText({ text, maxLength = DEFAULT_LENGTH }: { text: string; maxLength?: number }) {
  const [isExpanded, setIsExpanded] = useState(false)
  // Do not hide less than the button itself takes up.
  if (isExpanded || text.length <= maxLength * 1.1) return text
  return (
    <>
      {text.slice(0, maxLength)}…{' '}
      <button type="button" onClick={() => setIsExpanded(true)}>
        Show the rest ({formatBytes(text.length - maxLength)})
      </button>
    </>
  )
}

/** The first items, and a button that shows the others if there are more. */
export function useTruncatedList<Item>(items: readonly Item[], maxItems: number, noun: string) {
  const [isExpanded, setIsExpanded] = useState(false)
  if (isExpanded || items.length <= maxItems) return { items, showAll: null }
  const showAll = (
    <button type="button" onClick={() => setIsExpanded(true)}>
      Show {pluralize(items.length - maxItems, `more ${noun}`)}
    </button>
  )
  return { items: items.slice(0, maxItems), showAll }
}
