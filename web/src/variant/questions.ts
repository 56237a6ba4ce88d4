// What is asked of the API about variants. Every question is named by what it asks, so that equal ones are asked once.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { VariantRevision } from 'assay-client'
import { assay } from '../api.ts'

/** How many variants are asked for at once. */
const PAGE = 100
export const INCLUDE = 'evaluations,changes,message'

/** An evaluation that ran a revision. */
export type RanIt = NonNullable<VariantRevision['evaluations']>[number]
/** A revision with what ran it, what it changed, what was said about it, and all of that as it was written. */
export type Revision = VariantRevision & { evaluations: RanIt[]; message: string | null; text: string }

export function variantsQuestion(name: string) {
  return infiniteQueryOptions({
    queryKey: ['variants', { name }],
    queryFn: ({ signal, pageParam }) =>
      assay.listVariants(
        { limit: PAGE, ...(name && { name: `contains.${name}` }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
  })
}

export function variantQuestion(id: string) {
  return queryOptions({
    queryKey: ['variant', id],
    queryFn: ({ signal }) => assay.getVariant(id, { signal }),
  })
}

/** All revisions, the first one first. Their page and that of each revision ask the same. */
export function historyQuestion(id: string) {
  return queryOptions({
    queryKey: ['variant', id, 'revisions'],
    queryFn: async ({ signal }) => {
      const texts = await assay.listVariantRevisionTexts(id, { include: INCLUDE }, { signal })
      return texts.map((text): Revision => ({ ...JSON.parse(text), text }))
    },
  })
}

/** One revision, which never changes. */
export function revisionQuestion(id: string, revision: number) {
  return queryOptions({
    queryKey: ['variant', id, 'revision', revision],
    queryFn: ({ signal }) => assay.getVariantRevision(id, revision, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The exact text of the same. */
export function revisionTextQuestion(id: string, revision: number) {
  return queryOptions({
    queryKey: ['variant', id, 'revision text', revision],
    queryFn: ({ signal }) => assay.getVariantRevisionText(id, revision, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function differenceQuestion(id: string, from: number, to: number) {
  return queryOptions({
    queryKey: ['variant', id, 'difference', from, to],
    queryFn: ({ signal }) => assay.diffVariantRevisions(id, from, to, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
