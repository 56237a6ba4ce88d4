// The selected revisions, at most two, and the shortcuts that select and compare them.
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { Revision } from '../../queries/variants.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { toast } from '../../ui/messages/toasts.tsx'
import { diffPair, type Pair } from './diff-pair.ts'

export interface Selection {
  /** Revision numbers, in the order of selection. */
  numbers: readonly number[]
  /** A third revision replaces the first. */
  toggle: (number: number) => void
  clear: () => void
  openDiff: (pair: Pair) => void
}

export function useSelection(id: string, revisions: readonly Revision[]): Selection {
  const [numbers, setNumbers] = useState<readonly number[]>([])
  const navigate = useNavigate()
  const toggle = useCallback((number: number) => {
    setNumbers((old) =>
      old.includes(number) ? old.filter((selected) => selected !== number) : [...old, number].slice(-2),
    )
  }, [])
  const clear = useCallback(() => setNumbers([]), [])
  const openDiff = ([from, to]: Pair) =>
    void navigate({
      to: '/variants/$variantId/revisions/$from/diff/$to',
      params: { variantId: id, from: String(from), to: String(to) },
    })
  useShortcuts('page', {
    d: {
      label: 'Diff two selected revisions, or one with the previous',
      run: () => {
        const pair = diffPair(revisions, numbers, focusedNumber())
        if (pair) openDiff(pair)
        else toast('Select two revisions with x, or focus one that has a previous revision.')
      },
    },
    x: {
      label: 'Select the revision',
      run: () => {
        const number = focusedNumber()
        if (number !== undefined) toggle(number)
      },
    },
    ...(numbers.length > 0 && { Escape: { label: 'Clear the selection', run: clear } }),
  })
  return { numbers, toggle, clear, openDiff }
}

/** The revision whose row is focused. */
function focusedNumber(): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]')
  return row?.dataset.row === undefined ? undefined : Number(row.dataset.row)
}
