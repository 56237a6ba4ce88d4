// What the list shows: the evaluations that were loaded and fit, in order, with the scores of their baselines.
import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'
import type { Evaluation } from 'assay-client'
import { useCallback, useMemo } from 'react'
import { assay } from '../api.ts'
import { summaryQuestion } from '../evaluation/questions.ts'
import { usePreference } from '../preferences.ts'
import {
  CHOICES,
  type Column,
  columnsOf,
  evaluatorCounts,
  readChoices,
  shownColumns,
  sorted,
} from './columns.ts'
import { type Baselines, type Scores, scoresOf } from './figures.ts'
import { filtersOf, isFiltered, type ListView } from './view.ts'

const PAGE = 100
/** How often an empty store is looked at again. */
const FIRST_ROWS_MS = 3000
/** Baselines outside of the list are asked for one by one. */
const MOST_MISSING = 5

export interface Listed {
  rows: readonly Evaluation[]
  /** How many evaluations were loaded: the rows, and those that lack the chosen evaluator. */
  loaded: number
  hasMore: boolean
  evaluators: string[]
  /** All that there are, and those that are shown. */
  columns: Column[]
  shown: Column[]
  baselines: Baselines
  /** The ids that others in the list are compared with. */
  baselineIds: ReadonlySet<string>
  /** Whether rows of other filters are shown while those of these are on their way. */
  isOld: boolean
  loadMore: () => void
  /** All rows that fit, those not loaded yet among them. */
  loadAll: () => Promise<readonly Evaluation[]>
}

export function useListed(view: ListView) {
  const filters = useMemo(() => filtersOf(view), [view])
  const isWhole = !isFiltered(view)
  const query = useInfiniteQuery({
    queryKey: ['evaluations', filters],
    queryFn: ({ pageParam, signal }) =>
      assay.listEvaluations(
        { ...filters, include: 'scores', limit: PAGE, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      isWhole && state.data?.pages[0]?.items.length === 0 ? FIRST_ROWS_MS : false,
  })
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage, isPlaceholderData } = query
  const all = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const baselines = useBaselines(all)
  const choices = usePreference(CHOICES)
  const listed = useMemo(() => {
    const evaluators = evaluatorCounts(all).map(([name]) => name)
    const fit = fitting(all, view)
    const columns = columnsOf(fit)
    const shown = shownColumns(columns, readChoices(choices))
    const baselineIds = new Set(
      all.flatMap(({ id, baseline_id }) => (baseline_id === id ? [] : (baseline_id ?? []))),
    )
    return {
      rows: sorted(fit, columns, view.order),
      loaded: all.length,
      evaluators,
      columns,
      shown,
      baselineIds,
    }
  }, [all, choices, view])
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage])
  async function loadAll(): Promise<readonly Evaluation[]> {
    let result = query
    while (result.hasNextPage) result = (await fetchNextPage({ throwOnError: true })) as typeof query
    const fit = fitting(result.data?.pages.flatMap(({ items }) => items) ?? [], view)
    return sorted(fit, listed.columns, view.order)
  }
  return {
    ...query,
    listed: {
      ...listed,
      hasMore: hasNextPage,
      baselines,
      isOld: isPlaceholderData,
      loadMore,
      loadAll,
    } satisfies Listed,
  }
}

/** Those that the chosen evaluator has looked at. */
function fitting(all: readonly Evaluation[], { evaluator }: ListView): readonly Evaluation[] {
  if (evaluator === undefined) return all
  return all.filter(({ scores }) => scores?.evaluators.some(({ name }) => name === evaluator))
}

/** Of evaluations in the list, and of some outside of it. */
function useBaselines(all: readonly Evaluation[]): Baselines {
  const known = useMemo(() => new Map(all.flatMap(({ id, scores }) => (scores ? [[id, scores]] : []))), [all])
  const missing = [...new Set(all.map(({ baseline_id }) => baseline_id))].filter(
    (id) => id !== null && !known.has(id),
  ) as string[]
  const asked = useQueries({
    queries: missing.slice(0, MOST_MISSING).map((id) => summaryQuestion(id, { filters: [] })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  })
  return useMemo(
    () =>
      new Map<string, Scores>([
        ...known,
        ...asked.map((summary) => [summary.id, scoresOf(summary)] as const),
      ]),
    [known, asked],
  )
}
