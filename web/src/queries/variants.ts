// Queries about variants and revisions. Query keys contain all parameters, so that equal queries share one request.
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Evaluation, Variant, VariantRevision } from 'assay-client'
import { formatInList } from '../../../src/schema/filters/in-operand.ts'
import { assay } from '../api/client.ts'

/** Variants per request. */
const PAGE_SIZE = 100
/** Evaluations of a variant that are compared with their baselines. */
const MAX_COMPARED = 300
export const REVISION_INCLUDE = 'evaluations,changes,message'

/** An evaluation that ran a revision. */
export type RevisionEvaluation = NonNullable<VariantRevision['evaluations']>[number] &
  Partial<Pick<Evaluation, 'status' | 'expected_count'>>
/** A revision with its evaluations, changes and message, and its exact JSON text. */
export type Revision = VariantRevision & {
  evaluations: RevisionEvaluation[]
  message: string | null
  text: string
}

export function variantsQuery(name: string) {
  return infiniteQueryOptions({
    queryKey: ['variants', { name }],
    queryFn: ({ signal, pageParam }) =>
      assay.listVariants(
        {
          limit: PAGE_SIZE,
          ...(name && { name: `contains.${name}` }),
          ...(pageParam && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.cursor,
    placeholderData: keepPreviousData,
  })
}

/** The newest evaluations of several variants per request. */
const MAX_RUNS = 300
/** Requests until a variant with older evaluations only has been found. */
const MAX_RUN_REQUESTS = 5
/** In a URL, which can have 8 kB. */
const MAX_IDS_CHARACTERS = 5000

/** The newest evaluations of these variants, with their scores and changes, newest first. */
export function variantRunsQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: ['variants', 'runs', ids],
    queryFn: async ({ signal }) => {
      const runs: Evaluation[] = []
      let missing = ids
      // Many runs of one variant can be newer than all runs of another one.
      for (let request = 0; request < MAX_RUN_REQUESTS && missing.length > 0; request++) {
        const requested = withinUrl(missing)
        const variant_id = `in.${formatInList(requested)}`
        const page = await assay.listEvaluations(
          { variant_id, include: 'scores,base', limit: MAX_RUNS },
          { signal },
        )
        runs.push(...page.items)
        const found = page.cursor === undefined ? requested : page.items.map((run) => run.variant_id)
        missing = missing.filter((id) => !found.includes(id))
      }
      return runs
    },
  })
}

/** As many of the ids as fit into a URL. */
function withinUrl(ids: readonly string[]): string[] {
  let characters = 0
  return ids.filter((id) => {
    characters += encodeURIComponent(id).length + 6
    return characters <= MAX_IDS_CHARACTERS
  })
}

export function variantQuery(id: string) {
  return queryOptions({
    queryKey: ['variant', id],
    queryFn: ({ signal }) => assay.getVariant(id, { signal }),
  })
}

/** The variant if another page has loaded it. Pages of revisions need only its name, which is not worth a request. */
export function useCachedVariant(id: string): Variant | undefined {
  return useQuery({ ...variantQuery(id), enabled: false }).data
}

/** All revisions, oldest first. Shared by the pages of the variant and of each revision. */
export function revisionsQuery(id: string) {
  return queryOptions({
    queryKey: ['variant', id, 'revisions'],
    queryFn: async ({ signal }) => {
      const texts = await assay.listVariantRevisionTexts(id, { include: REVISION_INCLUDE }, { signal })
      return texts.map((text): Revision => ({ ...JSON.parse(text), text }))
    },
  })
}

/**
 * The newest evaluations of a variant with their status and their changes from the baseline. Separate from the revisions,
 * because the first computation of many changes takes seconds.
 */
export function variantEvaluationsQuery(id: string) {
  return queryOptions({
    queryKey: ['variant', id, 'evaluations'],
    queryFn: async ({ signal }) => {
      const query = { variant_id: `eq.${id}`, include: 'base', limit: MAX_COMPARED }
      return (await assay.listEvaluations(query, { signal })).items
    },
  })
}

/** One revision. It is immutable. */
export function revisionQuery(id: string, revision: number) {
  return queryOptions({
    queryKey: ['variant', id, 'revision', revision],
    queryFn: ({ signal }) => assay.getVariantRevision(id, revision, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The exact JSON text of a revision. */
export function revisionTextQuery(id: string, revision: number) {
  return queryOptions({
    queryKey: ['variant', id, 'revision text', revision],
    queryFn: ({ signal }) => assay.getVariantRevisionText(id, revision, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function diffQuery(id: string, from: number, to: number) {
  return queryOptions({
    queryKey: ['variant', id, 'difference', from, to],
    queryFn: ({ signal }) => assay.diffVariantRevisions(id, from, to, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
