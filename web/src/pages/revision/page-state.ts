// State of the revision page: the revision, its parameters, the adjacent revisions, and the diff with the previous one.
import { useQuery } from '@tanstack/react-query'
import type { RevisionDiff, Variant } from 'assay-client'
import { diffQuery, type Revision, revisionsQuery, variantQuery } from '../../queries/variants.ts'
import { type ExactValue, useRevisionParameters } from '../../revisions/revision-parameters.ts'

export interface RevisionState {
  variantId: string
  revisionNumber: number
  variant: Variant | undefined
  revisions: Revision[] | undefined
  revision: Revision | undefined
  previousRevision: Revision | undefined
  nextRevision: Revision | undefined
  /** Numbers keep all their digits. Undefined while loading. */
  parameters: ExactValue | undefined
  /** For the first revision, its own parameters. */
  previousParameters: ExactValue | undefined
  diff: RevisionDiff | undefined
  error: unknown
}

export function useRevisionState(variantId: string, revisionNumber: number): RevisionState {
  const variant = useQuery(variantQuery(variantId))
  const history = useQuery(revisionsQuery(variantId))
  const revisions = history.data
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
    variant: variant.data,
    revisions,
    revision: revisions?.[index],
    previousRevision,
    nextRevision: index >= 0 ? revisions?.[index + 1] : undefined,
    parameters: current.parameters,
    previousParameters: previous.parameters,
    diff: diff.data,
    error: current.error ?? history.error ?? variant.error ?? diff.error,
  }
}
