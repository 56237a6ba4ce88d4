// The evaluations of a leaderboard that are selected for a comparison. At first the best two.
import type { Leaderboard } from 'assay-client'
import { useState } from 'react'

/** The limit of the API. */
export const MAX_COMPARED_EVALUATIONS = 4

export type Selection = ReturnType<typeof useSelection>

export function useSelection({ evaluations }: Leaderboard) {
  const [ids, setIds] = useState(() => evaluations.slice(0, 2).map(({ id }) => id))
  return {
    /** In the order of the ranks. */
    ids,
    toggle: (id: string) =>
      setIds((old) => {
        const selected = old.includes(id) ? old.filter((other) => other !== id) : [...old, id]
        return evaluations.flatMap((evaluation) => (selected.includes(evaluation.id) ? evaluation.id : []))
      }),
  }
}
