// A window of rows: its size, and the query that loads it.
/** Rows per request. */
export const WINDOW_SIZE = 200

/** Loads one window. The third part of the query key is 'rows'. */
export interface WindowQuery<Data> {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>
}
