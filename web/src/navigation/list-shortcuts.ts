// Shortcuts of a list: they focus the link of the next or previous row, so that Enter opens it.
import type { RefObject } from 'react'
import { useShortcuts } from '../state/shortcuts.ts'

/** Rows have the attribute data-row. The first link in a row opens it. A virtualized list moves the focus itself. */
export function useListShortcuts(
  list: RefObject<HTMLElement | null>,
  moveFocus = (step: 1 | -1) => moveFocusIn(list, step),
): void {
  const openRow = () => {
    const row = document.activeElement?.closest('[data-row]')
    if (row && list.current?.contains(row)) row.querySelector('a')?.click()
  }
  useShortcuts('page', {
    'j, ArrowDown': { label: 'Next row', run: () => moveFocus(1) },
    'k, ArrowUp': { label: 'Previous row', run: () => moveFocus(-1) },
    o: { label: 'Open the row', run: openRow },
  })
}

function moveFocusIn(list: RefObject<HTMLElement | null>, step: 1 | -1): void {
  const rows = [...(list.current?.querySelectorAll('[data-row]') ?? [])]
  const focusedIndex = rows.findIndex((row) => row.contains(document.activeElement))
  const nextIndex = focusedIndex === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, focusedIndex + step))
  rows[nextIndex]?.querySelector('a')?.focus()
}
