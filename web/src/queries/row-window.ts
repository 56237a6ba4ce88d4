// The rows of a view: their requests by window, by index and by position, and the search for the next row.
import type { QueryClient } from '@tanstack/react-query'

/** Rows per request. */
export const WINDOW_SIZE = 200

/** The third part of the query key is 'rows' for a window. */
export interface WindowQuery<Data> {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>
  staleTime?: 'static'
}

export interface RowWindow<Row> {
  /** The number of rows of the view. */
  total: number
  rows: Row[]
  /** The index of the requested row, or null if the view does not contain it, and the number of rows before it. */
  located?: number | null | undefined
  before?: number | undefined
}

/** The rows of a view. `Ref` identifies a row in the URL. */
export interface RowSource<Row, Ref, Data extends RowWindow<Row> = RowWindow<Row>> {
  /** The rows of a `version` are requested once. Without one, they become stale like all other data. */
  windowQuery: (index: number, version?: string) => WindowQuery<Data>
  /** One row, and the total. */
  rowQuery: (offset: number) => WindowQuery<Data>
  /** Finds a row in the view. */
  positionQuery: (ref: Ref) => WindowQuery<Data>
  refOf: (row: Row) => Ref | undefined
  /** Whether the reference means this row. */
  hasRef: (row: Row, ref: Ref) => boolean
}

interface ListParams {
  offset?: number
  limit: number
  preview?: number
  locate?: string
}

interface RowSourceOptions<Row, Ref, Data> {
  /** What the rows belong to: the evaluation, or the compared evaluations. */
  owner: readonly [kind: string, id: unknown]
  query: object
  list: (params: ListParams, options: { signal: AbortSignal }) => Promise<Data>
  /** The parameters that locate a row. */
  locate: (ref: Ref) => { locate: string }
  refOf: (row: Row) => Ref | undefined
  /** By default, if the row has the same reference. */
  hasRef?: (row: Row, ref: Ref) => boolean
}

/** Query keys contain all parameters, so that equal queries share one request. */
export function createRowSource<Row, Ref, Data extends RowWindow<Row>>(
  options: RowSourceOptions<Row, Ref, Data>,
): RowSource<Row, Ref, Data> {
  const { owner, query, list, locate, refOf } = options
  const request = (kind: string, params: ListParams): WindowQuery<Data> => ({
    queryKey: [...owner, kind, query, params],
    queryFn: ({ signal }) => list(params, { signal }),
  })
  return {
    windowQuery: (index, version) => {
      const window = request('rows', { offset: index * WINDOW_SIZE, limit: WINDOW_SIZE })
      if (version === undefined) return window
      return { ...window, queryKey: [...window.queryKey, version], staleTime: 'static' }
    },
    rowQuery: (offset) => request('row', { offset, limit: 1, preview: 1 }),
    positionQuery: (ref) => request('position', { ...locate(ref), limit: 1, preview: 1 }),
    refOf,
    hasRef: options.hasRef ?? ((row, ref) => JSON.stringify(refOf(row)) === JSON.stringify(ref)),
  }
}

export type Step = 1 | -1

/** The offset of the previous or next row. Also works if the view does not contain the current row. */
export function adjacentOffset(
  { before = 0, located = null, total }: Omit<RowWindow<unknown>, 'rows'>,
  step: Step,
): number | undefined {
  const offset = step < 0 ? before - 1 : located === null ? before : located + 1
  return offset < 0 || offset >= total ? undefined : offset
}

/** The row of `source` before or after a row, which `source` need not contain. */
export async function findAdjacentRow<Row, Ref>(
  queryClient: QueryClient,
  source: RowSource<Row, Ref>,
  from: Ref,
  step: Step,
): Promise<Ref | undefined> {
  const offset = adjacentOffset(await queryClient.fetchQuery(source.positionQuery(from)), step)
  if (offset === undefined) return undefined
  const response = await queryClient.fetchQuery(source.rowQuery(offset))
  const ref = response.rows[0] && source.refOf(response.rows[0])
  // The position of the row is known: cache it.
  if (ref !== undefined) {
    const position = { ...response, before: offset, located: offset }
    queryClient.setQueryData(source.positionQuery(ref).queryKey, position)
  }
  return ref
}
