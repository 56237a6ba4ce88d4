// State of the revision diff: two revisions of a variant, their parameters, and the changes between them.
import { useQuery } from '@tanstack/react-query'
import type { RevisionDiff } from 'assay-client'
import { useMemo } from 'react'
import { textEquality } from '../../diff/differences.ts'
import { diffQuery, useCachedVariant } from '../../queries/variants.ts'
import { useRevisionParameters, useRevisions } from '../../revisions/use-revisions.ts'

type ParameterChange = RevisionDiff['changes'][number]

export type RevisionDiffState = ReturnType<typeof useRevisionDiffState>

export function useRevisionDiffState(id: string, from: number, to: number, ignoreWhitespace: boolean) {
  const variant = useCachedVariant(id)
  const history = useRevisions(id)
  const oldParameters = useRevisionParameters(id, from, history.revisions)
  const newParameters = useRevisionParameters(id, to, history.revisions)
  const { data: diff, error } = useQuery(diffQuery(id, from, to))
  const changes = useMemo(() => {
    const allChanges = diff?.changes ?? []
    return ignoreWhitespace ? allChanges.filter((change) => !isOnlyWhitespace(change)) : allChanges
  }, [diff, ignoreWhitespace])
  const compared = (number: number, { parameters }: typeof oldParameters) => ({
    number,
    revision: history.revisions?.find(({ revision }) => revision === number),
    /** Numbers keep all their digits. Undefined while loading. */
    parameters,
  })
  return {
    id,
    variant,
    revisions: history.revisions,
    from: compared(from, oldParameters),
    to: compared(to, newParameters),
    diff,
    /** Without whitespace changes if these are ignored. */
    changes,
    error: error ?? oldParameters.error ?? newParameters.error ?? history.error,
  }
}

function isOnlyWhitespace({ old: oldValue, new: newValue }: ParameterChange): boolean {
  return (
    typeof oldValue === 'string' &&
    typeof newValue === 'string' &&
    textEquality(oldValue, newValue) === 'whitespace'
  )
}
