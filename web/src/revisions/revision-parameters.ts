// The parameters of a revision, with exact numbers.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { parseExactly } from '../format/exact-json.ts'
import { type Revision, revisionTextQuery } from '../queries/variants.ts'

export interface ExactValue {
  value: unknown
}

/** Uses the history if it contains the revision, or else requests the revision. */
export function useRevisionParameters(
  id: string,
  number: number,
  history: Revision[] | undefined,
): { parameters: ExactValue | undefined; error: unknown } {
  const fromHistory = history?.find(({ revision }) => revision === number)
  const single = useQuery({
    ...revisionTextQuery(id, number),
    enabled: history !== undefined && fromHistory === undefined,
  })
  const text = fromHistory?.text ?? single.data
  const parameters = useMemo(() => {
    if (text === undefined) return undefined
    const { config } = parseExactly(text) as { config: { parameters?: unknown } }
    return { value: config.parameters ?? {} }
  }, [text])
  return { parameters, error: single.error }
}
