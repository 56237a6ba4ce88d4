// The client of an Assay service: one method for each operation, by its name in the OpenAPI document, and streams over
// what may be long.
import { Calls, type Page } from './calls.ts'
import { asLines, type Records } from './ndjson.ts'
import type { Call, CallOptions } from './request.ts'
import type * as wire from './types.ts'
import { sendable, telling, type Upload } from './upload.ts'

export type { Page } from './calls.ts'
export { AssayConnectionError, AssayError } from './errors.ts'
export type { Records } from './ndjson.ts'
export type { CallOptions } from './request.ts'
export type * from './types.ts'
export type { Upload } from './upload.ts'

export interface AssayOptions {
  /** An API key, or where to find it; it is asked for before each call. */
  key: string | (() => string | undefined)
  /** Origin and `/api`, as `http://127.0.0.1:8080/api`; in a page of the service `/api`. */
  baseUrl: string
  /** In place of the global one. */
  fetch?: typeof fetch | undefined
  /** How often a call is sent again that met a lost connection, 429 or 503. Default 2. */
  retries?: number | undefined
}

export interface ImportOptions extends CallOptions {
  /** Is told how many bytes are on their way. */
  onProgress?: ((sentBytes: number) => void) | undefined
}

/** What picks scenarios or revisions; all of those are answered, in the form that the method is for. */
export type ScenariosQuery = Omit<wire.ListEvaluationScenariosQuery, 'format' | 'limit' | 'cursor'>
export type RevisionsQuery = Omit<wire.ListVariantRevisionsQuery, 'format' | 'limit' | 'cursor'>
export type ExportQuery = Omit<wire.ListEvaluationScenariosQuery, 'format'>

export class Assay {
  readonly #calls: Calls
  readonly #fetch: typeof fetch

  constructor({ key, baseUrl, fetch, retries = 2 }: AssayOptions) {
    // Found when it is called: somebody may wrap the global one later.
    this.#fetch = fetch ?? ((...args) => globalThis.fetch(...args))
    this.#calls = new Calls({
      baseUrl: absolute(baseUrl).replace(/\/+$/, ''),
      key: typeof key === 'string' ? () => key : key,
      fetch: this.#fetch,
      retries,
    })
  }

  /** What the key is, and what it may do. */
  getKey(options?: CallOptions): Promise<wire.OwnKey> {
    return this.#calls.get({ path: ['key'], ...options })
  }

  /** Makes a key that reads one evaluation, comparison or variant, and gives it whole. It is not sent again. */
  createShare(body: wire.ShareWrite, options?: CallOptions): Promise<wire.NewShare> {
    return this.#calls.write({ ...asJson('POST', ['shares'], body, options), isOnce: true })
  }

  /** The shares of the project that still work, newest first. */
  listShares(options?: CallOptions): Promise<wire.Share[]> {
    return this.#calls.get({ path: ['shares'], ...options })
  }

  /** Ends a share, by the public part of its key. */
  revokeShare(publicId: string, options?: CallOptions): Promise<void> {
    return this.#calls.delete(['shares', publicId], options)
  }

  /** A page of evaluations, newest first; without `limit` all of them. */
  listEvaluations(query?: wire.ListEvaluationsQuery, options?: CallOptions): Promise<Page<wire.Evaluation>> {
    return this.#calls.page({ path: ['evaluations'], query, ...options })
  }

  /** All evaluations that fit, page by page as they are taken. */
  evaluations(query?: wire.ListEvaluationsQuery, options?: CallOptions): AsyncIterable<wire.Evaluation> {
    return this.#calls.pages({ path: ['evaluations'], query, ...options })
  }

  getEvaluation(id: string, options?: CallOptions): Promise<wire.Evaluation> {
    return this.#calls.get({ path: ['evaluations', id], ...options })
  }

  addEvaluation(body: wire.EvaluationWrite, options?: CallOptions): Promise<wire.Evaluation> {
    return this.#calls.write(asJson('POST', ['evaluations'], body, options))
  }

  changeEvaluation(id: string, body: wire.EvaluationPatch, options?: CallOptions): Promise<wire.Evaluation> {
    return this.#calls.write(asJson('PATCH', ['evaluations', id], body, options))
  }

  /** Its scenarios go with it. */
  deleteEvaluation(id: string, options?: CallOptions): Promise<void> {
    return this.#calls.delete(['evaluations', id], options)
  }

  getEvaluationSummary(
    id: string,
    query?: wire.GetEvaluationSummaryQuery,
    options?: CallOptions,
  ): Promise<wire.EvaluationSummary> {
    return this.#calls.get({ path: ['evaluations', id, 'summary'], query, ...options })
  }

  /** A window of rows, with long texts cut. */
  listEvaluationRows(
    id: string,
    query?: wire.ListEvaluationRowsQuery,
    options?: CallOptions,
  ): Promise<wire.Rows> {
    return this.#calls.get({ path: ['evaluations', id, 'rows'], query, ...options })
  }

  /** All scenarios that fit, as one array. */
  listEvaluationScenarios(
    id: string,
    query?: ScenariosQuery,
    options?: CallOptions,
  ): Promise<wire.EvaluationScenario[]> {
    return this.#calls.get({ path: scenariosPath(id), query, ...options })
  }

  /** The same one by one, in constant memory. Throws where the answer breaks off. */
  scenarios(
    id: string,
    query?: ScenariosQuery,
    options?: CallOptions,
  ): AsyncIterable<wire.EvaluationScenario> {
    return this.#calls.stream({ path: scenariosPath(id), query, ...options })
  }

  /** The answer itself, to be saved or read as exact text. */
  exportScenarios(
    id: string,
    query: ExportQuery,
    format: 'json' | 'ndjson' | 'csv',
    options?: CallOptions,
  ): Promise<Response> {
    return this.#calls.answer({ path: scenariosPath(id), query: { ...query, format }, ...options })
  }

  getEvaluationScenario(
    evaluationId: string,
    id: string,
    query?: wire.GetEvaluationScenarioQuery,
    options?: CallOptions,
  ): Promise<wire.EvaluationScenario> {
    return this.#calls.get({ path: [...scenariosPath(evaluationId), id], query, ...options })
  }

  /** The exact text of the answer: numbers keep every digit. */
  async getEvaluationScenarioText(
    evaluationId: string,
    id: string,
    query?: wire.GetEvaluationScenarioQuery,
    options?: CallOptions,
  ): Promise<string> {
    const answer = await this.#calls.answer({ path: [...scenariosPath(evaluationId), id], query, ...options })
    return answer.text()
  }

  /** Sets or clears pin and note. */
  markEvaluationScenario(
    evaluationId: string,
    id: string,
    body: wire.ScenarioPatch,
    options?: CallOptions,
  ): Promise<wire.EvaluationScenario> {
    return this.#calls.write(asJson('PATCH', [...scenariosPath(evaluationId), id], body, options))
  }

  /** Adds scenarios behind those that are there, all or none. An array can be sent again, an iterable cannot. */
  async appendScenarios(
    evaluationId: string,
    scenarios: Records<wire.ScenarioWrite>,
    options?: CallOptions,
  ): Promise<wire.Appended> {
    const source = new AbortController()
    const signals = [source.signal, ...(options?.signal ? [options.signal] : [])]
    return this.#calls.write({
      method: 'POST',
      path: scenariosPath(evaluationId),
      headers: { 'content-type': 'application/x-ndjson' },
      body: await sendable(asLines(scenarios, (error) => source.abort(error))),
      signal: AbortSignal.any(signals),
    })
  }

  /** How two to four evaluations differ, the base first. */
  compareEvaluations(query: wire.CompareEvaluationsQuery, options?: CallOptions): Promise<wire.Comparison> {
    return this.#calls.get({ path: ['comparisons'], query, ...options })
  }

  /** A window of paired rows, with long texts cut. */
  listComparisonRows(
    query: wire.ListComparisonRowsQuery,
    options?: CallOptions,
  ): Promise<wire.ComparisonRows> {
    return this.#calls.get({ path: ['comparisons', 'rows'], query, ...options })
  }

  /** The exact text of the answer: numbers keep every digit. */
  async listComparisonRowsText(query: wire.ListComparisonRowsQuery, options?: CallOptions): Promise<string> {
    const answer = await this.#calls.answer({ path: ['comparisons', 'rows'], query, ...options })
    return answer.text()
  }

  /** A page of variants, newest first; without `limit` all of them. */
  listVariants(query?: wire.ListVariantsQuery, options?: CallOptions): Promise<Page<wire.Variant>> {
    return this.#calls.page({ path: ['variants'], query, ...options })
  }

  /** All variants that fit, page by page as they are taken. */
  variants(query?: wire.ListVariantsQuery, options?: CallOptions): AsyncIterable<wire.Variant> {
    return this.#calls.pages({ path: ['variants'], query, ...options })
  }

  getVariant(id: string, options?: CallOptions): Promise<wire.Variant> {
    return this.#calls.get({ path: ['variants', id], ...options })
  }

  addVariant(body: wire.VariantWrite, options?: CallOptions): Promise<wire.Variant> {
    return this.#calls.write(asJson('POST', ['variants'], body, options))
  }

  /** Its revisions go with it. */
  deleteVariant(id: string, options?: CallOptions): Promise<void> {
    return this.#calls.delete(['variants', id], options)
  }

  /** All revisions, as one array. */
  listVariantRevisions(
    id: string,
    query?: RevisionsQuery,
    options?: CallOptions,
  ): Promise<wire.VariantRevision[]> {
    return this.#calls.get({ path: ['variants', id, 'revisions'], query, ...options })
  }

  /** The same one by one. Throws where the answer breaks off. */
  revisions(id: string, query?: RevisionsQuery, options?: CallOptions): AsyncIterable<wire.VariantRevision> {
    return this.#calls.stream({ path: ['variants', id, 'revisions'], query, ...options })
  }

  /** The same, each as its exact text. */
  async listVariantRevisionTexts(
    id: string,
    query?: RevisionsQuery,
    options?: CallOptions,
  ): Promise<string[]> {
    const lines = { ...query, format: 'ndjson' }
    const answer = await this.#calls.answer({ path: ['variants', id, 'revisions'], query: lines, ...options })
    return (await answer.text()).split('\n').slice(0, -1)
  }

  getVariantRevision(id: string, revision: number, options?: CallOptions): Promise<wire.VariantRevision> {
    return this.#calls.get({ path: ['variants', id, 'revisions', String(revision)], ...options })
  }

  /** The exact text of the answer. */
  async getVariantRevisionText(id: string, revision: number, options?: CallOptions): Promise<string> {
    const path = ['variants', id, 'revisions', String(revision)]
    const answer = await this.#calls.answer({ path, ...options })
    return answer.text()
  }

  /** What changed from one revision to another. */
  diffVariantRevisions(
    id: string,
    from: number,
    to: number,
    options?: CallOptions,
  ): Promise<wire.RevisionDiff> {
    return this.#calls.get({
      path: ['variants', id, 'revisions', String(from), 'diff', String(to)],
      ...options,
    })
  }

  addVariantRevision(
    id: string,
    body: wire.RevisionWrite,
    options?: CallOptions,
  ): Promise<wire.VariantRevision> {
    return this.#calls.write(asJson('POST', ['variants', id, 'revisions'], body, options))
  }

  /** Stores the results in a file of another tool. A stream is not sent again. */
  async importFile(
    file: Upload,
    query?: wire.ImportFileQuery,
    { onProgress, signal }: ImportOptions = {},
  ): Promise<wire.ImportReport> {
    return this.#calls.write({
      method: 'POST',
      path: ['imports'],
      query,
      headers: { 'content-type': 'application/octet-stream' },
      body: await sendable(file),
      signal,
      ...(onProgress && { send: telling(this.#fetch, onProgress) }),
    })
  }
}

/** Throws at once where it is no URL. In a page it may be a path. */
function absolute(baseUrl: string): string {
  const { location } = globalThis as { location?: { href: string } }
  return new URL(baseUrl, location?.href).href
}

function scenariosPath(evaluationId: string): string[] {
  return ['evaluations', evaluationId, 'evaluation_scenarios']
}

function asJson(method: 'POST' | 'PATCH', path: string[], body: object, options?: CallOptions): Call {
  const headers = { 'content-type': 'application/json' }
  return { method, path, headers, body: JSON.stringify(body), ...options }
}
