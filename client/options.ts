// The options and queries of the client's methods.
import type { RequestOptions, WriteOptions } from './request.ts'
import type * as wire from './types.ts'

export interface AssayOptions {
  /** The API key, or a function that returns it. The function is called before each request. */
  key: string | (() => string | undefined)
  /** Origin and `/api`, for example `http://127.0.0.1:8080/api`. Pages served by the service can use `/api`. */
  baseUrl: string
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** Maximum number of retries after a failed connection, 429 or 503. Default 2. */
  retries?: number | undefined
}

export interface ImportOptions extends RequestOptions {
  /** Called with the number of bytes sent so far. */
  onProgress?: ((sentBytes: number) => void) | undefined
}

export interface AppendOptions extends WriteOptions {
  /** What happens to a scenario whose id exists with different content. Default `error`: nothing is stored. */
  onConflict?: wire.AppendEvaluationScenariosQuery['on_conflict']
}

/** Filters, order and includes. Format and paging are set by the methods. */
export type ScenariosQuery = Omit<wire.ListEvaluationScenariosQuery, 'format' | 'csv' | 'limit' | 'cursor'>
/** Filters and includes. Format and paging are set by the methods. */
export type RevisionsQuery = Omit<wire.ListVariantRevisionsQuery, 'format' | 'csv' | 'limit' | 'cursor'>
/** The cursor of an entry and the page size. The format is set by the methods. */
export type ChangesQuery = Omit<wire.ListChangesQuery, 'format'>
/** Evaluations or filters that select them. The format is set by the methods. */
export type LeaderboardQuery = Omit<wire.GetLeaderboardQuery, 'format' | 'csv'>
/** The same with a window. The format is set by the methods. */
export type LeaderboardRowsQuery = Omit<wire.ListLeaderboardRowsQuery, 'format' | 'csv'>
/** Filters, order, includes and paging. The format is an argument of its own. */
export type ExportQuery = Omit<wire.ListEvaluationScenariosQuery, 'format'>
