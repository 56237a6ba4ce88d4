// State of the revision diff: two revisions of a variant, their parameters, and the changes between them.
import { useQuery } from '@tanstack/react-query'
import type { RevisionDiff, Variant } from 'assay-client'
import { useMemo } from 'react'
import { textEquality } from '../../diff/differences.ts'
import { diffQuery, type Revision, revisionsQuery, variantQuery } from '../../queries/variants.ts'
import { type ExactValue, useRevisionParameters } from '../../revisions/revision-parameters.ts'

type ParameterChange = RevisionDiff['changes'][number]

interface ComparedRevision {
  number: number
  revision: Revision | undefined
  /** Numbers keep all their digits. Undefined while loading. */
  parameters: ExactValue | undefined
}

export interface RevisionDiffState {
  id: string
  variant: Variant | undefined
  revisions: Revision[] | undefined
  from: ComparedRevision
  to: ComparedRevision
  diff: RevisionDiff | undefined
  /** Without whitespace changes if these are ignored. */
  changes: ParameterChange[]
  error: unknown
}

export function useRevisionDiffState(
  id: string,
  from: number,
  to: number,
  ignoreWhitespace: boolean,
): RevisionDiffState {
  const variant = useQuery(variantQuery(id))
  const history = useQuery(revisionsQuery(id))
  const oldRevision = useRevisionParameters(id, from, history.data)
  const newRevision = useRevisionParameters(id, to, history.data)
  const { data: diff, error } = useQuery(diffQuery(id, from, to))
  const changes = useMemo(() => {
    const allChanges = diff?.changes ?? []
    return ignoreWhitespace ? allChanges.filter((change) => !isOnlyWhitespace(change)) : allChanges
  }, [diff, ignoreWhitespace])
  const revisionOf = (number: number) => history.data?.find(({ revision }) => revision === number)
  return {
    id,
    variant: variant.data,
    revisions: history.data,
    from: { number: from, revision: revisionOf(from), parameters: oldRevision.parameters },
    to: { number: to, revision: revisionOf(to), parameters: newRevision.parameters },
    diff,
    changes,
    error: error ?? oldRevision.error ?? newRevision.error ?? history.error ?? variant.error,
  }
}

function isOnlyWhitespace({ old: oldValue, new: newValue }: ParameterChange): boolean {
  return (
    typeof oldValue === 'string' &&
    typeof newValue === 'string' &&
    textEquality(oldValue, newValue) === 'whitespace'
  )
}
