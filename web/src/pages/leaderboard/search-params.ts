// Search params of the leaderboard page: which evaluations are ranked, by which evaluator, and what the page shows of them.
import { useSearch } from '@tanstack/react-router'
import type { GetLeaderboardQuery } from 'assay-client'
import { useMemo } from 'react'
import {
  ignoredParams,
  matching,
  oneOf,
  type PageSearch,
  searchOf,
  text,
  texts,
} from '../../state/search-params.ts'

export const leaderboardSearch = searchOf({
  /** Evaluation ids. */
  evaluation: texts,
  /** Ranks the newest evaluations of a variant: eq.support-answer. */
  variant_id: matching<`eq.${string}`>(/^eq\../s),
  /** The evaluator. */
  on: text,
  /** The join key. */
  by: text,
  tab: oneOf(['rows']),
  /** The horizontal axis of the plot. */
  axis: oneOf(['latency']),
})

export type RankingQuery = Pick<GetLeaderboardQuery, 'evaluation' | 'variant_id' | 'on' | 'by'>

/** Ranks these evaluations, which need not belong to one variant. */
export function withEvaluations(ids: readonly string[]): PageSearch<'/leaderboard'> {
  return { evaluation: [...ids], variant_id: undefined }
}

export type LeaderboardParams = ReturnType<typeof readLeaderboardParams>

function readLeaderboardParams(search: ReturnType<typeof leaderboardSearch>) {
  const { evaluation, variant_id, on, by, axis = 'cost' } = search
  // The API accepts either ids or filters.
  const query: RankingQuery =
    evaluation === undefined ? { variant_id, on, by } : { evaluation: [...new Set(evaluation)], on, by }
  const isOfVariant = evaluation === undefined && variant_id !== undefined
  return {
    query,
    tab: search.tab ?? ('ranking' as const),
    axis,
    /** The variant whose evaluations are ranked; undefined if the evaluations were selected. */
    variantId: isOfVariant ? variant_id.slice('eq.'.length) : undefined,
    ignored: [
      ...ignoredParams(search),
      ...(evaluation !== undefined && variant_id !== undefined ? [`variant_id=${variant_id}`] : []),
    ],
  }
}

export function useLeaderboardParams(): LeaderboardParams {
  const search = useSearch({ from: '/leaderboard' })
  return useMemo(() => readLeaderboardParams(search), [search])
}
