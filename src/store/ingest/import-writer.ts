// Writes the records of an imported file to the database, one after the other, inside a transaction.
import { Problem } from '../../errors.ts'
import type {
  ImportNote,
  ParsedEvaluation,
  ParsedRecord,
  RecordLocation,
} from '../../schema/import-events.ts'
import type { Imported, ImportedEvaluation } from '../../schema/imports.ts'
import type { RevisionWrite, VariantRevision } from '../../schema/revisions.ts'
import type { OnConflict } from '../../schema/scenarios.ts'
import { normalizeTime } from '../../schema/times.ts'
import type { ParsedValue } from '../../schema/validation/parsed-value.ts'
import type { Transaction } from '../dialect/dialect.ts'
import {
  ensureEvaluation,
  findDifferingMembers,
  getEvaluationName,
  getRevisionOf,
  lockEvaluationIfExists,
  restoreUpdateTime,
} from '../evaluations/evaluations.ts'
import { getDeclaredEvaluators, humanEvaluators } from '../evaluations/evaluators.ts'
import { ScenarioAppender } from '../scenarios/append.ts'
import type { RejectionReason } from '../scenarios/conflicts.ts'
import { MISALIGNED_DETAILS } from '../scenarios/corrections.ts'
import type { ScenarioRow } from '../scenarios/row.ts'
import { addRevision, addRevisionOnce } from '../variants/revisions.ts'
import { ensureVariant } from '../variants/variants.ts'

/** Scenarios are converted to rows before and passed to addScenarios. */
export type NonScenarioRecord = Exclude<ParsedRecord, { kind: 'scenario' }>

/** Conflicting records are passed to `reject` and skipped. `isFatal`: the rest of the file depends on the record. */
export class ImportWriter {
  readonly #transaction: Transaction
  readonly #project: number
  readonly #reject: (note: ImportNote, isFatal: boolean) => void
  readonly #onConflict: OnConflict
  readonly #evaluations: ImportedEvaluation[] = []
  readonly #variants = new Map<string, Imported>()
  /** `updatedAt`: the update time to restore. */
  #currentEvaluation:
    | { id: string; key: number; appender: ScenarioAppender; updatedAt: string | undefined }
    | undefined
  #variant: { id: string; key: number; revision?: number } | undefined
  #isRevisionRejected = false

  constructor(
    transaction: Transaction,
    project: number,
    reject: (note: ImportNote, isFatal: boolean) => void,
    onConflict: OnConflict = 'error',
  ) {
    this.#transaction = transaction
    this.#project = project
    this.#reject = reject
    this.#onConflict = onConflict
  }

  async write(record: NonScenarioRecord): Promise<void> {
    if (record.kind === 'evaluation') await this.#beginEvaluation(record)
    else if (record.kind === 'variant') {
      const { id, content } = record
      this.#variant = { id, key: await ensureVariant(this.#transaction, this.#viewer, id, content) }
      if (!this.#variants.has(id)) this.#variants.set(id, { id, accepted: 0, unchanged: 0 })
    } else await this.#addRevision(record.place, record.content)
  }

  async addScenarios(rows: ScenarioRow[]): Promise<void> {
    await this.#currentEvaluation?.appender.add(rows)
  }

  async finish(): Promise<{ evaluations: ImportedEvaluation[]; variants: Imported[] }> {
    await this.#endEvaluation()
    return { evaluations: this.#evaluations, variants: [...this.#variants.values()] }
  }

  async #beginEvaluation({ id, content, place, updated_at, ranRevision }: ParsedEvaluation): Promise<void> {
    await this.#endEvaluation()
    // Otherwise the evaluation would name a revision that it did not run.
    if (this.#isRevisionRejected) {
      const detail = `The evaluation '${id}' ran a revision that was rejected.`
      this.#reject({ ...toRecordNumber(place ?? null), pointer: '', detail }, true)
    }
    const evaluation = ranRevision ? this.#withRevision(content) : content
    const isNew = !(await lockEvaluationIfExists(this.#transaction, this.#viewer, id))
    const key = await ensureEvaluation(this.#transaction, this.#viewer, id, evaluation)
    // A new evaluation has no differences, because it was created from the file.
    const differences = place ? await findDifferingMembers(this.#transaction, key, evaluation) : []
    for (const name of differences) {
      const detail = `The evaluation '${id}' already exists with a different ${name}.`
      this.#reject({ ...toRecordNumber(place ?? null), pointer: `/evaluation/${name}`, detail }, true)
    }
    if (ranRevision) await this.#rejectOtherRevision(id, key)
    const declared = await getDeclaredEvaluators(this.#transaction, key)
    const appender = await ScenarioAppender.begin(this.#transaction, key, {
      onConflict: this.#onConflict,
      humanEvaluators: humanEvaluators(declared),
      onRejected: (row, reason) => this.#rejectScenario(row, reason),
      rejectsDuplicates: ranRevision,
    })
    this.#currentEvaluation = {
      id,
      key,
      appender,
      updatedAt: isNew ? normalizeTime(updated_at ?? '') : undefined,
    }
  }

  /** An evaluation must not contain scenarios of two different revisions. */
  async #rejectOtherRevision(id: string, key: number): Promise<void> {
    const stored = await getRevisionOf(this.#transaction, key)
    const { id: variant, revision } = this.#variant ?? {}
    const namesNone = stored.variant_id === null || stored.revision === null
    if (namesNone || (stored.variant_id === variant && stored.revision === revision)) return
    const detail = `The evaluation '${id}' already exists and ran revision ${stored.revision} of '${stored.variant_id}', but this file ran revision ${revision} of '${variant}'. Import it as another evaluation.`
    this.#reject({ ...toRecordNumber(null), pointer: '', detail }, true)
  }

  /** Adds the revision number, which is known only after the revision is stored. */
  #withRevision({ value, memberTexts }: ParsedEvaluation['content']): ParsedEvaluation['content'] {
    if (this.#variant?.revision === undefined) return { value, memberTexts }
    const { id: variant_id, revision } = this.#variant
    return { value: { ...value, variant_id, revision }, memberTexts }
  }

  async #endEvaluation(): Promise<void> {
    if (!this.#currentEvaluation) return
    const { id, key, appender, updatedAt } = this.#currentEvaluation
    const name = (await getEvaluationName(this.#transaction, key)) ?? id
    this.#evaluations.push({ id, name, updated: [], ...(await appender.finish()) })
    if (updatedAt !== undefined) await restoreUpdateTime(this.#transaction, key, updatedAt)
    this.#currentEvaluation = undefined
  }

  async #addRevision(place: RecordLocation, content: ParsedValue<RevisionWrite>): Promise<void> {
    if (!this.#variant) throw new Error('A variant must come before its revisions')
    const counts = this.#variants.get(this.#variant.id)
    const add = content.value.revision === undefined ? addRevisionOnce : addRevision
    try {
      const { isNew, body } = await add(this.#transaction, this.#variant.key, content)
      if (counts) counts[isNew ? 'accepted' : 'unchanged'] += 1
      this.#variant.revision = (JSON.parse(body) as VariantRevision).revision
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error
      this.#isRevisionRejected = true
      this.#reject({ ...toRecordNumber(place), pointer: '/revision', detail: error.message }, false)
    }
  }

  #rejectScenario({ id, location }: ScenarioRow, reason: RejectionReason): void {
    const { pointer, detail } = REJECTIONS[reason](id)
    this.#reject({ ...toRecordNumber(location), pointer, detail }, false)
  }

  get #viewer() {
    return { project: this.#project, conceal: false, confined_to: null }
  }
}

const REJECTIONS: Record<RejectionReason, (id: string) => { pointer: string; detail: string }> = {
  conflict: (id) => ({
    pointer: '/id',
    detail: `The scenario '${id}' already exists with different content. Set the option on-conflict to replace or skip.`,
  }),
  duplicate: (id) => ({ pointer: '/id', detail: `Another record of this file has the same id '${id}'.` }),
  'misaligned-details': () => ({ pointer: '/extra/results', detail: MISALIGNED_DETAILS }),
}

function toRecordNumber(location: RecordLocation | null): { record: number | null; line: number } {
  return { record: location && location.index + 1, line: location?.line ?? 1 }
}
