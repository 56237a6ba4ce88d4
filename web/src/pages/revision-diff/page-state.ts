// State of the revision diff: two revisions of a variant with exact numbers, and the changes between them.
import { useQuery } from '@tanstack/react-query'
import type { RevisionDiff, Variant } from 'assay-client'
import { useMemo } from 'react'
import { textEquality } from '../../diff/differences.ts'
import { diffQuery, type Revision, revisionsQuery, variantQuery } from '../../queries/variants.ts'
import { type ExactValue, useRevisionParameters } from '../../revisions/revision-parameters.ts'

type ParameterChange = RevisionDiff['changes'][number]

/** One of the two revisions. */
interface Side {
  number: number
  revision: Revision | undefined
  /** With exact numbers; undefined while loading. */
  parameters: ExactValue | undefined
}

export interface RevisionDiffState {
  id: string
  variant: Variant | undefined
  revisions: Revision[] | undefined
  from: Side
  to: Side
  difference: RevisionDiff | undefined
  /** Without whitespace changes if these are ignored. */
  changes: ParameterChange[]
  error: unknown
}

export function useRevisionDiffState(
  id: string,
  from: number,
  to: number,
  ignoresSpace: boolean,
): RevisionDiffState {
  const variant = useQuery(variantQuery(id))
  const history = useQuery(revisionsQuery(id))
  const before = useRevisionParameters(id, from, history.data)
  const after = useRevisionParameters(id, to, history.data)
  const { data: difference, error } = useQuery(diffQuery(id, from, to))
  const changes = useMemo(() => {
    const all = difference?.changes ?? []
    return ignoresSpace ? all.filter((change) => !isOnlyWhitespace(change)) : all
  }, [difference, ignoresSpace])
  const revisionOf = (number: number) => history.data?.find(({ revision }) => revision === number)
  return {
    id,
    variant: variant.data,
    revisions: history.data,
    from: { number: from, revision: revisionOf(from), parameters: before.parameters },
    to: { number: to, revision: revisionOf(to), parameters: after.parameters },
    difference,
    changes,
    error: error ?? before.error ?? after.error ?? history.error ?? variant.error,
  }
}

function isOnlyWhitespace({ old: before, new: after }: ParameterChange): boolean {
  return (
    typeof before === 'string' && typeof after === 'string' && textEquality(before, after) === 'white space'
  )
}
