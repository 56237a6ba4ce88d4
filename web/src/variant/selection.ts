// The revisions of the list that are selected: two at most, because two are what a diff is of.
import { useCallback, useState } from 'react'
import type { Revision } from './questions.ts'

export interface Selection {
  /** Numbers of revisions, in the order in which they were selected. */
  numbers: readonly number[]
  /** A third one takes the place of the first. */
  toggle: (number: number) => void
  clear: () => void
}

export function useSelection(): Selection {
  const [numbers, setNumbers] = useState<readonly number[]>([])
  const toggle = useCallback((number: number) => {
    setNumbers((old) =>
      old.includes(number) ? old.filter((one) => one !== number) : [...old, number].slice(-2),
    )
  }, [])
  return { numbers, toggle, clear: () => setNumbers([]) }
}

/** Two revisions, the older first. */
export type Pair = [from: number, to: number]

/** Both that are selected; else the one that is, or the current one, with the one before it. Undefined where there is none. */
export function pairOf(
  revisions: readonly Revision[],
  selected: readonly number[],
  current: number | undefined,
): Pair | undefined {
  const [one = current, other] = selected
  if (one === undefined) return undefined
  if (other !== undefined) return [Math.min(one, other), Math.max(one, other)]
  const before = revisions[revisions.findIndex(({ revision }) => revision === one) - 1]
  return before && [before.revision, one]
}
