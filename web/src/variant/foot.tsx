// Below the list: what is selected, and the diff that it leads to.
import { useNavigate } from '@tanstack/react-router'
import { toast } from '../shell/toasts.tsx'
import { useShortcuts } from '../shortcuts.ts'
import type { Revision } from './questions.ts'
import styles from './revision-list.module.css'
import { type Pair, pairOf, type Selection } from './selection.ts'

interface FootProps {
  id: string
  revisions: readonly Revision[]
  selection: Selection
}

export function Foot({ id, revisions, selection: { numbers, toggle, clear } }: FootProps) {
  const navigate = useNavigate()
  const pair = pairOf(revisions, numbers, undefined)
  const open = ([from, to]: Pair) =>
    void navigate({
      to: '/variants/$variantId/revisions/$from/diff/$to',
      params: { variantId: id, from: String(from), to: String(to) },
    })
  function openCurrent() {
    const current = pairOf(revisions, numbers, currentNumber())
    if (current) open(current)
    else toast('A diff is of two revisions. Select two with x, or go to one that has another before it.')
  }
  useShortcuts('page', {
    d: openCurrent,
    x: () => {
      const current = currentNumber()
      if (current !== undefined) toggle(current)
    },
    ...(numbers.length > 0 && { Escape: clear }),
  })
  return (
    <div className={styles.foot}>
      <span role="status">{numbers.length > 0 && <strong>{namesOf(numbers)} selected</strong>}</span>
      {pair && (
        <button type="button" title="Diff (d)" onClick={() => open(pair)}>
          Diff {numbers.length === 1 && `with r${pair[0]}`} <kbd>d</kbd>
        </button>
      )}
      {numbers.length > 0 && (
        <button type="button" className="plain" onClick={clear}>
          Clear
        </button>
      )}
      <span className={styles.hint}>
        <kbd>x</kbd> selects, <kbd>d</kbd> diffs the two selected, or one with the one before it
      </span>
    </div>
  )
}

function namesOf(numbers: readonly number[]): string {
  return numbers
    .toSorted((one, other) => one - other)
    .map((number) => `r${number}`)
    .join(' and ')
}

/** The revision whose row has the focus. */
function currentNumber(): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]')
  return row?.dataset.row === undefined ? undefined : Number(row.dataset.row)
}
