// What the key of a share link can read, and whether the current page is part of it.
import { useLocation, useParams } from '@tanstack/react-router'
import type { OwnKey } from 'assay-client'
import { useSharedSearch } from '../state/search-params.ts'
import { useKey } from './key.ts'

export type Restriction = NonNullable<OwnKey['confined_to']>

/** Null for a project key, which can read everything. */
export function useRestriction(): Restriction | null {
  return useKey().data?.confined_to ?? null
}

type CanRead = (noun: 'evaluation' | 'variant', id: string | null | undefined) => boolean

/** Whether the key can read this resource. The page neither links to nor requests anything else. */
export function useCanRead(): CanRead {
  const restriction = useRestriction()
  return (noun, id) => restriction === null || (id != null && readableIds(restriction, noun).includes(id))
}

function readableIds({ evaluation_id, comparison, variant_id }: Restriction, noun: 'evaluation' | 'variant') {
  return noun === 'variant' ? [variant_id] : [evaluation_id, ...(comparison ?? [])]
}

/** Whether the key can read everything on the current page. */
export function useIsPageReadable(): boolean {
  const canRead = useCanRead()
  const restriction = useRestriction()
  const { evaluationId, variantId, reviewId } = useParams({ strict: false })
  const { evaluation: comparedIds = [] } = useSharedSearch<'/compare'>()
  const isComparison = useLocation({
    select: ({ pathname }) => pathname === '/compare' || pathname === '/leaderboard',
  })
  if (restriction === null) return true
  if (restriction.review_id !== undefined) return restriction.review_id === reviewId
  if (!isComparison) return canRead('evaluation', evaluationId) || canRead('variant', variantId)
  return comparedIds.length > 1 && comparedIds.every((id) => canRead('evaluation', id))
}
