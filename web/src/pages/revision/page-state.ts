// State of the revision page: the revision, its parameters, the adjacent revisions, and the diff with the previous one.
import { useQuery } from '@tanstack/react-query'
import { diffQuery, useCachedVariant } from '../../queries/variants.ts'
import { useRevisionParameters, useRevisions } from '../../revisions/use-revisions.ts'

export type RevisionState = ReturnType<typeof useRevisionState>

export function useRevisionState(variantId: string, revisionNumber: number) {
  const variant = useCachedVariant(variantId)
  const { revisions, error } = useRevisions(variantId)
  const index = revisions?.findIndex(({ revision }) => revision === revisionNumber) ?? -1
  const previousRevision = index > 0 ? revisions?.[index - 1] : undefined
  const previousNumber = previousRevision?.revision ?? revisionNumber
  const current = useRevisionParameters(variantId, revisionNumber, revisions)
  const previous = useRevisionParameters(variantId, previousNumber, revisions)
  const diff = useQuery({
    ...diffQuery(variantId, previousNumber, revisionNumber),
    enabled: previousRevision !== undefined,
  })
  return {
    variantId,
    revisionNumber,
    variant,
    revisions,
    revision: revisions?.[index],
    previousRevision,
    nextRevision: index >= 0 ? revisions?.[index + 1] : undefined,
    /** Numbers keep all their digits. Undefined while loading. */
    parameters: current.parameters,
    /** For the first revision, its own parameters. */
    previousParameters: previous.parameters,
    diff: diff.data,
    error: current.error ?? error ?? diff.error,
  }
}
