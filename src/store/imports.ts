// A file on its way into the store: its findings are set aside, and stored together or not at all.
import { Problem } from '../errors.ts'
import type { Finding, RecordPlace, Refusal } from '../schema/findings.ts'
import type { Appended } from '../schema/scenarios.ts'
import type { Written } from '../schema/written.ts'
import type { Transaction } from './dialect/dialect.ts'
import { ensureEvaluation, findDifferences } from './evaluations.ts'
import type { Packer, Unpacker } from './packing.ts'
import { addRevision, addRevisionOnce } from './revisions.ts'
import { ScenarioAppender } from './scenario-append.ts'
import { SCENARIO_PACKING, type ScenarioRow, scenarioRow } from './scenario-rows.ts'
import { type Packing, Spool } from './spool.ts'
import { ensureVariant } from './variants.ts'

/** What became of an evaluation's scenarios, or of a variant's revisions. */
export type Imported = { id: string } & Appended

export interface ImportResult {
  evaluations: Imported[]
  variants: Imported[]
}

/** A scenario is made ready at once; everything else is rare and kept as it was written. */
type Entry = { kind: 'row'; row: ScenarioRow } | Exclude<Finding, { kind: 'scenario' }>

export class StagedImport {
  readonly #entries: Spool<Entry>
  #evaluation = ''
  /** How many scenarios are set aside. */
  count = 0

  constructor(folder: string) {
    this.#entries = new Spool(folder, ENTRY_PACKING)
  }

  async add(finding: Finding): Promise<void> {
    if (finding.kind === 'evaluation') this.#evaluation = finding.id
    if (finding.kind !== 'scenario') return this.#entries.add(finding)
    this.count += 1
    return this.#entries.add({
      kind: 'row',
      row: scenarioRow(this.#evaluation, finding.written, finding.place),
    })
  }

  /** Records whose id or number is taken by something else are handed to `refuse`, and left out. */
  async store(
    transaction: Transaction,
    project: number,
    refuse: (refusal: Refusal) => void,
    onStored: (scenarios: number) => void,
  ): Promise<ImportResult> {
    const storing = new Storing(transaction, project, refuse)
    let stored = 0
    for await (const entries of this.#entries.batches()) {
      await storing.take(entries)
      stored += entries.length
      onStored(stored)
    }
    return storing.finish()
  }

  close(): Promise<void> {
    return this.#entries.close()
  }
}

/** One pass over the entries of a file, inside a transaction. */
class Storing {
  readonly #transaction: Transaction
  readonly #project: number
  readonly #refuse: (refusal: Refusal) => void
  readonly #result: ImportResult = { evaluations: [], variants: [] }
  #appender: { id: string; into: ScenarioAppender } | undefined
  #variant: { key: number; counts: Imported } | undefined

  constructor(transaction: Transaction, project: number, refuse: (refusal: Refusal) => void) {
    this.#transaction = transaction
    this.#project = project
    this.#refuse = refuse
  }

  async take(entries: Entry[]): Promise<void> {
    let rows: ScenarioRow[] = []
    for (const entry of entries) {
      if (entry.kind === 'row') {
        rows.push(entry.row)
        continue
      }
      await this.#addRows(rows)
      rows = []
      if (entry.kind === 'evaluation') await this.#begin(entry)
      else if (entry.kind === 'variant') await this.#enter(entry)
      else await this.#addRevision(entry)
    }
    await this.#addRows(rows)
  }

  async finish(): Promise<ImportResult> {
    await this.#end()
    return this.#result
  }

  async #addRows(rows: ScenarioRow[]): Promise<void> {
    if (rows.length > 0) await this.#appender?.into.add(rows)
  }

  async #begin({ id, written, place }: Entry & { kind: 'evaluation' }): Promise<void> {
    await this.#end()
    const key = await ensureEvaluation(this.#transaction, this.#viewer, id, written)
    // What has just been made of the file is what the file says.
    const differences = place ? await findDifferences(this.#transaction, key, written) : []
    for (const name of differences) {
      const detail = `The evaluation '${id}' is there already with another ${name}.`
      this.#refuse({ ...recordOf(place ?? null), pointer: `/evaluation/${name}`, detail })
    }
    const into = await ScenarioAppender.begin(this.#transaction, key, (row) => this.#refuseTaken(row))
    this.#appender = { id, into }
  }

  async #end(): Promise<void> {
    if (!this.#appender) return
    const { id, into } = this.#appender
    this.#result.evaluations.push({ id, ...(await into.finish()) })
    this.#appender = undefined
  }

  async #enter({ id, written }: Entry & { kind: 'variant' }): Promise<void> {
    const key = await ensureVariant(this.#transaction, this.#viewer, id, written)
    this.#variant = { key, counts: { id, accepted: 0, unchanged: 0 } }
    this.#result.variants.push(this.#variant.counts)
  }

  async #addRevision({ place, written }: Entry & { kind: 'revision' }): Promise<void> {
    if (!this.#variant) throw new Error('A revision came before its variant')
    const { key, counts } = this.#variant
    const add = written.value.revision === undefined ? addRevisionOnce : addRevision
    try {
      const { isNew } = await add(this.#transaction, key, written)
      counts[isNew ? 'accepted' : 'unchanged'] += 1
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'conflict') throw error
      this.#refuse({ ...recordOf(place), pointer: '/revision', detail: error.message })
    }
  }

  #refuseTaken({ id, place }: ScenarioRow): void {
    const detail = `The scenario '${id}' is there already with other content.`
    this.#refuse({ ...recordOf(place), pointer: '/id', detail })
  }

  /** An id of another project is no hindrance: a command says which project is meant. */
  get #viewer() {
    return { project: this.#project, conceal: true }
  }
}

function recordOf(place: RecordPlace | null): { record: number | null; line: number } {
  return { record: place && place.index + 1, line: place?.line ?? 1 }
}

const KINDS = ['row', 'evaluation', 'variant', 'revision'] as const

const ENTRY_PACKING: Packing<Entry> = {
  pack(packer, entry) {
    packer.number(KINDS.indexOf(entry.kind))
    if (entry.kind === 'row') SCENARIO_PACKING.pack(packer, entry.row)
    else if (entry.kind === 'revision') {
      packer.number(entry.place.index)
      packer.number(entry.place.line)
      packWritten(packer, entry.written)
    } else {
      packer.text(entry.id)
      packWritten(packer, entry.written)
      const place = entry.kind === 'evaluation' ? entry.place : undefined
      packer.number(place?.index ?? null)
      packer.number(place?.line ?? null)
    }
  },

  unpack(unpacker) {
    const kind = KINDS[unpacker.number() ?? 0] ?? 'row'
    if (kind === 'row') return { kind, row: SCENARIO_PACKING.unpack(unpacker) }
    if (kind === 'revision') {
      const place = { index: unpacker.number() ?? 0, line: unpacker.number() ?? 1 }
      return { kind, place, written: unpackWritten(unpacker) }
    }
    const id = unpacker.text() ?? ''
    const written = unpackWritten<object>(unpacker)
    const [index, line] = [unpacker.number(), unpacker.number()]
    return { kind, id, written, ...(index !== null && line !== null && { place: { index, line } }) }
  },
}

function packWritten(packer: Packer, { value, texts }: Written<unknown>): void {
  packer.text(JSON.stringify([value, [...texts]]))
}

/** The value is one of the kind that was packed. */
function unpackWritten<Value>(unpacker: Unpacker): Written<Value> {
  const [value, texts] = JSON.parse(unpacker.text() ?? '') as [Value, [string, string][]]
  return { value, texts: new Map(texts) }
}
