// The data of the evaluations page: the evaluations that match the filters, in groups, and those of the overview, which has
// no filters.
import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Evaluation, Page, Variant } from 'assay-client'
import { useCallback, useMemo } from 'react'
import { assay } from '../../api/client.ts'
import { type EvaluationGroup, groupEvaluations, measuresOf, relatedGroups } from '../../groups/groups.ts'
import { DEFAULT_BASELINE, summaryQuery } from '../../queries/evaluations.ts'
import { pollingOf, readFollowed } from '../../queries/following.ts'
import { withSummary } from './cards/card-data.ts'
import { entriesOf, largeEvaluations } from './cards/entries.ts'
import { filtersOf, isFiltered, type ListParams } from './search-params.ts'
import { columnsOf, sortEvaluations } from './table/columns.ts'

const PAGE_SIZE = 100
/** The largest page of the API. */
const MAX_VARIANTS = 1000

/** Variants for titles, options of the filter and revisions without an evaluation. */
const variantsQuery = queryOptions({
  queryKey: ['variants', 'newest', MAX_VARIANTS],
  queryFn: ({ signal }) => assay.listVariants({ limit: MAX_VARIANTS }, { signal }),
})

const LIST_KEY = ['evaluations']

type PageParams = ReturnType<typeof filtersOf> & { cursor?: string }

function listPage(params: PageParams, options: { signal: AbortSignal }): Promise<Page<Evaluation>> {
  return assay.listEvaluations({ ...params, include: 'scores,base', limit: PAGE_SIZE }, options)
}

function useEvaluationPages(filters: ReturnType<typeof filtersOf>) {
  return useInfiniteQuery({
    queryKey: [...LIST_KEY, filters],
    queryFn: ({ pageParam, signal }) =>
      listPage({ ...filters, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    // See useListPolling.
    refetchOnWindowFocus: false,
  })
}

/** Polls the first page without filters, and refetches all loaded pages after any change of the project. */
function useListPolling(firstPage: Page<Evaluation> | undefined): void {
  useQuery({
    queryKey: ['newest evaluations'],
    queryFn: (context) => readFollowed(context, (options) => listPage({}, options), { queryKey: LIST_KEY }),
    ...pollingOf(({ items }: Page<Evaluation>) => items),
    structuralSharing: false,
    // The list has just requested the same page.
    initialData: () => firstPage,
    refetchOnMount: false,
    enabled: firstPage !== undefined,
    notifyOnChangeProps: [],
  })
}

export type Overview = ReturnType<typeof useOverview>

/** The comparison of an evaluation that is too large to be compared in the list. */
function useSummary(evaluation: Evaluation | undefined) {
  const base = evaluation?.baseline_id ?? DEFAULT_BASELINE
  const query = summaryQuery(evaluation?.id ?? '', { filters: [], base })
  const { data, isLoading } = useQuery({ ...query, enabled: evaluation !== undefined })
  return useMemo(() => ({ data, isLoading }), [data, isLoading])
}

/** The newest evaluations without filters, and their variants. */
export function useOverview() {
  const { data, error, hasNextPage } = useEvaluationPages({})
  useListPolling(data?.pages[0])
  const { data: variantPage } = useQuery(variantsQuery)
  const listed = useMemo(() => {
    const variants = new Map<string, Variant>(variantPage?.items.map((variant) => [variant.id, variant]))
    const evaluations = data?.pages.flatMap(({ items }) => items)
    const names = new Map([...variants].map(([id, { name }]) => [id, name ?? id]))
    const groups = relatedGroups(evaluations ?? [], names)
    return { variants, evaluations, names, groups, large: largeEvaluations(groups) }
  }, [data, variantPage])
  const [first, second] = listed.large
  const firstSummary = useSummary(first)
  const secondSummary = useSummary(second)
  return useMemo(() => {
    const { variants, evaluations, names, groups } = listed
    const summaries = new Map([
      [first?.id ?? '', firstSummary],
      [second?.id ?? '', secondSummary],
    ])
    return {
      error,
      /** Undefined until they are loaded. */
      evaluations,
      /** Whether there are more evaluations than these. */
      hasMore: hasNextPage,
      variants,
      variantNames: names,
      /** The number of variants, unless it is unknown. */
      variantCount: variantPage?.cursor === undefined ? variantPage?.items.length : undefined,
      summaries,
      /** What is compared, in the order of the page. */
      entries: entriesOf(groups, summaries),
    }
  }, [listed, first, second, firstSummary, secondSummary, error, hasNextPage, variantPage])
}

export type EvaluationList = ReturnType<typeof useEvaluationList>['list']

export type Section = EvaluationList['sections'][number]

/** With at most this many sections, each shows all of its evaluations. */
const MAX_FULL_SECTIONS = 3
/** The rows of the other sections of variants: the newest evaluation, and usually its baseline. */
const ROWS_PER_SECTION = 2

/** The evaluations that match the filters, in sections, in the order of the overview. */
export function useEvaluationList(params: ListParams, { variantNames, entries, summaries }: Overview) {
  const filters = useMemo(() => filtersOf(params), [params])
  const query = useEvaluationPages(filters)
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage, isPlaceholderData } = query
  const loadedEvaluations = useMemo(
    () =>
      data?.pages.flatMap(({ items }) =>
        items.map((item) => withSummary(item, summaries.get(item.id)?.data)),
      ) ?? [],
    [data, summaries],
  )
  const list = useMemo(() => {
    const matchingEvaluations = withEvaluator(loadedEvaluations, params)
    const positions = new Map(entries.map(({ group }, index) => [group.id, index]))
    const positionOf = ({ id }: EvaluationGroup) => positions.get(id) ?? entries.length
    const groups = groupEvaluations(matchingEvaluations, variantNames).sort(
      (a, b) => positionOf(a) - positionOf(b),
    )
    const isShortened = groups.length > MAX_FULL_SECTIONS && !params.order && !isFiltered(params)
    const sections = groups.map((group) => {
      const columns = columnsOf(group)
      const rows = sortEvaluations(group.evaluations, columns, params.order)
      const isShort = isShortened && group.variantId !== null
      return { ...group, columns, rows: isShort ? rows.slice(0, ROWS_PER_SECTION) : rows }
    })
    return {
      sections,
      /** Whether sections show only their newest evaluations. */
      isShortened,
      /** The number of matching evaluations that are loaded. */
      matchingCount: matchingEvaluations.length,
      /** The rows of all sections, in the order of the page. */
      rows: sections.flatMap(({ rows }) => rows),
      evaluators: measuresOf(loadedEvaluations).filter(({ id }) => id.startsWith('result.')),
      /** The distinct values of a field in the loaded evaluations. */
      valuesOf: (field: string) => [
        ...new Set(loadedEvaluations.flatMap((row) => ({ ...row })[field] ?? []).map(String)),
      ],
      /** The ids of evaluations that are baselines of others in the list. */
      baselineIds: new Set(
        loadedEvaluations.flatMap(({ id, baseline_id }) => (baseline_id === id ? [] : (baseline_id ?? []))),
      ),
    }
  }, [loadedEvaluations, variantNames, entries, params])
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage])
  /** Loads all pages and returns all matching evaluations. */
  async function loadAll(): Promise<readonly Evaluation[]> {
    let result = query
    while (result.hasNextPage) result = (await fetchNextPage({ throwOnError: true })) as typeof query
    return withEvaluator(result.data?.pages.flatMap(({ items }) => items) ?? [], params)
  }
  return {
    data,
    list: {
      ...list,
      /** The number of loaded evaluations, including those without the selected evaluator. */
      loadedCount: loadedEvaluations.length,
      hasMore: hasNextPage,
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

export interface RowSelection {
  selectedIds: ReadonlySet<string>
  onSelect: (selectedIds: ReadonlySet<string>) => void
}
