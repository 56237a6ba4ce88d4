// Commands on a running service, over HTTP.
import { Assay } from 'assay-client'
import { CommandError, UsageError } from '../../errors.ts'
import type { Importer } from '../../import/importer.ts'
import type { Source } from '../../import/source.ts'
import { splitElements } from '../../json/member-texts.ts'
import type { Evaluation } from '../../schema/evaluations.ts'
import type { GateRules } from '../../schema/gate.ts'
import { isId } from '../../schema/ids.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { Scope } from '../../schema/keys.ts'
import type { VariantRevision } from '../../schema/revisions.ts'
import type { NewShare } from '../../schema/shares.ts'
import type { Settings } from '../../settings/settings.ts'
import type { LogEntry } from '../../store/changes/change-log.ts'
import { copyHeader, exportedVariant, prependLine, readLines } from './full-export.ts'
import { readAgreement, readBreakdown } from './service-analysis.ts'
import { openComparison } from './service-comparison.ts'
import { connectionError, hasCode, notAssayError, toCommandError, toUsageError } from './service-errors.ts'
import { readEvaluation } from './service-export.ts'
import { importOverHttp } from './service-import.ts'
import {
  type ChangeFilters,
  commandWord,
  type ExportOptions,
  type ListOptions,
  NotInProject,
  type Noun,
  type OpenComparison,
  type RowSelection,
  revisionNotFoundError,
  type ShareToCreate,
  type Target,
  type Work,
} from './target.ts'

const PAGE_SIZE = 500

export class ServiceTarget implements Target {
  readonly project: string
  readonly file = undefined
  readonly #assay: Assay
  readonly #url: string
  readonly #scopes: readonly string[]

  private constructor(assay: Assay, url: string, project: string, scopes: readonly string[]) {
    this.#assay = assay
    this.#url = url
    this.project = project
    this.#scopes = scopes
  }

  /** Throws UsageError without a key, and CommandError if the service does not accept it. */
  static async open(url: string, key: string | undefined): Promise<ServiceTarget> {
    if (key === undefined)
      throw new UsageError('A service needs an API key. Set the environment variable ASSAY_KEY.')
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new UsageError('The API key contains invalid characters. Use the key exactly as it was issued.')
    const { username, password } = new URL(url)
    if (username !== '' || password !== '')
      throw new UsageError('The URL of a service cannot contain a user name or a password.')
    const assay = new Assay({ key, baseUrl: `${url}/api`, fetch: fetchWithoutRedirects })
    const { project, scopes } = await assay.getKey().catch((error) => {
      throw hasCode(error, 'route-not-found') ? notAssayError(url) : toCommandError(error, url)
    })
    if (typeof project !== 'string' || !Array.isArray(scopes)) throw notAssayError(url)
    return new ServiceTarget(assay, url, project, scopes)
  }

  checkScopes(...scopes: Scope[]): void {
    const missing = scopes.filter((scope) => !this.#scopes.includes(scope))
    if (missing.length === 0) return
    const wanted = [...new Set([...this.#scopes, ...missing])].join(',')
    const project = this.project === 'default' ? '' : ` --project ${commandWord(this.project, 'NAME')}`
    throw new CommandError(
      `The API key does not have the scope ${missing.join(' and ')}.`,
      `On the store of the service, create a key with assay keys create --scope ${wanted}${project}.`,
    )
  }

  /** The key belongs to it. */
  async hasProject(): Promise<boolean> {
    return true
  }

  async getText(noun: Noun, id: string): Promise<string> {
    return this.#about(noun, id, async () => (await this.#assay.read([`${noun}s`, id])).text())
  }

  async *list(
    noun: Noun,
    { name, variant, family, limit = Infinity, isOldestFirst }: ListOptions,
  ): AsyncGenerator<string> {
    let query: Record<string, string> = {
      ...(name !== undefined && { name: `eq.${name}` }),
      ...(variant !== undefined && { variant_id: `eq.${variant}` }),
      ...(family !== undefined && { family: `eq.${family}` }),
      ...(isOldestFirst && { order: 'created_at.asc' }),
    }
    for (let rest = limit; rest > 0; ) {
      const page = { ...query, limit: Math.min(rest, PAGE_SIZE) }
      const { elements, cursor } = await this.#call(async () => {
        const response = await this.#assay.read([`${noun}s`], page)
        const elements = splitElements(await response.text())
        return { elements, cursor: /[?&]cursor=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1] }
      })
      yield* elements
      rest -= elements.length
      if (cursor === undefined) return
      query = { ...query, cursor: decodeURIComponent(cursor) }
    }
  }

  async delete(noun: Noun, id: string): Promise<void> {
    this.checkScopes('write')
    await this.#about(noun, id, () =>
      noun === 'evaluation' ? this.#assay.deleteEvaluation(id) : this.#assay.deleteVariant(id),
    )
  }

  async countRows(id: string, rows: RowSelection): Promise<number> {
    const response = await this.#readRows(id, 'rows', { limit: 1, preview: 1 }, rows)
    return ((await response.json()) as { total: number }).total
  }

  /** Throws UsageError if a filter names what the evaluation does not have. */
  async #readRows(id: string, list: string, query: object, rows?: RowSelection): Promise<Response> {
    const { parameters = {}, base } = rows ?? {}
    const baseQuery = base === undefined ? {} : { base }
    return this.#about('evaluation', id, async () => {
      try {
        return await this.#assay.read(['evaluations', id, list], { ...query, ...parameters, ...baseQuery })
      } catch (error) {
        throw toUsageError(error)
      }
    })
  }

  async exportScenarios<Result>(
    id: string,
    { format, isExcelSafe, rows }: ExportOptions,
    work: Work<Result>,
  ): Promise<Result> {
    const query = { ...(isExcelSafe && { csv: 'excel' as const }), format }
    const response = await this.#readRows(id, 'evaluation_scenarios', query, rows)
    return work(this.#bytesOf(response))
  }

  async exportFull<Result>(id: string, isCopy: boolean, work: Work<Result>): Promise<Result> {
    const { evaluation, scenarios } = await this.#about('evaluation', id, () =>
      readEvaluation(this.#assay, id),
    )
    const header = isCopy ? copyHeader(evaluation) : await this.#exportHeader(evaluation)
    return work(prependLine(header, this.#bytesOf(scenarios)))
  }

  /** The first line of a full export. Variant and revision are null if they were deleted. */
  async #exportHeader(evaluation: string): Promise<string> {
    const { id, variant_id, revision } = JSON.parse(evaluation) as Evaluation
    const variant = variant_id === null ? undefined : await this.#findVariant(variant_id)
    let revisionText: string | undefined
    if (variant !== undefined && variant_id !== null && revision !== null) {
      for await (const text of this.listRevisions(variant_id))
        if ((JSON.parse(text) as VariantRevision).revision === revision) revisionText = text
      if (!(await this.#hasRun(id, variant_id, revision))) revisionText = undefined
    }
    return `{"evaluation":${evaluation},"variant":${variant ?? 'null'},"revision":${revisionText ?? 'null'}}`
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
      return exportedVariant(await (await this.#assay.read(['variants', id])).text())
    } catch (error) {
      if (hasCode(error, 'variant-not-found')) return undefined
      throw toCommandError(error, this.#url)
    }
  }

  listRevisions(variant: string): AsyncGenerator<string> {
    return this.#readRevisions(variant, 'message')
  }

  async *#readRevisions(variant: string, include: string): AsyncGenerator<string> {
    const query = { include, format: 'ndjson' }
    const response = await this.#about('variant', variant, () =>
      this.#assay.read(['variants', variant, 'revisions'], query),
    )
    yield* readLines(this.#bytesOf(response))
  }

  diffRevisions(variant: string, from: string, to: string): Promise<string> {
    return this.#about('variant', variant, async () => {
      for (const revision of [from, to]) {
        try {
          if (!/^\d+$/.test(revision)) throw revisionNotFoundError(variant, revision)
          await this.#assay.read(['variants', variant, 'revisions', revision])
        } catch (error) {
          if (hasCode(error, 'revision-not-found')) throw revisionNotFoundError(variant, revision)
          throw error
        }
      }
      return (await this.#assay.read(['variants', variant, 'revisions', from, 'diff', to])).text()
    })
  }

  async compare<Result>(
    ids: string[],
    joinKey: string,
    rules: GateRules,
    work: (comparison: OpenComparison) => Promise<Result>,
  ): Promise<Result> {
    return this.#call(async () => work(await openComparison(this.#assay, ids, joinKey, rules)))
  }

  async breakDown(id: string, by: string, baseline: string | undefined): Promise<string> {
    return this.#about('evaluation', id, () => readBreakdown(this.#assay, id, by, baseline))
  }

  getAgreement(id: string, evaluator: string, other: string): Promise<string> {
    return this.#about('evaluation', id, () => readAgreement(this.#assay, id, evaluator, other))
  }

  async createShare(share: ShareToCreate): Promise<NewShare> {
    this.checkScopes('read', 'write')
    return this.#call(() => this.#assay.createShare(share) as Promise<NewShare>)
  }

  async *listChanges({ actions, since, until }: ChangeFilters): AsyncGenerator<LogEntry[]> {
    let after: string | undefined
    do {
      const { items, cursor } = await this.#call(() =>
        this.#assay.listChanges({ limit: PAGE_SIZE, ...(after !== undefined && { after }) }),
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
    return this.#call(() => importOverHttp(this.#assay, settings, source, importer, signal))
  }

  /** Converts the errors of a request about one evaluation or variant. */
  #about<Result>(noun: Noun, id: string, request: () => Promise<Result>): Promise<Result> {
    return this.#call(async () => {
      try {
        // The client rejects ids that a URL cannot contain.
        if (isId(id)) return await request()
      } catch (error) {
        if (!hasCode(error, `${noun}-not-found`)) throw error
      }
      throw new NotInProject(
        this.project,
        noun,
        id,
        'If it is in another project, use an API key of that project.',
      )
    })
  }

  async #call<Result>(request: () => Promise<Result>): Promise<Result> {
    try {
      return await request()
    } catch (error) {
      throw toCommandError(error, this.#url)
    }
  }

  /** The body of a response. Throws CommandError if the connection closes early. */
  async *#bytesOf(response: Response): AsyncGenerator<Uint8Array> {
    try {
      yield* response.body ?? []
    } catch (error) {
      throw connectionError(error, this.#url)
    }
  }
}

/** A redirect would lose the API key and the body of an upload, so it is an error instead. */
async function fetchWithoutRedirects(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' })
  const location = response.headers.get('location')
  if (location === null || response.status < 300 || response.status >= 400) return response
  const detail = `The service redirects to ${new URL(location, String(url)).origin}.`
  const headers = { 'content-type': 'application/problem+json' }
  return new Response(JSON.stringify({ detail }), { status: response.status, headers })
}
