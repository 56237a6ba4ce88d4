// What the page of a revision shows: the revision, exactly, and those beside it in the history of its variant.
import { useQuery } from '@tanstack/react-query'
import type { RevisionDiff, Variant } from 'assay-client'
import { useMemo } from 'react'
import { parseExactly } from '../format/exact.ts'
import {
  differenceQuestion,
  historyQuestion,
  type Revision,
  revisionTextQuestion,
  variantQuestion,
} from '../variant/questions.ts'

export interface ShownRevision {
  id: string
  number: number
  variant: Variant | undefined
  revisions: Revision[] | undefined
  revision: Revision | undefined
  before: Revision | undefined
  after: Revision | undefined
  /** With exact numbers; undefined while they are being read. */
  parameters: Exactly | undefined
  parametersBefore: Exactly | undefined
  difference: RevisionDiff | undefined
  error: unknown
}

export interface Exactly {
  value: unknown
}

export function useShownRevision(id: string, number: number): ShownRevision {
  const variant = useQuery(variantQuestion(id))
  const history = useQuery(historyQuestion(id))
  const revisions = history.data
  const place = revisions?.findIndex((one) => one.revision === number) ?? -1
  const before = place > 0 ? revisions?.[place - 1] : undefined
  const from = before?.revision ?? number
  const now = useParameters(id, number, revisions)
  const old = useParameters(id, from, revisions)
  const difference = useQuery({ ...differenceQuestion(id, from, number), enabled: before !== undefined })
  return {
    id,
    number,
    variant: variant.data,
    revisions,
    revision: revisions?.[place],
    before,
    after: place >= 0 ? revisions?.[place + 1] : undefined,
    parameters: now.parameters,
    parametersBefore: old.parameters,
    difference: difference.data,
    error: now.error ?? history.error ?? variant.error ?? difference.error,
  }
}

/** Those of a revision as the history has it; one that is not in there is asked for by itself. */
export function useParameters(
  id: string,
  number: number,
  history: Revision[] | undefined,
): { parameters: Exactly | undefined; error: unknown } {
  const known = history?.find(({ revision }) => revision === number)
  const alone = useQuery({
    ...revisionTextQuestion(id, number),
    enabled: history !== undefined && known === undefined,
  })
  const text = known?.text ?? alone.data
  const parameters = useMemo(() => {
    if (text === undefined) return undefined
    const { config } = parseExactly(text) as { config: { parameters?: unknown } }
    return { value: config.parameters ?? {} }
  }, [text])
  return { parameters, error: alone.error }
}
