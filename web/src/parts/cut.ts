// The beginning of a long list, and a way to all of it.
import { useState } from 'react'

export function useCut<Item>(items: readonly Item[], shown: number) {
  const [isWhole, setIsWhole] = useState(false)
  const isCut = !isWhole && items.length > shown
  return {
    items: isCut ? items.slice(0, shown) : items,
    left: isCut ? items.length - shown : 0,
    showAll: () => setIsWhole(true),
  }
}
