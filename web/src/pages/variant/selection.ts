// Selected revisions of the list: at most two, for a diff.
import { useCallback, useState } from 'react'
import type { Revision } from '../../queries/variants.ts'

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
export type Pair = [from: number, to: number]

/** The two selected revisions, or else the selected or current one with its previous one. Undefined if there are no two. */
export function diffPair(
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
