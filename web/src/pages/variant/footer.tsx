// The selected revisions, at most two, and the footer with the button that opens their diff.
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { Revision } from '../../queries/variants.ts'
import { useShortcuts } from '../../state/shortcuts.ts'
import { toast } from '../../ui/toasts.tsx'
import styles from './revision-list.module.css'

export interface Selection {
  /** Revision numbers, in the order of selection. */
  numbers: readonly number[]
  /** A third revision replaces the first. */
  toggle: (number: number) => void
  clear: () => void
}

export function useSelection(): Selection {
  const [numbers, setNumbers] = useState<readonly number[]>([])
  const toggle = useCallback((number: number) => {
    setNumbers((old) =>
      old.includes(number) ? old.filter((selected) => selected !== number) : [...old, number].slice(-2),
    )
  }, [])
  return { numbers, toggle, clear: () => setNumbers([]) }
}

/** Two revisions, the older first. */
type Pair = [from: number, to: number]

/** The two selected revisions, or else the selected or current one with its previous one. Undefined if there are no two. */
function diffPair(
  revisions: readonly Revision[],
  selected: readonly number[],
  current: number | undefined,
): Pair | undefined {
  const [first = current, second] = selected
  if (first === undefined) return undefined
  if (second !== undefined) return [Math.min(first, second), Math.max(first, second)]
  const previous = revisions[revisions.findIndex(({ revision }) => revision === first) - 1]
  return previous && [previous.revision, first]
}

interface FooterProps {
  id: string
  revisions: readonly Revision[]
  selection: Selection
}

export function Footer({ id, revisions, selection: { numbers, toggle, clear } }: FooterProps) {
  const navigate = useNavigate()
  const pair = diffPair(revisions, numbers, undefined)
  const openDiff = ([from, to]: Pair) =>
    void navigate({
      to: '/variants/$variantId/revisions/$from/diff/$to',
      params: { variantId: id, from: String(from), to: String(to) },
    })
  function openCurrent() {
    const pair = diffPair(revisions, numbers, currentNumber())
    if (pair) openDiff(pair)
    else toast('Select two revisions with x, or focus one that has a previous revision.')
  }
  useShortcuts('page', {
    d: openCurrent,
    x: () => {
      const number = currentNumber()
      if (number !== undefined) toggle(number)
    },
    ...(numbers.length > 0 && { Escape: clear }),
  })
  return (
    <div className={styles.footer}>
      <span role="status">{numbers.length > 0 && <strong>{revisionNames(numbers)} selected</strong>}</span>
      {pair && (
        <button type="button" title="Diff (d)" onClick={() => openDiff(pair)}>
          Diff {numbers.length === 1 && `with r${pair[0]}`} <kbd>d</kbd>
        </button>
      )}
      {numbers.length > 0 && (
        <button type="button" className="plain" onClick={clear}>
          Clear
        </button>
      )}
      <span className={styles.hint}>
        <kbd>x</kbd> select · <kbd>d</kbd> diff two selected revisions, or one with the previous
      </span>
    </div>
  )
}

function revisionNames(numbers: readonly number[]): string {
  return numbers
    .toSorted((a, b) => a - b)
    .map((number) => `r${number}`)
    .join(' and ')
}

/** The revision whose row is focused. */
function currentNumber(): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]')
  return row?.dataset.row === undefined ? undefined : Number(row.dataset.row)
}
