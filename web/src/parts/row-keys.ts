// Keys that go from row to row of a list: each moves the focus to the link that opens the row, so that Enter opens it.
import type { RefObject } from 'react'
import { useShortcuts } from '../shortcuts.ts'

/** Rows are marked with data-row; the first link in one opens it. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const go = (step: 1 | -1) => {
    const rows = [...(list.current?.querySelectorAll('[data-row]') ?? [])]
    const now = rows.findIndex((row) => row.contains(document.activeElement))
    const next = now === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, now + step))
    rows[next]?.querySelector('a')?.focus()
  }
  const open = () => {
    const row = document.activeElement?.closest('[data-row]')
    if (row && list.current?.contains(row)) row.querySelector('a')?.click()
  }
  useShortcuts('page', {
    j: () => go(1),
    k: () => go(-1),
    ArrowDown: () => go(1),
    ArrowUp: () => go(-1),
    o: open,
  })
}
