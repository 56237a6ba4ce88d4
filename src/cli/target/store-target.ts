// Commands on a local store. Modules that few commands need are imported on demand, so that the others start fast.
import type { Importer } from '../../import/importer.ts'
import type { Source } from '../../import/source.ts'
import type { Filter } from '../../schema/filters/filters.ts'
import { NEWEST_FIRST } from '../../schema/filters/orders.ts'
import type { GateRules } from '../../schema/gate.ts'
import type { ImportReport } from '../../schema/imports.ts'
import type { NewShare } from '../../schema/shares.ts'
import { excelSafeTable, serialize } from '../../serialize/format.ts'
import { scenarioTable } from '../../serialize/scenarios.ts'
import type { Settings } from '../../settings/settings.ts'
import { findProject } from '../../store/access/projects.ts'
import { runTask } from '../../store/background/task.ts'
import { type AuditEntry, readAllChanges, toAuditEntry } from '../../store/changes/change-log.ts'
import {
  deleteEvaluation,
  EVALUATIONS,
  type EvaluationInfo,
  getEvaluationText,
  lockEvaluation,
} from '../../store/evaluations/evaluations.ts'
import { FULL_RANGE, readElementChunks, readElementsAt } from '../../store/reads/elements.ts'
import { type ListPosition, readList } from '../../store/reads/lists.ts'
import { getScenarioColumns } from '../../store/scenarios/columns.ts'
import { REMOVE_DELETED } from '../../store/scenarios/removal.ts'
import { EXPORTED_SCENARIOS, SCENARIOS } from '../../store/scenarios/scenarios.ts'
import type { Connection, Store } from '../../store/store.ts'
import { getExportHeader, readExportedRevisions } from '../../store/variants/export-header.ts'
import { deleteVariant, getVariantText, lockVariant, VARIANTS } from '../../store/variants/variants.ts'
import { copyHeader, prependLine } from './full-export.ts'
import { getFromProject } from './project-lookup.ts'
import type {
  ChangeFilters,
  ExportOptions,
  ListOptions,
  Noun,
  OpenComparison,
  RowSelection,
  ShareToCreate,
  Target,
  Work,
} from './target.ts'

/** Elements per statement when a whole list is read. */
const PAGE_SIZE = 500

const NOUNS = {
  evaluation: {
    list: EVALUATIONS,
    getText: getEvaluationText,
    lock: lockEvaluation,
    delete: deleteEvaluation,
  },
  variant: { list: VARIANTS, getText: getVariantText, lock: lockVariant, delete: deleteVariant },
}

export class StoreTarget implements Target {
  readonly project: string
  readonly file: string | undefined
  readonly #store: Store
  readonly #settings: Settings

  constructor(store: Store, settings: Settings) {
    this.#store = store
    this.#settings = settings
    this.project = settings.project
    this.file = store.file
  }

  /** Commands on a store need no key. */
  checkScopes(): void {}

  async hasProject(): Promise<boolean> {
    return (await findProject(this.#store.reader, this.project)) !== undefined
  }

  async getText(noun: Noun, id: string): Promise<string> {
    const { reader } = this.#store
    const { key } = await getFromProject(reader, this.project, noun, id)
    return NOUNS[noun].getText(reader, key)
  }

  async *list(
    noun: Noun,
    { name, variant, family, limit = Infinity, isOldestFirst }: ListOptions,
  ): AsyncGenerator<string> {
    const { reader } = this.#store
    const project = (await findProject(reader, this.project)) ?? -1
    const filters: Filter[] = []
    for (const [field, value] of Object.entries({ name, variant_id: variant, family }))
      if (value !== undefined) filters.push({ field, name: '', operator: 'eq', value })
    const order = isOldestFirst ? ({ by: 'created_at', direction: 'asc' } as const) : NEWEST_FIRST
    const selection = { list: NOUNS[noun].list, project, filters, order }
    let position: ListPosition | undefined
    for (let rest = limit; rest > 0; ) {
      const page = await readList(reader, selection, position, Math.min(rest, PAGE_SIZE))
      yield* page.elements
      rest -= page.elements.length
      position = page.next
      if (!position) return
    }
  }

  async delete(noun: Noun, id: string): Promise<void> {
    await this.#store.writer.transaction(async (transaction) => {
      await getFromProject(transaction, this.project, noun, id)
      const project = (await findProject(transaction, this.project)) ?? -1
      const viewer = { project, conceal: true, confined_to: null }
      const { key } = await NOUNS[noun].lock(transaction, viewer, id)
      await NOUNS[noun].delete(transaction, key)
    })
    if (noun === 'evaluation') await runTask(this.#store, REMOVE_DELETED)
  }

  countRows(id: string, rows: RowSelection): Promise<number> {
    return this.#withEvaluation(
      id,
      'query',
      async (snapshot, evaluation) => (await this.#findRows(snapshot, evaluation, rows)).length,
    )
  }

  exportScenarios<Result>(
    id: string,
    { format, isExcelSafe, rows }: ExportOptions,
    work: Work<Result>,
  ): Promise<Result> {
    return this.#withEvaluation(id, rows ? 'query' : 'long', async (snapshot, evaluation) => {
      const { key } = evaluation
      const columns = await getScenarioColumns(snapshot, key)
      const positions = rows && (await this.#findRows(snapshot, evaluation, rows))
      const chunks = (separator: string) =>
        positions
          ? readElementsAt(snapshot, SCENARIOS, key, positions, separator)
          : readElementChunks(snapshot, SCENARIOS, key, FULL_RANGE, separator)
      const table = scenarioTable(columns)
      return work(serialize(format, chunks, isExcelSafe ? excelSafeTable(table) : table))
    })
  }

  exportFull<Result>(id: string, isCopy: boolean, work: Work<Result>): Promise<Result> {
    return this.#withEvaluation(id, 'long', async (snapshot, { key }) => {
      const header = isCopy
        ? copyHeader(await getEvaluationText(snapshot, key))
        : await getExportHeader(snapshot, key)
      const chunks = (separator: string) =>
        readElementChunks(snapshot, EXPORTED_SCENARIOS, key, FULL_RANGE, separator)
      return work(prependLine(header, serialize('ndjson', chunks, undefined)))
    })
  }

  #withEvaluation<Result>(
    id: string,
    kind: 'long' | 'query',
    work: (snapshot: Connection, evaluation: EvaluationInfo) => Promise<Result>,
  ): Promise<Result> {
    return this.#store.reader.snapshot(kind, async (snapshot) =>
      work(snapshot, await getFromProject(snapshot, this.project, 'evaluation', id)),
    )
  }

  async #findRows(snapshot: Connection, evaluation: EvaluationInfo, rows: RowSelection) {
    const { findRows } = await import('./store-rows.ts')
    return findRows(snapshot, this.project, evaluation, rows)
  }

  async *listRevisions(variant: string): AsyncGenerator<string> {
    const { reader } = this.#store
    const { key } = await getFromProject(reader, this.project, 'variant', variant)
    yield* readExportedRevisions(reader, key)
  }

  diffRevisions(variant: string, from: string, to: string): Promise<string> {
    return this.#store.reader.snapshot('query', async (snapshot) => {
      const { key } = await getFromProject(snapshot, this.project, 'variant', variant)
      const { diffRevisions } = await import('./store-revisions.ts')
      return diffRevisions(snapshot, { key, id: variant }, from, to)
    })
  }

  compare<Result>(
    ids: string[],
    joinKey: string,
    rules: GateRules,
    work: (comparison: OpenComparison) => Promise<Result>,
  ): Promise<Result> {
    return this.#store.reader.snapshot('query', async (snapshot) => {
      const evaluations = []
      for (const id of ids) evaluations.push(await getFromProject(snapshot, this.project, 'evaluation', id))
      const { findBaseline, openComparison } = await import('./store-comparison.ts')
      const [id = '', ...others] = ids
      const found = others.length === 0 ? await findBaseline(snapshot, this.project, id) : undefined
      if (found) evaluations.unshift(found.baseline)
      return work(await openComparison(snapshot, evaluations, found?.chosen ?? null, joinKey, rules))
    })
  }

  breakDown(id: string, by: string, baseline: string | undefined): Promise<string> {
    return this.#store.reader.snapshot('query', async (snapshot) => {
      const evaluation = await getFromProject(snapshot, this.project, 'evaluation', id)
      const baselineInfo =
        baseline === undefined
          ? undefined
          : await getFromProject(snapshot, this.project, 'evaluation', baseline)
      const { readBreakdown } = await import('./store-analysis.ts')
      return readBreakdown(snapshot, by, evaluation, baselineInfo)
    })
  }

  getAgreement(id: string, evaluator: string, other: string): Promise<string> {
    return this.#store.reader.snapshot('query', async (snapshot) => {
      const evaluation = await getFromProject(snapshot, this.project, 'evaluation', id)
      const { readAgreementText } = await import('./store-analysis.ts')
      return readAgreementText(snapshot, evaluation, evaluator, other)
    })
  }

  async createShare(share: ShareToCreate): Promise<NewShare> {
    const { addShare, computeExpiry } = await import('../../store/access/shares.ts')
    const { evaluation_id, comparison = [], variant_id } = share.confined_to
    return this.#store.writer.transaction(async (transaction) => {
      if (variant_id !== undefined) await getFromProject(transaction, this.project, 'variant', variant_id)
      for (const id of evaluation_id === undefined ? comparison : [evaluation_id])
        await getFromProject(transaction, this.project, 'evaluation', id)
      const now = Date.now()
      const expires_at = computeExpiry(share.expires_at, now, null)
      return addShare(transaction, { ...share, expires_at, project: this.project }, now)
    })
  }

  async *listChanges({ actions, keyId, since, until }: ChangeFilters): AsyncGenerator<AuditEntry[]> {
    const conditions: [sql: string, ...values: string[]][] = [['1 = 1']]
    if (actions.length > 0) conditions.push([`action IN (${actions.map(() => '?').join(', ')})`, ...actions])
    if (keyId !== undefined) conditions.push(['key_id = ?', keyId])
    if (since !== undefined) conditions.push(['time >= ?', since])
    if (until !== undefined) conditions.push(['time < ?', until])
    const sql = conditions.map(([condition]) => condition).join(' AND ')
    const { reader } = this.#store
    const project = (await findProject(reader, this.project)) ?? -1
    const condition = [sql, ...conditions.flatMap(([, ...values]) => values)] as const
    for await (const rows of readAllChanges(reader, { project, after: 0, condition }))
      yield rows.map(toAuditEntry)
  }

  async importFile(
    source: Source,
    importer: Importer,
    settings: Settings,
    signal?: AbortSignal,
  ): Promise<ImportReport> {
    const { importIntoStore } = await import('./store-import.ts')
    return importIntoStore(this.#store, { ...settings, ...this.#location }, source, importer, signal)
  }

  /** Where temporary files are, and the project. */
  get #location(): Pick<Settings, 'data' | 'database' | 'project'> {
    const { data, database, project } = this.#settings
    return { data, database, project }
  }
}
