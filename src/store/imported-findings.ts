// The findings of a file going into the store, one after the other, inside a transaction.
import { Problem } from '../errors.ts'
import type { Finding, FoundEvaluation, RecordPlace, Remark } from '../schema/findings.ts'
import type { Imported } from '../schema/imports.ts'
import type { RevisionWrite, VariantRevision } from '../schema/revisions.ts'
import type { Written } from '../schema/written.ts'
import type { Transaction } from './dialect/dialect.ts'
import { ensureEvaluation, findDifferences, findRevisionOf } from './evaluations.ts'
import { addRevision, addRevisionOnce } from './revisions.ts'
import { ScenarioAppender } from './scenario-append.ts'
import type { ScenarioRow } from './scenario-rows.ts'
import { ensureVariant } from './variants.ts'

/** Everything but scenarios, which are made ready before. */
export type Head = Exclude<Finding, { kind: 'scenario' }>

/** What is taken by something else is handed to `refuse`, and left out; `isHead`: the rest of the file hangs on it. */
export class ImportedFindings {
  readonly #transaction: Transaction
  readonly #project: number
  readonly #refuse: (refusal: Remark, isHead: boolean) => void
  readonly #evaluations: Imported[] = []
  readonly #variants = new Map<string, Imported>()
  #appender: { id: string; into: ScenarioAppender } | undefined
  #variant: { id: string; key: number; revision?: number } | undefined
  #isRevisionRefused = false

  constructor(transaction: Transaction, project: number, refuse: (refusal: Remark, isHead: boolean) => void) {
    this.#transaction = transaction
    this.#project = project
    this.#refuse = refuse
  }

  async take(head: Head): Promise<void> {
    if (head.kind === 'evaluation') await this.#begin(head)
    else if (head.kind === 'variant') {
      const { id, written } = head
      this.#variant = { id, key: await ensureVariant(this.#transaction, this.#viewer, id, written) }
      if (!this.#variants.has(id)) this.#variants.set(id, { id, accepted: 0, unchanged: 0 })
    } else await this.#addRevision(head.place, head.written)
  }

  async addScenarios(rows: ScenarioRow[]): Promise<void> {
    await this.#appender?.into.add(rows)
  }

  async finish(): Promise<{ evaluations: Imported[]; variants: Imported[] }> {
    await this.#end()
    return { evaluations: this.#evaluations, variants: [...this.#variants.values()] }
  }

  async #begin({ id, written, place, ranRevision }: FoundEvaluation): Promise<void> {
    await this.#end()
    // An evaluation that would name another revision than the one that it ran.
    if (this.#isRevisionRefused) {
      const detail = `The evaluation '${id}' ran a revision that is refused.`
      this.#refuse({ ...recordOf(place ?? null), pointer: '', detail }, true)
    }
    const evaluation = ranRevision ? this.#withRevision(written) : written
    const key = await ensureEvaluation(this.#transaction, this.#viewer, id, evaluation)
    // What has just been made of the file is what the file says.
    const differences = place ? await findDifferences(this.#transaction, key, evaluation) : []
    for (const name of differences) {
      const detail = `The evaluation '${id}' is there already with another ${name}.`
      this.#refuse({ ...recordOf(place ?? null), pointer: `/evaluation/${name}`, detail }, true)
    }
    if (ranRevision) await this.#refuseOther(id, key)
    const into = await ScenarioAppender.begin(
      this.#transaction,
      key,
      (row, isOfThis) => this.#refuseTaken(row, isOfThis),
      ranRevision,
    )
    this.#appender = { id, into }
  }

  /** Scenarios that another revision made do not belong into one evaluation with these. */
  async #refuseOther(id: string, key: number): Promise<void> {
    const there = await findRevisionOf(this.#transaction, key)
    const { id: variant, revision } = this.#variant ?? {}
    if (there === undefined || (there.variant_id === variant && there.revision === revision)) return
    const detail = `The evaluation '${id}' is there and ran revision ${there.revision} of '${there.variant_id}', this ran revision ${revision} of '${variant}'. Give it an evaluation of its own.`
    this.#refuse({ ...recordOf(null), pointer: '', detail }, true)
  }

  /** The number of a revision is known once it is stored. */
  #withRevision({ value, texts }: FoundEvaluation['written']): FoundEvaluation['written'] {
    if (this.#variant?.revision === undefined) return { value, texts }
    const { id: variant_id, revision } = this.#variant
    return { value: { ...value, variant_id, revision }, texts }
  }

  async #end(): Promise<void> {
    if (!this.#appender) return
    const { id, into } = this.#appender
    this.#evaluations.push({ id, ...(await into.finish()) })
    this.#appender = undefined
  }

  async #addRevision(place: RecordPlace, written: Written<RevisionWrite>): Promise<void> {
    if (!this.#variant) throw new Error('A revision came before its variant')
    const counts = this.#variants.get(this.#variant.id)
    const add = written.value.revision === undefined ? addRevisionOnce : addRevision
    try {
      const { isNew, body } = await add(this.#transaction, this.#variant.key, written)
      if (counts) counts[isNew ? 'accepted' : 'unchanged'] += 1
      this.#variant.revision = (JSON.parse(body) as VariantRevision).revision
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error
      this.#isRevisionRefused = true
      this.#refuse({ ...recordOf(place), pointer: '/revision', detail: error.message }, false)
    }
  }

  #refuseTaken({ id, place }: ScenarioRow, isOfThis: boolean): void {
    const detail = isOfThis
      ? `Another record of this file has the id '${id}' too.`
      : `The scenario '${id}' is there already with other content.`
    this.#refuse({ ...recordOf(place), pointer: '/id', detail }, false)
  }

  /** An id of another project is no hindrance: it is said which project is meant. */
  get #viewer() {
    return { project: this.#project, conceal: true, confined_to: null }
  }
}

function recordOf(place: RecordPlace | null): { record: number | null; line: number } {
  return { record: place && place.index + 1, line: place?.line ?? 1 }
}
