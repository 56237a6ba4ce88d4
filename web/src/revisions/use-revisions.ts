// The revisions of a variant. The changes of their evaluations from the baseline follow later.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useKey } from '../api/key.ts'
import { type Revision, revisionsQuery, variantEvaluationsQuery } from '../queries/variants.ts'
import { addChanges } from './add-changes.ts'

export function useRevisions(id: string): { revisions: Revision[] | undefined; error: unknown } {
  const { data: revisions, error } = useQuery(revisionsQuery(id))
  // A share link of a variant cannot read the evaluations.
  const canList = useKey().data?.confined_to === null
  const { data: evaluations } = useQuery({ ...variantEvaluationsQuery(id), enabled: canList })
  return {
    revisions: useMemo(() => revisions && addChanges(revisions, evaluations ?? []), [revisions, evaluations]),
    error,
  }
}
