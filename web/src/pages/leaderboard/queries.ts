// Queries for leaderboards. Query keys contain all parameters, so that equal queries share one request.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { LeaderboardRows } from 'assay-client'
import { assay } from '../../api/client.ts'
import type { ApiCall } from '../../format/api-snippets.ts'
import { createRowSource, type RowSource } from '../../queries/row-window.ts'
import { type SearchParams, stringifySearch } from '../../state/search-params.ts'
import type { RankingQuery } from './search-params.ts'

export type HeatRow = LeaderboardRows['rows'][number]

export function leaderboardQuery(query: RankingQuery) {
  return queryOptions({
    queryKey: ['leaderboard', query],
    queryFn: ({ signal }) => assay.getLeaderboard(query, { signal }),
    // Another evaluator keeps the page in place.
    placeholderData: keepPreviousData,
  })
}

/** The rows that differ the most come first. The API cannot locate a row, so a row is its own reference. */
export function heatRows(query: RankingQuery): RowSource<HeatRow, HeatRow, LeaderboardRows> {
  return createRowSource({
    owner: ['leaderboard', query.evaluation ?? query.variant_id],
    query,
    list: ({ offset, limit, preview }, options) =>
      assay.listLeaderboardRows({ ...query, offset, limit, preview }, options),
    locate: ({ row }) => ({ locate: row.id }),
    refOf: (row) => row,
  })
}

/** The API call that "Copy as" writes. */
export function leaderboardCall(query: RankingQuery, tab: 'ranking' | 'rows'): ApiCall {
  const [path, method] =
    tab === 'rows'
      ? ['/api/leaderboards/rows', 'listLeaderboardRows']
      : ['/api/leaderboards', 'getLeaderboard']
  return {
    path: path + stringifySearch(query as SearchParams),
    client: `${method}(${JSON.stringify(query, undefined, 2)})`,
  }
}
