// The state of the evaluations page: the loaded evaluations that match, in order, and the scores of their baselines.
import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { useCallback, useMemo } from 'react'
import { assay } from '../../api/client.ts'
import { summaryQuery } from '../../queries/evaluations.ts'
import { usePreference } from '../../state/preferences.ts'
import { filtersOf, isFiltered, type ListParams } from './search-params.ts'
import {
  COLUMNS_PREFERENCE,
  readColumnChoices,
  sortEvaluations,
  visibleColumnsOf,
} from './table/column-layout.ts'
import { columnsOf, evaluatorCounts } from './table/columns.tsx'
import { type Baselines, type Scores, scoresOf } from './table/statistics.ts'

const PAGE_SIZE = 100
/** How often an empty list is requested again. */
const EMPTY_POLL_MS = 3000
/** Baselines that are not in the list take one request each. */
const MAX_MISSING_BASELINES = 5

export type EvaluationList = ReturnType<typeof useEvaluationList>['list']

export function useEvaluationList(params: ListParams) {
  const filters = useMemo(() => filtersOf(params), [params])
  const isUnfiltered = !isFiltered(params)
  const query = useInfiniteQuery({
    queryKey: ['evaluations', filters],
    queryFn: ({ pageParam, signal }) =>
      assay.listEvaluations(
        { ...filters, include: 'scores', limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      isUnfiltered && state.data?.pages[0]?.items.length === 0 ? EMPTY_POLL_MS : false,
  })
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage, isPlaceholderData } = query
  const loadedEvaluations = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const baselines = useBaselines(loadedEvaluations)
  const choices = usePreference(COLUMNS_PREFERENCE)
  const list = useMemo(() => {
    const matchingEvaluations = withEvaluator(loadedEvaluations, params)
    const columns = columnsOf(matchingEvaluations)
    return {
      rows: sortEvaluations(matchingEvaluations, columns, params.order),
      /** The number of loaded evaluations, including those without the selected evaluator. */
      loadedCount: loadedEvaluations.length,
      evaluators: evaluatorCounts(loadedEvaluations).map(([name]) => name),
      /** The distinct values of a field in the loaded evaluations. */
      valuesOf: (field: string) => [
        ...new Set(loadedEvaluations.flatMap((row) => ({ ...row })[field] ?? []).map(String)),
      ],
      /** All columns, and the visible ones. */
      columns,
      visibleColumns: visibleColumnsOf(columns, readColumnChoices(choices)),
      /** The ids of evaluations that are baselines of others in the list. */
      baselineIds: new Set(
        loadedEvaluations.flatMap(({ id, baseline_id }) => (baseline_id === id ? [] : (baseline_id ?? []))),
      ),
    }
  }, [loadedEvaluations, choices, params])
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage])
  /** Loads all pages and returns all matching evaluations. */
  async function loadAll(): Promise<readonly Evaluation[]> {
    let result = query
    while (result.hasNextPage) result = (await fetchNextPage({ throwOnError: true })) as typeof query
    const matchingEvaluations = withEvaluator(result.data?.pages.flatMap(({ items }) => items) ?? [], params)
    return sortEvaluations(matchingEvaluations, list.columns, params.order)
  }
  return {
    ...query,
    list: {
      ...list,
      hasMore: hasNextPage,
      baselines,
      /** Whether the rows are those of previous filters, while new ones are loading. */
      isStale: isPlaceholderData,
      loadMore,
      loadAll,
    },
  }
}

/** The evaluations with results of the selected evaluator. */
function withEvaluator(all: readonly Evaluation[], { evaluator }: ListParams): readonly Evaluation[] {
  if (evaluator === undefined) return all
  return all.filter(({ scores }) => scores?.evaluators.some(({ name }) => name === evaluator))
}

/** The scores of baselines in the list, and of some that are not in it. */
function useBaselines(all: readonly Evaluation[]): Baselines {
  const knownScores = useMemo(
    () => new Map(all.flatMap(({ id, scores }) => (scores ? [[id, scores]] : []))),
    [all],
  )
  const missingIds = [...new Set(all.map(({ baseline_id }) => baseline_id))].filter(
    (id) => id !== null && !knownScores.has(id),
  ) as string[]
  const loaded = useQueries({
    queries: missingIds.slice(0, MAX_MISSING_BASELINES).map((id) => summaryQuery(id, { filters: [] })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  return useMemo(
    () =>
      new Map<string, Scores>([
        ...knownScores,
        ...loaded.map((summary) => [summary.id, scoresOf(summary)] as const),
      ]),
    [knownScores, loaded],
  )
}

export interface RowSelection {
  selectedIds: ReadonlySet<string>
  onSelect: (selectedIds: ReadonlySet<string>) => void
}
