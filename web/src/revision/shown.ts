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
  /** The whole of it, as it was written. */
  text: string | undefined
  /** With exact numbers; undefined while they are being read. */
  parameters: { value: unknown } | undefined
  parametersBefore: { value: unknown } | undefined
  difference: RevisionDiff | undefined
  error: unknown
}

export function useShownRevision(id: string, number: number): ShownRevision {
  const variant = useQuery(variantQuestion(id))
  const history = useQuery(historyQuestion(id))
  const text = useQuery(revisionTextQuestion(id, number))
  const revisions = history.data
  const place = revisions?.findIndex((one) => one.revision === number) ?? -1
  const before = place > 0 ? revisions?.[place - 1] : undefined
  const from = before?.revision ?? number
  const textBefore = useQuery({ ...revisionTextQuestion(id, from), enabled: before !== undefined })
  const difference = useQuery({ ...differenceQuestion(id, from, number), enabled: before !== undefined })
  return {
    id,
    number,
    variant: variant.data,
    revisions,
    revision: revisions?.[place],
    before,
    after: place >= 0 ? revisions?.[place + 1] : undefined,
    text: text.data,
    parameters: useParameters(text.data),
    parametersBefore: useParameters(textBefore.data),
    difference: difference.data,
    error: text.error ?? history.error ?? variant.error ?? textBefore.error ?? difference.error,
  }
}

/** The parameters of a revision out of its text. */
export function useParameters(text: string | undefined): { value: unknown } | undefined {
  return useMemo(() => {
    if (text === undefined) return undefined
    const { config } = parseExactly(text) as { config: { parameters?: unknown } }
    return { value: config.parameters ?? {} }
  }, [text])
}
