// The revisions of a variant, and the exact parameters of one. The changes of their evaluations follow later.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { parseExactly } from '../../../src/json/exact-values.ts'
import { useKey } from '../api/key.ts'
import {
  type Revision,
  revisionsQuery,
  revisionTextQuery,
  variantEvaluationsQuery,
} from '../queries/variants.ts'
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

interface ExactValue {
  value: unknown
}

/** Uses the history if it contains the revision, or else requests the revision. */
export function useRevisionParameters(
  variantId: string,
  revisionNumber: number,
  history: Revision[] | undefined,
): { parameters: ExactValue | undefined; error: unknown } {
  const fromHistory = history?.find(({ revision }) => revision === revisionNumber)
  const singleRevision = useQuery({
    ...revisionTextQuery(variantId, revisionNumber),
    enabled: history !== undefined && fromHistory === undefined,
  })
  const text = fromHistory?.text ?? singleRevision.data
  const parameters = useMemo(() => {
    if (text === undefined) return undefined
    const { config } = parseExactly(text) as { config: { parameters?: unknown } }
    return { value: config.parameters ?? {} }
  }, [text])
  return { parameters, error: singleRevision.error }
}
