// Commands on a running service, over HTTP.
import { Assay, type ImportFileQuery } from 'assay-client'
import { CommandError, UsageError } from '../../errors.ts'
import type { Importer } from '../../import/importer.ts'
import type { Source } from '../../import/source.ts'
import { splitElements, splitMembers } from '../../json/member-texts.ts'
import { isId } from '../../schema/ids.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { Scope } from '../../schema/keys.ts'
import type { EvaluationScenario } from '../../schema/scenarios.ts'
import type { NewShare } from '../../schema/shares.ts'
import type { Format } from '../../serialize/format.ts'
import type { Settings } from '../../settings/settings.ts'
import type { LogEntry } from '../../store/changes/change-log.ts'
import { importOptions } from '../import/input-files.ts'
import { formatMegabytes, Progress } from '../output/progress.ts'
import { copyHeader, prependLine, readLines } from './full-export.ts'
import { connectionError, hasCode, importReportOf, toCommandError } from './service-errors.ts'
import {
  type ChangeFilters,
  type ListOptions,
  NotInProject,
  type Noun,
  type OpenComparison,
  revisionNotFoundError,
  type ShareToCreate,
  type Target,
  type Work,
} from './target.ts'

const PAGE_SIZE = 500
/** How often an export starts again because the evaluation has changed between its two requests. */
const MAX_ATTEMPTS = 5
const SCENARIOS = 'evaluation_scenarios'

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
    const assay = new Assay({ key, baseUrl: `${url}/api` })
    const { project, scopes } = await assay.getKey().catch((error) => {
      throw toCommandError(error, url)
    })
    return new ServiceTarget(assay, url, project, scopes)
  }

  checkScopes(...scopes: Scope[]): void {
    const missing = scopes.filter((scope) => !this.#scopes.includes(scope))
    if (missing.length === 0) return
    throw new CommandError(
      `The API key does not have the scope ${missing.join(' and ')}.`,
      `Create a key for it with assay keys create --scope ${[...new Set([...this.#scopes, ...missing])].join(',')}.`,
    )
  }

  async getText(noun: Noun, id: string): Promise<string> {
    return this.#about(noun, id, async () => (await this.#assay.read([`${noun}s`, id])).text())
  }

  async *list(noun: Noun, { variant, limit = Infinity, isOldestFirst }: ListOptions): AsyncGenerator<string> {
    let query: Record<string, string> = {
      ...(variant !== undefined && { variant_id: `eq.${variant}` }),
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
    await this.#about(noun, id, () =>
      noun === 'evaluation' ? this.#assay.deleteEvaluation(id) : this.#assay.deleteVariant(id),
    )
  }

  async exportScenarios<Result>(id: string, format: Format, work: Work<Result>): Promise<Result> {
    const response = await this.#about('evaluation', id, () => this.#assay.exportScenarios(id, {}, format))
    return work(this.#bytesOf(response))
  }

  async exportFull<Result>(id: string, isCopy: boolean, work: Work<Result>): Promise<Result> {
    const { evaluation, scenarios } = await this.#about('evaluation', id, () => this.#readEvaluation(id))
    const header = isCopy ? copyHeader(evaluation) : await this.#exportHeader(evaluation)
    return work(prependLine(header, this.#bytesOf(scenarios)))
  }

  /** The text of an evaluation and the response with its scenarios, both of the same version. */
  async #readEvaluation(id: string): Promise<{ evaluation: string; scenarios: Response }> {
    for (let attempt = 1; ; attempt++) {
      const query = { include: 'extra,has_generated_id', format: 'ndjson' }
      const scenarios = await this.#assay.read(['evaluations', id, SCENARIOS], query)
      const response = await this.#assay.read(['evaluations', id])
      const evaluation = await response.text()
      if (versionOf(scenarios) === versionOf(response)) return { evaluation, scenarios }
      await scenarios.body?.cancel()
      if (attempt === MAX_ATTEMPTS)
        throw new CommandError(
          `The evaluation '${id}' changes while it is read.`,
          'Try again when nothing writes to it.',
        )
    }
  }

  /** The first line of a full export. Variant and revision are null if they were deleted. */
  async #exportHeader(evaluation: string): Promise<string> {
    const { variant_id, revision } = JSON.parse(evaluation) as {
      variant_id: string | null
      revision: number | null
    }
    const variant = variant_id === null ? undefined : await this.#findVariant(variant_id)
    let revisionText: string | undefined
    if (variant !== undefined && variant_id !== null && revision !== null) {
      for await (const text of this.listRevisions(variant_id))
        if ((JSON.parse(text) as { revision: number }).revision === revision) revisionText = text
    }
    return `{"evaluation":${evaluation},"variant":${variant ?? 'null'},"revision":${revisionText ?? 'null'}}`
  }

  /** The members of a variant that a full export contains. */
  async #findVariant(id: string): Promise<string | undefined> {
    try {
      const members = splitMembers(await (await this.#assay.read(['variants', id])).text())
      return `{${['id', 'name', 'created_at'].map((name) => `"${name}":${members.get(name)}`).join(',')}}`
    } catch (error) {
      if (hasCode(error, 'variant-not-found')) return undefined
      throw toCommandError(error, this.#url)
    }
  }

  async *listRevisions(variant: string): AsyncGenerator<string> {
    const query = { include: 'message', format: 'ndjson' }
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
    work: (comparison: OpenComparison) => Promise<Result>,
  ): Promise<Result> {
    for (const id of ids) await this.getText('evaluation', id)
    const [baseline = '', ...candidates] = ids
    const assay = this.#assay
    return this.#call(async () => {
      const comparison = await assay
        .compareEvaluations({ evaluation: ids, by: joinKey })
        .catch((error: Error) => {
          throw hasCode(error, 'invalid-request') ? new UsageError(error.message) : error
        })
      const { evaluators } = await assay.getEvaluationSummary(baseline)
      const readScenario = (evaluation: string, id: string | undefined) =>
        assay.getEvaluationScenario(evaluation, id ?? '') as Promise<EvaluationScenario>
      return work({
        comparison,
        scoredCounts: new Map(evaluators.filter(({ n }) => n > 0).map(({ name, n }) => [name, n])),
        async findRegressions(index, on, limit) {
          const candidate = candidates[index] ?? ''
          const evaluation = [baseline, candidate]
          const query = {
            evaluation,
            by: comparison.join.by,
            show: 'regressed',
            on,
            limit,
            preview: 1,
          } as const
          const { total, rows } = await assay.listComparisonRows(query)
          const pairs: [EvaluationScenario, EvaluationScenario][] = []
          for (const {
            base,
            candidates: [first],
          } of rows)
            pairs.push([
              await readScenario(baseline, base?.id),
              await readScenario(candidate, first?.row?.id),
            ])
          return { total, pairs }
        },
      })
    })
  }

  async createShare(share: ShareToCreate): Promise<NewShare> {
    this.checkScopes('read', 'write')
    const { evaluation_id, comparison = [], variant_id } = share.confined_to
    if (variant_id !== undefined) await this.getText('variant', variant_id)
    for (const id of evaluation_id === undefined ? comparison : [evaluation_id])
      await this.getText('evaluation', id)
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

  async importFile(source: Source, importer: Importer, settings: Settings): Promise<ImportReport> {
    importer.checkOptions?.(
      source,
      importOptions(settings, () => undefined),
    )
    await rejectSiblings(source, importer)
    const progress = new Progress(`Sending ${source.name}`, formatMegabytes)
    const onProgress = (sentBytes: number) => progress.show(sentBytes, source.size)
    const query = importQuery(source, importer, settings)
    try {
      const body = ReadableStream.from(copyChunks(source))
      return (await this.#assay.importFile(body, query, { onProgress })) as ImportReport
    } catch (error) {
      const report = importReportOf(error)
      if (report) return report
      throw toCommandError(error, this.#url)
    } finally {
      progress.end()
    }
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
      throw new NotInProject(this.project, noun, id, 'Use the API key of another project.')
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

/** The version of the evaluation: the ETag without its format and encoding. */
function versionOf({ headers }: Response): string | undefined {
  return /^"(.+)-(?:nd)?json\d+(?:-\w+)?"$/.exec(headers.get('etag') ?? '')?.[1]
}

/** A chunk of a source is valid only until the next one is read. */
async function* copyChunks(source: Source): AsyncGenerator<Uint8Array> {
  for await (const chunk of source.chunks()) yield new Uint8Array(chunk)
}

function importQuery(source: Source, importer: Importer, settings: Settings): ImportFileQuery {
  const { evaluation, variant, dry_run, skip_invalid, on_conflict } = settings
  const columns = { ...settings, output: settings.output_column }
  const names = ['input', 'output', 'expected', 'score', 'extra'] as const
  return {
    format: importer.name as NonNullable<ImportFileQuery['format']>,
    name: source.name,
    ...(evaluation !== undefined && { evaluation }),
    ...(variant !== undefined && { variant }),
    ...(dry_run && { dry_run }),
    ...(skip_invalid && { skip_invalid }),
    ...(on_conflict !== 'error' && { on_conflict: on_conflict as 'replace' | 'skip' }),
    ...Object.fromEntries(
      names.filter((name) => columns[name].length > 0).map((name) => [name, columns[name].join(',')]),
    ),
  }
}

/** Some formats consist of several files, but a request contains one file. */
async function rejectSiblings(source: Source, importer: Importer): Promise<void> {
  if (!(await importer.readsSiblings?.(source))) return
  throw new CommandError(
    `${source.name} is imported together with other files of its folder, but a request contains one file.`,
    'Import it into a local store with --data DIR, then copy it with assay copy DIR URL.',
  )
}
