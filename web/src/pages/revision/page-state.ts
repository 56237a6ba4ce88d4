// State of the revision page: the revision with exact numbers, its neighbors, and the diff with the previous one.
import { useQuery } from '@tanstack/react-query'
import type { RevisionDiff, Variant } from 'assay-client'
import { diffQuery, type Revision, revisionsQuery, variantQuery } from '../../queries/variants.ts'
import { type ExactValue, useRevisionParameters } from '../../revisions/revision-parameters.ts'

export interface RevisionState {
  id: string
  number: number
  variant: Variant | undefined
  revisions: Revision[] | undefined
  revision: Revision | undefined
  before: Revision | undefined
  after: Revision | undefined
  /** With exact numbers; undefined while loading. */
  parameters: ExactValue | undefined
  parametersBefore: ExactValue | undefined
  difference: RevisionDiff | undefined
  error: unknown
}

export function useRevisionState(id: string, number: number): RevisionState {
  const variant = useQuery(variantQuery(id))
  const history = useQuery(revisionsQuery(id))
  const revisions = history.data
  const index = revisions?.findIndex(({ revision }) => revision === number) ?? -1
  const before = index > 0 ? revisions?.[index - 1] : undefined
  const from = before?.revision ?? number
  const current = useRevisionParameters(id, number, revisions)
  const previous = useRevisionParameters(id, from, revisions)
  const difference = useQuery({ ...diffQuery(id, from, number), enabled: before !== undefined })
  return {
    id,
    number,
    variant: variant.data,
    revisions,
    revision: revisions?.[index],
    before,
    after: index >= 0 ? revisions?.[index + 1] : undefined,
    parameters: current.parameters,
    parametersBefore: previous.parameters,
    difference: difference.data,
    error: current.error ?? history.error ?? variant.error ?? difference.error,
  }
}
