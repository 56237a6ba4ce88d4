// Truncates long texts and lists until the user expands them.
import { useState } from 'react'
import { formatBytes } from '../format/numbers.ts'

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

export function useTruncatedList<Item>(items: readonly Item[], maxItems: number) {
  const [isExpanded, setIsExpanded] = useState(false)
  const isTruncated = !isExpanded && items.length > maxItems
  return {
    items: isTruncated ? items.slice(0, maxItems) : items,
    remaining: isTruncated ? items.length - maxItems : 0,
    showAll: () => setIsExpanded(true),
  }
}
