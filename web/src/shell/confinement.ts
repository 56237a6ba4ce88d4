// What a key reads that is not for its whole project, held against what a page is about.
import { useLocation, useParams, useSearch } from '@tanstack/react-router'
import type { OwnKey } from 'assay-client'
import type { Search } from '../search.ts'
import { useKey } from './key.ts'

export type ConfinedTo = NonNullable<OwnKey['confined_to']>

/** Null for a key of a whole project. */
export function useConfinement(): ConfinedTo | null {
  return useKey().data?.confined_to ?? null
}

type Covers = (noun: 'evaluation' | 'variant', id: string | null | undefined) => boolean

/** Whether the key reads what has this id: to anything else no link leads, and nothing is asked about it. */
export function useCovers(): Covers {
  const confined = useConfinement()
  return (noun, id) => confined === null || (id != null && idsOf(confined, noun).includes(id))
}

export function idsOf({ evaluation_id, comparison, variant_id }: ConfinedTo, noun: 'evaluation' | 'variant') {
  return noun === 'variant' ? [variant_id] : [evaluation_id, ...(comparison ?? [])]
}

/** Whether the page at this address is about nothing but what the key reads. */
export function useIsOpen(): boolean {
  const covers = useCovers()
  const confined = useConfinement()
  const { evaluationId, variantId } = useParams({ strict: false })
  const search: Search = useSearch({ strict: false })
  const isComparison = useLocation({ select: ({ pathname }) => pathname === '/compare' })
  if (confined === null) return true
  if (!isComparison) return covers('evaluation', evaluationId) || covers('variant', variantId)
  const compared = [search.evaluation ?? []].flat()
  return compared.length > 1 && compared.every((id) => covers('evaluation', id))
}
