// The operations of commands about a project, on the API of a service or of a local store. Texts of the API stay exact, unlike
// parsed numbers.
import { AssayConnectionError, type QueryValue } from 'assay-client'
import { CommandError } from '../../errors.ts'
import type { Importer } from '../../import/importer.ts'
import type { Source } from '../../import/source.ts'
import { splitElements } from '../../json/member-texts.ts'
import type { Evaluation } from '../../schema/evaluations.ts'
import type { GateRules } from '../../schema/gate.ts'
import { isId } from '../../schema/ids.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { Scope } from '../../schema/keys.ts'
import type { ComparisonReviewWrite, ReviewReport, ReviewWrite } from '../../schema/reviews/reviews.ts'
import type { VariantRevision } from '../../schema/revisions.ts'
import type { NewShare } from '../../schema/shares.ts'
import type { Settings } from '../../settings/settings.ts'
import type { LogEntry } from '../../store/changes/change-log.ts'
import type { Api } from './api.ts'
import { openComparison } from './comparison.ts'
import { exportedVariant, exportHeader, prependLine, readEvaluation, readLines } from './full-export.ts'
import {
  commandWord,
  hasCode,
  NotInProject,
  revisionNotFoundError,
  throwUsageError,
} from './target-errors.ts'
import type {
  ChangeFilters,
  ExportOptions,
  Noun,
  OpenComparison,
  RowSelection,
  ShareToCreate,
} from './target-types.ts'

const PAGE_SIZE = 500

/** Methods that name an evaluation or variant throw NotInProject if the project does not have it. */
export class Target {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  get project(): string {
    return this.#api.project
  }

  /** The path of the store, if it is one local file. */
  get file(): string | undefined {
    return this.#api.file
  }

  /** Throws CommandError if the API key does not have one of the scopes. */
  checkScopes(...scopes: Scope[]): void {
    const missing = scopes.filter((scope) => !this.#api.scopes.includes(scope))
    if (missing.length === 0) return
    const wanted = [...new Set([...this.#api.scopes, ...missing])].join(',')
    const project = this.project === 'default' ? '' : ` --project ${commandWord(this.project, 'NAME')}`
    throw new CommandError(
      `The API key does not have the scope ${missing.join(' and ')}.`,
      `On the store of the service, create a key with assay keys create --scope ${wanted}${project}.`,
    )
  }

  hasProject(): Promise<boolean> {
    return this.#api.hasProject()
  }

  /** The JSON text of one evaluation or variant. */
  getText(noun: Noun, id: string): Promise<string> {
    return this.#about(noun, id, () => this.#readText([`${noun}s`, id]))
  }

  /** The JSON texts of evaluations or variants. `filters` are query parameters of the API. */
  async *list(noun: Noun, filters: Record<string, string>, limit = Infinity): AsyncGenerator<string> {
    let cursorQuery = {}
    for (let rest = limit; rest > 0; ) {
      const page = { ...filters, ...cursorQuery, limit: Math.min(rest, PAGE_SIZE) }
      const { elements, cursor } = await this.#call(async () => {
        const response = await this.#api.assay.read([`${noun}s`], page)
        const elements = splitElements(await response.text())
        return { elements, cursor: /[?&]cursor=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1] }
      })
      yield* elements
      rest -= elements.length
      if (cursor === undefined) return
      cursorQuery = { cursor: decodeURIComponent(cursor) }
    }
  }

  /** Deletes an evaluation or variant with its scenarios or revisions. */
  async delete(noun: Noun, id: string): Promise<void> {
    this.checkScopes('write')
    const { assay } = this.#api
    await this.#about(noun, id, () =>
      noun === 'evaluation' ? assay.deleteEvaluation(id) : assay.deleteVariant(id),
    )
  }

  /** The number of rows that match. Throws UsageError if a filter names what the evaluation does not have. */
  async countRows(id: string, rows: RowSelection): Promise<number> {
    const response = await this.#readRows(id, 'rows', { limit: 1, preview: 1 }, rows)
    return ((await response.json()) as { total: number }).total
  }

  #readRows(id: string, list: string, query: object, rows?: RowSelection): Promise<Response> {
    const { parameters, base } = rows ?? {}
    const path = ['evaluations', id, list]
    return this.#about('evaluation', id, () =>
      this.#api.assay.read(path, { ...query, ...parameters, base }).catch(throwUsageError),
    )
  }

  /** The scenarios of an evaluation in one consistent state. Throws like countRows. */
  async exportScenarios(
    id: string,
    { format, isExcelSafe, rows }: ExportOptions,
  ): Promise<AsyncIterable<Uint8Array>> {
    const query = { ...(isExcelSafe && { csv: 'excel' }), format }
    return this.#bytesOf(await this.#readRows(id, 'evaluation_scenarios', query, rows))
  }

  /**
   * The same with a header line, as NDJSON. `isCopy`: without the variant and its revision, which a copy of the whole
   * project contains anyway.
   */
  async exportFull(id: string, isCopy: boolean): Promise<AsyncIterable<Uint8Array>> {
    const read = () => readEvaluation(this.#api.assay, id)
    const { evaluation, scenarios } = await this.#about('evaluation', id, read)
    const reviews = await this.listReviews(id)
    const ran = isCopy ? {} : await this.#readRanRevision(evaluation)
    return prependLine(exportHeader({ evaluation, ...ran, reviews }), this.#bytesOf(scenarios))
  }

  /** The variant and the revision that the evaluation ran, unless they were deleted. */
  async #readRanRevision(
    evaluation: string,
  ): Promise<{ variant: string | undefined; revision: string | undefined }> {
    const { id, variant_id, revision } = JSON.parse(evaluation) as Evaluation
    const variant = variant_id === null ? undefined : await this.#findVariant(variant_id)
    let revisionText: string | undefined
    if (variant !== undefined && variant_id !== null && revision !== null) {
      for await (const text of this.listRevisions(variant_id))
        if ((JSON.parse(text) as VariantRevision).revision === revision) revisionText = text
      if (!(await this.#hasRun(id, variant_id, revision))) revisionText = undefined
    }
    return { variant, revision: revisionText }
  }

  /** False if the evaluation ran a deleted revision with the same number. */
  async #hasRun(id: string, variant: string, revision: number): Promise<boolean> {
    for await (const text of this.#readRevisions(variant, 'evaluations')) {
      const { revision: number, evaluations = [] } = JSON.parse(text) as VariantRevision
      if (number === revision) return evaluations.some((evaluation) => evaluation.id === id)
    }
    return false
  }

  /** The members of a variant that a full export contains. */
  async #findVariant(id: string): Promise<string | undefined> {
    try {
      return exportedVariant(await this.getText('variant', id))
    } catch (error) {
      if (error instanceof NotInProject) return undefined
      throw error
    }
  }

  /** The JSON texts of all revisions of a variant, with their messages. */
  listRevisions(variant: string): AsyncGenerator<string> {
    return this.#readRevisions(variant, 'message')
  }

  async *#readRevisions(variant: string, include: string): AsyncGenerator<string> {
    const query = { include, format: 'ndjson' }
    const response = await this.#about('variant', variant, () =>
      this.#api.assay.read(['variants', variant, 'revisions'], query),
    )
    yield* readLines(this.#bytesOf(response))
  }

  /** The JSON text of the changes between two revisions. The numbers are texts of the user. */
  diffRevisions(variant: string, from: string, to: string): Promise<string> {
    return this.#about('variant', variant, async () => {
      for (const revision of [from, to]) {
        if (!/^\d+$/.test(revision)) throw revisionNotFoundError(variant, revision)
        await this.#readText(['variants', variant, 'revisions', revision]).catch((error) => {
          throw hasCode(error, 'revision-not-found') ? revisionNotFoundError(variant, revision) : error
        })
      }
      return this.#readText(['variants', variant, 'revisions', from, 'diff', to])
    })
  }

  /**
   * Compares candidates with the first evaluation. One evaluation alone is compared with its default baseline. Throws UsageError if
   * they cannot be joined this way or a rule of the gate is wrong, and CommandError if there is no default baseline.
   */
  compare<Result>(
    ids: string[],
    joinKey: string,
    rules: GateRules,
    work: (comparison: OpenComparison) => Promise<Result>,
  ): Promise<Result> {
    return this.#call(async () => work(await openComparison(this.#api.assay, ids, joinKey, rules)))
  }

  /** The JSON text of a breakdown. Throws UsageError if the evaluation cannot be grouped this way. */
  breakDown(id: string, by: string, base: string | undefined): Promise<string> {
    const read = () => this.#readText(['evaluations', id, 'breakdown'], { by, base })
    return this.#about('evaluation', id, () => read().catch(throwUsageError))
  }

  /** The JSON text of the agreement of two evaluators. Throws UsageError if the evaluation does not have them. */
  getAgreement(id: string, evaluator: string, other: string): Promise<string> {
    const read = () => this.#readText(['evaluations', id, 'agreement'], { evaluator, with: other })
    return this.#about('evaluation', id, () => read().catch(throwUsageError))
  }

  /** The text of a leaderboard, as JSON or CSV. Throws UsageError if the evaluations cannot be selected or ranked this way. */
  getLeaderboard(query: Record<string, QueryValue>): Promise<string> {
    return this.#call(() => this.#readText(['leaderboards'], query).catch(throwUsageError))
  }

  /** Returns the report of the new review. Throws CommandError if it is invalid. */
  async createReview(evaluation: string, review: ReviewWrite): Promise<ReviewReport> {
    this.checkScopes('read', 'write')
    return this.#about('evaluation', evaluation, () =>
      this.#api.assay.createReview(evaluation, review),
    ) as Promise<ReviewReport>
  }

  /** Like createReview, for a review of a comparison. */
  async createComparisonReview(
    review: ComparisonReviewWrite & { evaluations: [base: string, candidate: string] },
  ): Promise<ReviewReport> {
    this.checkScopes('read', 'write')
    return this.#call(() => this.#api.assay.createComparisonReview(review)) as Promise<ReviewReport>
  }

  /** The JSON text of the reviews of an evaluation. */
  listReviews(evaluation: string): Promise<string> {
    return this.#about('evaluation', evaluation, () => this.#readText(['evaluations', evaluation, 'reviews']))
  }

  /** The JSON text of the report of a review, or of its rows with all answers. */
  readReview(id: string, part?: 'rows'): Promise<string> {
    return this.#about('review', id, () => this.#readText(['reviews', id, ...(part ? [part] : [])]))
  }

  async createShare(share: ShareToCreate): Promise<NewShare> {
    this.checkScopes('read', 'write')
    return this.#call(() => this.#api.assay.createShare(share) as Promise<NewShare>)
  }

  /** Entries of the change log about evaluations and variants, oldest first, in batches. */
  async *listChanges({ actions, since, until }: ChangeFilters): AsyncGenerator<LogEntry[]> {
    let after: string | undefined
    do {
      const { items, cursor } = await this.#call(() =>
        this.#api.assay.listChanges({ limit: PAGE_SIZE, ...(after !== undefined && { after }) }),
      )
      const entries = items
        .filter(({ action }) => actions.length === 0 || actions.includes(action))
        .filter(({ time }) => (since === undefined || time >= since) && (until === undefined || time < until))
        .map(({ cursor: _, ...entry }) => entry as LogEntry)
      if (entries.length > 0) yield entries
      after = cursor
    } while (after !== undefined)
  }

  importFile(
    source: Source,
    importer: Importer,
    settings: Settings,
    signal?: AbortSignal,
  ): Promise<ImportReport> {
    return this.#call(() => this.#api.importFile(source, importer, settings, signal))
  }

  async #readText(path: string[], query?: Record<string, QueryValue>): Promise<string> {
    return (await this.#api.assay.read(path, query)).text()
  }

  /** Converts the errors of a request about one evaluation, variant or review. */
  #about<Result>(noun: Noun | 'review', id: string, request: () => Promise<Result>): Promise<Result> {
    return this.#call(async () => {
      try {
        // The client rejects ids that a URL cannot contain.
        if (isId(id)) return await request()
      } catch (error) {
        if (!hasCode(error, `${noun}-not-found`)) throw error
      }
      const hint = `If it is in another project, ${this.#api.projectHint}.`
      throw new NotInProject(this.project, noun, id, hint)
    })
  }

  async #call<Result>(request: () => Promise<Result>): Promise<Result> {
    try {
      return await request()
    } catch (error) {
      throw this.#api.toCommandError(error)
    }
  }

  /** The body of a response. Throws an error of commands if it ends early. */
  async *#bytesOf({ body }: Response): AsyncGenerator<Uint8Array> {
    try {
      yield* body ?? []
    } catch (cause) {
      throw this.#api.toCommandError(new AssayConnectionError('', { cause }))
    }
  }
}
