// Shortcuts of a list: they focus the link of the next or previous row, so that Enter opens it.
import type { RefObject } from 'react'
import { useShortcuts } from '../state/shortcuts.ts'

/** Rows have the attribute data-row. The first link in a row opens it. */
export function useListShortcuts(list: RefObject<HTMLElement | null>): void {
  const moveFocus = (step: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll('[data-row]') ?? [])]
    const focusedIndex = rows.findIndex((row) => row.contains(document.activeElement))
    const nextIndex = focusedIndex === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, focusedIndex + step))
    rows[nextIndex]?.querySelector('a')?.focus()
  }
  const openRow = () => {
    const row = document.activeElement?.closest('[data-row]')
    if (row && list.current?.contains(row)) row.querySelector('a')?.click()
  }
  useShortcuts('page', {
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    ArrowDown: () => moveFocus(1),
    ArrowUp: () => moveFocus(-1),
    o: openRow,
  })
}
