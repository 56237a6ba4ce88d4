// What the page of a difference shows: two revisions of a variant, exactly, and what lies between them.
import { useQuery } from '@tanstack/react-query'
import type { RevisionDiff, Variant } from 'assay-client'
import { useMemo } from 'react'
import { sameness } from '../diff/differences.ts'
import { type Exactly, useParameters } from '../revision/shown.ts'
import { differenceQuestion, historyQuestion, type Revision, variantQuestion } from '../variant/questions.ts'

type ParameterChange = RevisionDiff['changes'][number]

/** One of the two revisions. */
interface Side {
  number: number
  revision: Revision | undefined
  /** With exact numbers; undefined while they are being read. */
  parameters: Exactly | undefined
}

export interface ShownDiff {
  id: string
  variant: Variant | undefined
  revisions: Revision[] | undefined
  old: Side
  now: Side
  difference: RevisionDiff | undefined
  /** Those that count: not what differs in white space alone, where that is ignored. */
  changes: ParameterChange[]
  error: unknown
}

export function useShownDiff(id: string, from: number, to: number, ignoresSpace: boolean): ShownDiff {
  const variant = useQuery(variantQuestion(id))
  const history = useQuery(historyQuestion(id))
  const before = useParameters(id, from, history.data)
  const after = useParameters(id, to, history.data)
  const { data: difference, error } = useQuery(differenceQuestion(id, from, to))
  const changes = useMemo(() => {
    const all = difference?.changes ?? []
    return ignoresSpace ? all.filter((change) => !isSpaceAlone(change)) : all
  }, [difference, ignoresSpace])
  const sideOf = (number: number) => history.data?.find((one) => one.revision === number)
  return {
    id,
    variant: variant.data,
    revisions: history.data,
    old: { number: from, revision: sideOf(from), parameters: before.parameters },
    now: { number: to, revision: sideOf(to), parameters: after.parameters },
    difference,
    changes,
    error: error ?? before.error ?? after.error ?? history.error ?? variant.error,
  }
}

function isSpaceAlone({ old, new: now }: ParameterChange): boolean {
  return typeof old === 'string' && typeof now === 'string' && sameness(old, now) === 'white space'
}
