// The parameters of a revision. Numbers keep all their digits.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { parseExactly } from '../format/exact-json.ts'
import { type Revision, revisionTextQuery } from '../queries/variants.ts'

export interface ExactValue {
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
