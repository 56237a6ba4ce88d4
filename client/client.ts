// The client of an Assay service. Methods have the names of the operations in the OpenAPI document; long lists can also
// be read as streams.
import { HttpClient, type Page } from './http-client.ts'
import type {
  AppendOptions,
  AssayOptions,
  ChangesQuery,
  ExportQuery,
  ImportOptions,
  LeaderboardQuery,
  LeaderboardRowsQuery,
  ScenariosQuery,
} from './options.ts'
import type { PathSegment, QueryValue, RequestOptions, WriteOptions } from './request.ts'
import {
  jsonRequest,
  loadUploads,
  recordsRequest,
  resultsPath,
  scenariosPath,
  toAbsoluteUrl,
} from './requests.ts'
import { ReviewOperations } from './review-operations.ts'
import type * as wire from './types.ts'
import type { Records, Upload } from './upload.ts'

export { AssayConnectionError, AssayError } from './errors.ts'
export type { Page } from './http-client.ts'
export type {
  AppendOptions,
  AssayOptions,
  ChangesQuery,
  ExportQuery,
  ImportOptions,
  LeaderboardQuery,
  LeaderboardRowsQuery,
  RevisionsQuery,
  ScenariosQuery,
} from './options.ts'
export type { PathSegment, QueryValue, RequestOptions, WriteOptions } from './request.ts'
export type * from './types.ts'
export type { Records, Upload } from './upload.ts'

/**
 * A client of one Assay service.
 *
 * Methods throw `AssayError` for an error response, `AssayConnectionError` if the connection fails, the abort reason if
 * `signal` is aborted, and `TypeError` before any request if an id is missing or invalid. Objects from `get…` and `list…` methods can be shared with a cache: copy them before changing them.
 */
export class Assay extends ReviewOperations {
  readonly #http: HttpClient
  readonly #fetch: typeof fetch

  constructor({ key, baseUrl, fetch, retries = 2 }: AssayOptions) {
    // Reads the global `fetch` on every request, because a page or a test can replace it later.
    const send: typeof globalThis.fetch = fetch ?? ((...args) => globalThis.fetch(...args))
    const http = new HttpClient({
      baseUrl: toAbsoluteUrl(baseUrl).replace(/\/+$/, ''),
      getKey: typeof key === 'string' ? () => key : key,
      fetch: send,
      retries,
    })
    super(http)
    this.#http = http
    this.#fetch = send
  }

  /**
   * The ETag of an object or array that a method has returned, for the option `ifMatch`. Throws TypeError for anything else,
   * such as a copy or an element of a list.
   */
  etagOf(value: object): string {
    return this.#http.etagOf(value)
  }

  /** Returns the response to a GET request itself, such as of `['evaluations', id]`, to read its exact text. */
  read(path: PathSegment[], query?: Record<string, QueryValue>, options?: RequestOptions): Promise<Response> {
    return this.#http.fetchResponse({ path, query, ...options })
  }

  /** Returns the key that the client uses, with its project and scopes. */
  getKey(options?: RequestOptions): Promise<wire.OwnKey> {
    return this.#http.get({ path: ['key'], ...options })
  }

  /**
   * Creates a share link: a key that can only read one evaluation, comparison or variant, or answer one review as the reviewer with its
   * name. Never retried.
   */
  createShare(body: wire.ShareWrite, options?: RequestOptions): Promise<wire.NewShare> {
    return this.#http.write({ ...jsonRequest('POST', ['shares'], body, options), isNotRetried: true })
  }

  /** Returns the active share links of the project, newest first. */
  listShares(options?: RequestOptions): Promise<wire.Share[]> {
    return this.#http.get({ path: ['shares'], ...options })
  }

  /** Revokes a share link by the public id of its key. */
  revokeShare(publicId: string, options?: RequestOptions): Promise<void> {
    return this.#http.delete(['shares', publicId], options)
  }

  /** Returns one page of evaluations, newest first. Without `limit` it returns all of them. */
  listEvaluations(
    query?: wire.ListEvaluationsQuery,
    options?: RequestOptions,
  ): Promise<Page<wire.Evaluation>> {
    return this.#http.page({ path: ['evaluations'], query, ...options })
  }

  /** Iterates over all matching evaluations. Requests pages as needed. */
  evaluations(query?: wire.ListEvaluationsQuery, options?: RequestOptions): AsyncIterable<wire.Evaluation> {
    return this.#http.pages({ path: ['evaluations'], query, ...options })
  }

  /** Returns one evaluation. Throws `AssayError` with code `evaluation-not-found` if it does not exist. */
  getEvaluation(id: string, options?: RequestOptions): Promise<wire.Evaluation> {
    return this.#http.get({ path: ['evaluations', id], ...options })
  }

  /** Creates an evaluation and returns it. */
  addEvaluation(body: wire.EvaluationWrite, options?: RequestOptions): Promise<wire.Evaluation> {
    return this.#http.write(jsonRequest('POST', ['evaluations'], body, options))
  }

  /** Sets the members in the body and returns the evaluation. */
  changeEvaluation(id: string, body: wire.EvaluationPatch, options?: WriteOptions): Promise<wire.Evaluation> {
    return this.#http.write(jsonRequest('PATCH', ['evaluations', id], body, options))
  }

  /** Deletes an evaluation and its scenarios. */
  deleteEvaluation(id: string, options?: WriteOptions): Promise<void> {
    return this.#http.delete(['evaluations', id], options)
  }

  /** Returns counts and statistics of the matching rows, optionally compared with a baseline. */
  getEvaluationSummary(
    id: string,
    query?: wire.GetEvaluationSummaryQuery,
    options?: RequestOptions,
  ): Promise<wire.EvaluationSummary> {
    return this.#http.get({ path: ['evaluations', id, 'summary'], query, ...options })
  }

  /** Returns how well two evaluators agree in the matching rows, such as a judge and a person. */
  getEvaluationAgreement(
    id: string,
    query: wire.GetEvaluationAgreementQuery,
    options?: RequestOptions,
  ): Promise<wire.Agreement> {
    return this.#http.get({ path: ['evaluations', id, 'agreement'], query, ...options })
  }

  /** Returns statistics of groups of the matching rows, optionally compared with a baseline. */
  getEvaluationBreakdown(
    id: string,
    query: wire.GetEvaluationBreakdownQuery,
    options?: RequestOptions,
  ): Promise<wire.Breakdown> {
    return this.#http.get({ path: ['evaluations', id, 'breakdown'], query, ...options })
  }

  /** Ranks evaluations by an evaluator, over the rows that all of them have. */
  getLeaderboard(query: LeaderboardQuery, options?: RequestOptions): Promise<wire.Leaderboard> {
    return this.#http.get({ path: ['leaderboards'], query, ...options })
  }

  /** Returns a window of rows with their state in each evaluation, those that differ the most first. */
  listLeaderboardRows(query: LeaderboardRowsQuery, options?: RequestOptions): Promise<wire.LeaderboardRows> {
    return this.#http.get({ path: ['leaderboards', 'rows'], query, ...options })
  }

  /** Returns a window of rows, with long texts truncated. */
  listEvaluationRows(
    id: string,
    query?: wire.ListEvaluationRowsQuery,
    options?: RequestOptions,
  ): Promise<wire.EvaluationRows> {
    return this.#http.get({ path: ['evaluations', id, 'rows'], query, ...options })
  }

  /** Returns all matching scenarios as one array. */
  listEvaluationScenarios(
    id: string,
    query?: ScenariosQuery,
    options?: RequestOptions,
  ): Promise<wire.EvaluationScenario[]> {
    return this.#http.get({ path: scenariosPath(id), query, ...options })
  }

  /** Iterates over all matching scenarios in constant memory. Throws if the response is incomplete. */
  scenarios(
    id: string,
    query?: ScenariosQuery,
    options?: RequestOptions,
  ): AsyncIterable<wire.EvaluationScenario> {
    return this.#http.stream({ path: scenariosPath(id), query, ...options })
  }

  /** Returns the response itself, to save it or to read the exact text. */
  exportScenarios(
    id: string,
    query: ExportQuery,
    format: 'json' | 'ndjson' | 'csv',
    options?: RequestOptions,
  ): Promise<Response> {
    return this.#http.fetchResponse({ path: scenariosPath(id), query: { ...query, format }, ...options })
  }

  /** Returns one scenario. Throws `AssayError` with code `scenario-not-found` if it does not exist. */
  getEvaluationScenario(
    evaluationId: string,
    id: string,
    query?: wire.GetEvaluationScenarioQuery,
    options?: RequestOptions,
  ): Promise<wire.EvaluationScenario> {
    return this.#http.get({ path: [...scenariosPath(evaluationId), id], query, ...options })
  }

  /** Returns the exact text of the response, in which numbers have all their digits. */
  async getEvaluationScenarioText(
    evaluationId: string,
    id: string,
    query?: wire.GetEvaluationScenarioQuery,
    options?: RequestOptions,
  ): Promise<string> {
    const path = [...scenariosPath(evaluationId), id]
    return (await this.#http.fetchResponse({ path, query, ...options })).text()
  }

  /** Returns the same row in the newest evaluations of the variant, the newest first. */
  getScenarioHistory(
    evaluationId: string,
    id: string,
    options?: RequestOptions,
  ): Promise<wire.ScenarioHistory> {
    return this.#http.get({ path: [...scenariosPath(evaluationId), id, 'history'], ...options })
  }

  /** Sets or clears the pin and the note of a scenario, and returns the scenario. */
  markEvaluationScenario(
    evaluationId: string,
    id: string,
    body: wire.ScenarioPatch,
    options?: WriteOptions,
  ): Promise<wire.EvaluationScenario> {
    return this.#http.write(jsonRequest('PATCH', [...scenariosPath(evaluationId), id], body, options))
  }

  /**
   * Replaces the content of a scenario and returns the scenario. Its pin, its note and the results of human evaluators
   * are kept, unless the body contains them.
   */
  replaceEvaluationScenario(
    evaluationId: string,
    id: string,
    body: wire.ScenarioWrite,
    options?: WriteOptions,
  ): Promise<wire.EvaluationScenario> {
    return this.#http.write(jsonRequest('PUT', [...scenariosPath(evaluationId), id], body, options))
  }

  /** Deletes the scenarios that match all filters. At least one filter is required. */
  deleteEvaluationScenarios(
    evaluationId: string,
    filters: wire.DeleteEvaluationScenariosQuery,
    options?: WriteOptions,
  ): Promise<wire.DeletedScenarios> {
    return this.#http.write({
      method: 'DELETE',
      path: scenariosPath(evaluationId),
      query: filters,
      ...options,
    })
  }

  /** Deletes a scenario. */
  deleteEvaluationScenario(evaluationId: string, id: string, options?: WriteOptions): Promise<void> {
    return this.#http.delete([...scenariosPath(evaluationId), id], options)
  }

  /**
   * Appends scenarios to an evaluation, all or none, and creates the evaluation if it does not exist. An array is
   * retried after temporary failures; an iterable is streamed and not retried. Throws what the iterable throws.
   */
  async appendScenarios(
    evaluationId: string,
    scenarios: Records<wire.ScenarioWrite>,
    options?: AppendOptions,
  ): Promise<wire.Appended> {
    const request = await recordsRequest(scenariosPath(evaluationId), scenarios, options)
    return this.#http.write({ ...request, query: { on_conflict: options?.onConflict } })
  }

  /**
   * Adds results to existing scenarios, all or none. A result of an evaluator that the scenario has already is replaced. An array is
   * retried after temporary failures; an iterable is streamed and not retried. Throws what the iterable throws.
   */
  async addResults(
    evaluationId: string,
    results: Records<wire.NewResult>,
    options?: WriteOptions,
  ): Promise<wire.AddedResults> {
    return this.#http.write(await recordsRequest(resultsPath(evaluationId), results, options))
  }

  /** Deletes the results of one evaluator in all scenarios of an evaluation. */
  deleteResults(evaluationId: string, evaluator: string, options?: WriteOptions): Promise<void> {
    return this.#http.delete(resultsPath(evaluationId), options, { evaluator })
  }

  /** Deletes the result of one evaluator in one scenario. */
  deleteScenarioResult(
    evaluationId: string,
    id: string,
    evaluator: string,
    options?: WriteOptions,
  ): Promise<void> {
    return this.#http.delete([...scenariosPath(evaluationId), id, 'results', evaluator], options)
  }

  /** Compares two to four evaluations. The first one is the baseline. */
  compareEvaluations(
    query: wire.CompareEvaluationsQuery,
    options?: RequestOptions,
  ): Promise<wire.Comparison> {
    return this.#http.get({ path: ['comparisons'], query, ...options })
  }

  /** Returns a window of paired rows, with long texts truncated. */
  listComparisonRows(
    query: wire.ListComparisonRowsQuery,
    options?: RequestOptions,
  ): Promise<wire.ComparisonRows> {
    return this.#http.get({ path: ['comparisons', 'rows'], query, ...options })
  }

  /** Returns the exact text of the response, in which numbers have all their digits. */
  async listComparisonRowsText(
    query: wire.ListComparisonRowsQuery,
    options?: RequestOptions,
  ): Promise<string> {
    return (await this.#http.fetchResponse({ path: ['comparisons', 'rows'], query, ...options })).text()
  }

  /** Returns one page of changes, oldest first. Without `limit` it returns all of them. */
  listChanges(query?: ChangesQuery, options?: RequestOptions): Promise<Page<wire.Change>> {
    return this.#http.page({ path: ['changes'], query, ...options })
  }

  /** Iterates over the changes after a cursor, or over all changes. It ends at the newest change; poll with its cursor. */
  changes(query?: ChangesQuery, options?: RequestOptions): AsyncIterable<wire.Change> {
    return this.#http.pages({ path: ['changes'], query, ...options }, 'after')
  }

  /** Imports a result file from another tool and returns the import report. A stream is not retried. */
  async importFile(
    file: Upload,
    query?: wire.ImportFileQuery,
    { onProgress, signal }: ImportOptions = {},
  ): Promise<wire.ImportReport> {
    const { toSendableBody, withUploadProgress } = await loadUploads()
    return this.#http.write({
      method: 'POST',
      path: ['imports'],
      query,
      headers: { 'content-type': 'application/octet-stream' },
      body: await toSendableBody(file),
      signal,
      ...(onProgress && { send: withUploadProgress(this.#fetch, onProgress) }),
    })
  }
}
