// Writes the records of an imported file to the database, one after the other, inside a transaction.
import { Problem } from '../../errors.ts'
import type { EvaluationWrite } from '../../schema/evaluations.ts'
import type {
  ImportNote,
  ParsedEvaluation,
  ParsedRecord,
  ParsedRevision,
  ParsedVariant,
  RecordLocation,
} from '../../schema/import-events.ts'
import type { Imported, ImportedEvaluation } from '../../schema/imports.ts'
import type { Review } from '../../schema/reviews/reviews.ts'
import type { VariantRevision } from '../../schema/revisions.ts'
import type { OnConflict } from '../../schema/scenarios.ts'
import { normalizeTime } from '../../schema/times.ts'
import { type ParsedValue, parsedValue } from '../../schema/validation/parsed-value.ts'
import type { Connection, Transaction } from '../dialect/dialect.ts'
import {
  deleteEvaluation,
  ensureEvaluation,
  findDifferingMembers,
  getEvaluationName,
  getRevisionOf,
  lockEvaluationIfExists,
  type RanRevision,
  restoreUpdateTime,
  updateEvaluation,
} from '../evaluations/evaluations.ts'
import { getDeclaredEvaluators, humanEvaluators } from '../evaluations/evaluators.ts'
import { importReview } from '../reviews/reviews.ts'
import { type Appender, ScenarioAppender } from '../scenarios/append.ts'
import type { RejectedRow, RejectionReason } from '../scenarios/conflicts.ts'
import { MISALIGNED_DETAILS } from '../scenarios/corrections.ts'
import type { ScenarioRow } from '../scenarios/row.ts'
import { addRevision, addRevisionOnce } from '../variants/revisions.ts'
import { ensureVariant, findVariant } from '../variants/variants.ts'
import { ReplaceAllAppender } from './replace-all.ts'
import { selectUpdates, withConfigNameOf, withMembers } from './updates.ts'

/** Scenarios are passed to addScenarios, as rows. */
export type NonScenarioRecord = Exclude<ParsedRecord, { kind: 'scenario' }>

interface CurrentEvaluation {
  id: string
  key: number
  appender: Appender
  /** The members of an existing evaluation that the file changed. */
  updated: string[]
  /** The update time to restore. */
  updatedAt: string | undefined
  reviews: Review[]
}

/** The outcome of storing the records; in a dry run, the outcome it would have. */
export interface StoredRecords {
  evaluations: ImportedEvaluation[]
  variants: Imported[]
  /** For `replace_all`: the ids of evaluations of the same family that the file no longer contains. */
  deleted?: string[]
}

export interface WriterOptions {
  on_conflict: OnConflict
  /** The baseline of each imported evaluation: an evaluation, or the family of one. */
  baseline?: string | undefined
  /** Whether the file contains several evaluations. */
  hasSeveral?: boolean
  /** Whether stored scenarios that the file lacks are counted. */
  findsMissing?: boolean
}

interface RejectionKind {
  /** The rest of the file depends on the record. */
  isFatal?: boolean
  /** Its id or number exists already with different content, in the store or in the file. */
  isConflict?: boolean
}
export type Reject = (note: ImportNote, kind: RejectionKind) => void

/** Conflicting records are passed to `reject` and skipped. */
export class ImportWriter {
  readonly #transaction: Transaction
  readonly #project: number
  readonly #reject: Reject
  readonly #onConflict: OnConflict
  readonly #baseline: string | undefined
  readonly #hasSeveral: boolean
  readonly #findsMissing: boolean
  readonly #families = new Set<string>()
  readonly #evaluations: ImportedEvaluation[] = []
  readonly #variants = new Map<string, Imported>()
  #currentEvaluation: CurrentEvaluation | undefined
  /** Stored when the next record shows which evaluation they belong to. */
  #pendingVariant: ParsedVariant | undefined
  #pendingRevision: ParsedRevision | undefined
  #variant: { id: string; key: number; revision?: number } | undefined
  #isRevisionRejected = false

  constructor(
    transaction: Transaction,
    project: number,
    reject: Reject,
    { on_conflict, baseline, hasSeveral = false, findsMissing = false }: WriterOptions = {
      on_conflict: 'error',
    },
  ) {
    this.#transaction = transaction
    this.#project = project
    this.#reject = reject
    this.#onConflict = on_conflict
    this.#baseline = baseline
    this.#hasSeveral = hasSeveral
    this.#findsMissing = findsMissing
  }

  async write(record: NonScenarioRecord): Promise<void> {
    if (record.kind === 'evaluation') return this.#beginEvaluation(record)
    if (record.kind === 'variant' || this.#pendingRevision) await this.#storePending()
    if (record.kind === 'variant') this.#pendingVariant = record
    else this.#pendingRevision = record
  }

  async addScenarios(batch: ScenarioRow[]): Promise<void> {
    await this.#currentEvaluation?.appender.add(batch)
  }

  async finish(): Promise<StoredRecords> {
    await this.#storePending()
    await this.#endEvaluation()
    const stored = { evaluations: this.#evaluations, variants: [...this.#variants.values()] }
    if (this.#onConflict !== 'replace_all') return stored
    const deleted: string[] = []
    const ids = new Set(this.#evaluations.map(({ id }) => id))
    for (const family of this.#families)
      deleted.push(...(await deleteOtherMembers(this.#transaction, this.#project, family, ids)))
    return { ...stored, deleted }
  }

  async #beginEvaluation(parsed: ParsedEvaluation): Promise<void> {
    await this.#endEvaluation()
    const baseline =
      this.#baseline === undefined
        ? undefined
        : await this.#baselineMember(this.#baseline, parsed.content.value)
    const record = baseline ? { ...parsed, content: withMembers(parsed.content, baseline) } : parsed
    if (parsed.content.value.family) this.#families.add(parsed.content.value.family)
    const { id, place, updated_at, ranRevision, reviews = [] } = record
    const existing = await lockEvaluationIfExists(this.#transaction, this.#viewer, id)
    await this.#storePending(existing && (await this.#keepVariant(existing.key, record)))
    // Otherwise the evaluation would name a revision that it did not run.
    if (this.#isRevisionRejected) {
      const detail = `The evaluation '${id}' ran a revision that was rejected.`
      this.#reject(
        { ...toRecordNumber(place ?? null), pointer: '', detail },
        { isFatal: true, isConflict: true },
      )
    }
    const content = ranRevision ? this.#withRevision(record.content) : record.content
    const key = existing?.key ?? (await ensureEvaluation(this.#transaction, this.#viewer, id, content))
    const updated = existing ? await this.#updateExisting(key, { ...record, content }, baseline) : []
    const declared = await getDeclaredEvaluators(this.#transaction, key)
    const begin = this.#onConflict === 'replace_all' ? ReplaceAllAppender.begin : ScenarioAppender.begin
    const appender = await begin(this.#transaction, key, {
      onConflict: this.#onConflict,
      humanEvaluators: humanEvaluators(declared),
      onRejected: (row, reason) => this.#rejectScenario(row, reason),
      rejectsDuplicates: ranRevision,
      findsMissing: this.#findsMissing,
    })
    const updatedAt = existing ? undefined : normalizeTime(updated_at ?? '')
    this.#currentEvaluation = { id, key, appender, updated, updatedAt, reviews }
  }

  /** Returns the revision that the evaluation ran, and replaces the pending variant by its variant if the file names none. */
  async #keepVariant(key: number, { isVariantNamedByFile }: ParsedEvaluation): Promise<RanRevision> {
    const stored = await getRevisionOf(this.#transaction, key)
    if (!isVariantNamedByFile || !this.#pendingVariant) return stored
    const { variant_id: id } = stored
    const isDeleted = id === null || !(await findVariant(this.#transaction, this.#viewer, id))
    if (isDeleted) {
      this.#variant = undefined
      this.#pendingVariant = undefined
      this.#pendingRevision = undefined
    } else this.#pendingVariant = { ...this.#pendingVariant, id }
    return stored
  }

  /** Updates what the file changes, and rejects other differences. Returns the names of the updated members. */
  async #updateExisting(
    key: number,
    record: ParsedEvaluation,
    baseline: ParsedValue<EvaluationWrite> | undefined,
  ): Promise<string[]> {
    const { id, place, ranRevision } = record
    const updates = await selectUpdates(this.#transaction, key, record, this.#onConflict)
    const patch = baseline ? withMembers(updates, baseline) : updates
    const updated = await findDifferingMembers(this.#transaction, key, patch)
    if (updated.length > 0) await this.#update(key, patch)
    // The source and the time of creation never change.
    const isReplaced = this.#onConflict === 'replace' || this.#onConflict === 'replace_all'
    const differences =
      place && !isReplaced
        ? await findDifferingMembers(this.#transaction, key, withMembers(record.content, patch))
        : []
    for (const name of differences) {
      const detail = `The evaluation '${id}' already exists with a different ${name}. Set on_conflict to replace, or import it as another evaluation.`
      this.#reject(
        { ...toRecordNumber(place ?? null), pointer: `/evaluation/${name}`, detail },
        { isFatal: true, isConflict: true },
      )
    }
    if (ranRevision && this.#variant) await this.#rejectOtherRevision(id, key)
    return updated
  }

  async #update(key: number, patch: ParsedValue<EvaluationWrite>): Promise<void> {
    try {
      await updateEvaluation(this.#transaction, this.#project, key, patch)
    } catch (error) {
      // An export can name a variant that was deleted.
      if (!(error instanceof Problem) || error.code !== 'invalid-content') throw error
      this.#reject(
        { ...toRecordNumber(null), pointer: '/evaluation', detail: error.message },
        { isFatal: true },
      )
    }
  }

  /** An evaluation must not contain scenarios of two different revisions. */
  async #rejectOtherRevision(id: string, key: number): Promise<void> {
    const stored = await getRevisionOf(this.#transaction, key)
    const { id: variant, revision } = this.#variant ?? {}
    const namesNone = stored.variant_id === null || stored.revision === null
    if (namesNone || (stored.variant_id === variant && stored.revision === revision)) return
    const detail = `The evaluation '${id}' already exists and ran another revision: this file ran revision ${revision} of '${variant}'. Set on_conflict to replace, or import it as another evaluation.`
    this.#reject({ ...toRecordNumber(null), pointer: '', detail }, { isFatal: true, isConflict: true })
  }

  /** Adds the revision number, which is known only after the revision is stored. */
  #withRevision({ value, memberTexts }: ParsedEvaluation['content']): ParsedEvaluation['content'] {
    if (this.#variant?.revision === undefined) return { value, memberTexts }
    const { id: variant_id, revision } = this.#variant
    return { value: { ...value, variant_id, revision }, memberTexts }
  }

  async #endEvaluation(): Promise<void> {
    if (!this.#currentEvaluation) return
    const { id, key, appender, updated, updatedAt, reviews } = this.#currentEvaluation
    const name = (await getEvaluationName(this.#transaction, key)) ?? id
    this.#evaluations.push({ id, name, updated, ...(await appender.finish()) })
    for (const review of reviews) await importReview(this.#transaction, this.#viewer, id, review)
    if (updatedAt !== undefined) await restoreUpdateTime(this.#transaction, key, updatedAt)
    this.#currentEvaluation = undefined
  }

  /** `stored`: the revision that the evaluation of the pending records ran before. */
  async #storePending(stored?: RanRevision): Promise<void> {
    const [variant, revision] = [this.#pendingVariant, this.#pendingRevision]
    this.#pendingVariant = undefined
    this.#pendingRevision = undefined
    if (variant) {
      const { id, content } = variant
      this.#variant = { id, key: await ensureVariant(this.#transaction, this.#viewer, id, content) }
      if (!this.#variants.has(id)) this.#variants.set(id, { id, accepted: 0, unchanged: 0 })
    }
    if (revision) await this.#addRevision(revision, stored)
  }

  async #addRevision({ place, content, isNamedAfterVariant }: ParsedRevision, stored?: RanRevision) {
    if (!this.#variant) throw new Error('A variant must come before its revisions')
    const { id, key } = this.#variant
    const counts = this.#variants.get(id)
    const add = content.value.revision === undefined ? addRevisionOnce : addRevision
    const ranRevision = stored?.variant_id === id ? stored.revision : null
    const named =
      isNamedAfterVariant && ranRevision !== null
        ? await withConfigNameOf(this.#transaction, key, ranRevision, content)
        : content
    try {
      const { isNew, body } = await add(this.#transaction, key, named)
      if (counts) counts[isNew ? 'accepted' : 'unchanged'] += 1
      this.#variant.revision = (JSON.parse(body) as VariantRevision).revision
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error
      this.#isRevisionRejected = true
      this.#reject(
        { ...toRecordNumber(place), pointer: '/revision', detail: error.message },
        { isConflict: true },
      )
    }
  }

  #rejectScenario({ id, location }: RejectedRow, reason: RejectionReason): void {
    const { pointer, detail } = REJECTIONS[reason](id)
    this.#reject(
      { ...toRecordNumber(location), pointer, detail },
      { isConflict: reason !== 'misaligned-details' },
    )
  }

  /** One evaluation is compared with exactly this id, and members of a family with those of the baseline. */
  async #baselineMember(baseline: string, content: EvaluationWrite): Promise<ParsedValue<EvaluationWrite>> {
    const isMember = this.#hasSeveral && content.family != null
    const baseline_id = isMember
      ? await findMemberBaseline(this.#transaction, this.#project, baseline, content)
      : baseline
    return parsedValue(baseline_id === undefined ? {} : { baseline_id })
  }

  get #viewer() {
    return { project: this.#project, conceal: false, confined_to: null }
  }
}

const REJECTIONS: Record<RejectionReason, (id: string) => { pointer: string; detail: string }> = {
  conflict: (id) => ({
    pointer: '/id',
    detail: `The scenario '${id}' already exists with different content. Set on_conflict to replace or skip.`,
  }),
  duplicate: (id) => ({ pointer: '/id', detail: `Another record of this file has the same id '${id}'.` }),
  'misaligned-details': () => ({ pointer: '/extra/results', detail: MISALIGNED_DETAILS }),
}

function toRecordNumber(location: RecordLocation | null): { record: number | null; line: number } {
  return { record: location && location.index + 1, line: location?.line ?? 1 }
}

type Member = Pick<EvaluationWrite, 'label' | 'provider'>

const FIND_MEMBERS =
  'SELECT key, id, label, provider FROM evaluation WHERE project = ? AND family = ? ORDER BY id'

interface StoredMember {
  key: number
  id: string
  label: string | null
  provider: string | null
}

/**
 * The id of the baseline that a member of an imported family is compared with: the member of the same label and provider, or an
 * evaluation with exactly this id. Undefined if the baseline does not have the member.
 */
async function findMemberBaseline(
  connection: Connection,
  project: number,
  baseline: string,
  { label = null, provider = null }: Member,
): Promise<string | undefined> {
  const named = await connection.all<StoredMember>(
    'SELECT key, id, label, provider FROM evaluation WHERE project = ? AND id = ?',
    project,
    baseline,
  )
  const members =
    named.length > 0 ? named : await connection.all<StoredMember>(FIND_MEMBERS, project, baseline)
  // It can be created later.
  if (members.length === 0) return baseline
  return members.find((member) => member.label === label && member.provider === provider)?.id
}

/** Deletes the members that a file no longer contains. Returns their ids. */
async function deleteOtherMembers(
  transaction: Transaction,
  project: number,
  family: string,
  imported: ReadonlySet<string>,
): Promise<string[]> {
  const members = await transaction.all<StoredMember>(FIND_MEMBERS, project, family)
  const others = members.filter(({ id }) => !imported.has(id))
  for (const { id, key } of others) {
    await transaction.lock('evaluation', project, id)
    await deleteEvaluation(transaction, key)
  }
  return others.map(({ id }) => id)
}
