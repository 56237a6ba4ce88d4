// Buffers the valid records of an imported file, then stores all of them in one transaction or none.
import { UNLIMITED_SPACE } from '../../disk-budget.ts'
import type { ImportEvent, ImportNote } from '../../schema/import-events.ts'
import type { ImportColumn, ImportReport } from '../../schema/imports.ts'
import type { OnConflict } from '../../schema/scenarios.ts'
import { truncate } from '../../schema/validation/truncate.ts'
import { LineBuffer } from '../buffer/line-buffer.ts'
import { SortedLineBuffer } from '../buffer/sorted-line-buffer.ts'
import type { Transaction } from '../dialect/dialect.ts'
import { type ScenarioRow, scenarioRow } from '../scenarios/row.ts'
import { readRowLine, rowLine } from '../scenarios/row-lines.ts'
import {
  ImportWriter,
  type NonScenarioRecord,
  type Reject,
  type StoredRecords,
  type WriterOptions,
} from './import-writer.ts'

/** Thrown to roll back the transaction of a dry run or a rejected file. */
export class RolledBackImport extends Error {
  override name = 'RolledBackImport'
  readonly report: ImportReport
  /** Whether all rejected records exist already with different content. */
  readonly isConflict: boolean

  constructor(report: ImportReport, isConflict = false) {
    super('The import was rolled back')
    this.report = report
    this.isConflict = isConflict
  }
}

interface StoreOptions {
  dry_run?: boolean | undefined
  skip_invalid?: boolean | undefined
  on_conflict?: OnConflict | undefined
  /** The baseline of the imported evaluations. */
  baseline?: string | undefined
}

/** `first`: the JSON texts of the first scenarios, as a preview. */
type ImportResult = StoredRecords & { first: string[] }

const PREVIEW_COUNT = 3

export class StagedImport {
  /** All records but scenarios. */
  readonly #records: LineBuffer
  readonly #scenarios: SortedLineBuffer
  readonly #evaluationIds: string[] = []
  readonly #rejections: NoteList
  readonly #repairs: NoteList
  readonly #omissions: NoteList
  #revisionCount = 0
  /** Set when all records were added, because conflicts reject records that were read before. */
  #readCount = 0
  readonly #notes: NoteList
  #columns: ImportColumn[] = []
  #hasFatalConflict = false
  #conflictCount = 0

  /** `maxNotes`: how many notes of each kind the report lists. */
  constructor(folder: string, space = UNLIMITED_SPACE, maxNotes = 1000) {
    this.#rejections = new NoteList(maxNotes)
    this.#repairs = new NoteList(maxNotes)
    this.#omissions = new NoteList(maxNotes)
    this.#notes = new NoteList(maxNotes)
    this.#records = new LineBuffer(folder, space)
    this.#scenarios = new SortedLineBuffer(folder, space)
  }

  /** The number of buffered scenarios. */
  get count(): number {
    return this.#scenarios.count
  }

  /** Returns a promise only if it has to be awaited. */
  add(event: ImportEvent): Promise<void> | undefined {
    if (event.kind === 'rejection') {
      this.#rejections.add(event)
      this.#hasFatalConflict ||= event.isFatal === true
    } else if (event.kind === 'repair') this.#repairs.add(event)
    else if (event.kind === 'omission') this.#omissions.add(event)
    else if (event.kind === 'note') this.#notes.add(event)
    else if (event.kind === 'columns') this.#columns = event.columns
    else if (event.kind === 'scenario') {
      const { evaluation = this.#evaluationIds.length - 1, order, content, place, hasGeneratedId } = event
      // Without its evaluation, which was rejected, a scenario counts as read but is not stored.
      const row = scenarioRow(this.#evaluationIds[evaluation] ?? '', content, place, hasGeneratedId)
      return this.#scenarios.add(rowLine(row), evaluation, order)
    } else {
      if (event.kind === 'evaluation') this.#evaluationIds.push(event.id)
      if (event.kind === 'revision') this.#revisionCount += 1
      return this.#records.add(serializeRecord(event))
    }
    return undefined
  }

  /** Throws RolledBackImport with the report after a dry run, and if the file is rejected. */
  async store(
    transaction: Transaction,
    project: number,
    file: { file: string; format: string },
    { dry_run = false, skip_invalid = false, on_conflict = 'error', baseline }: StoreOptions,
    onStored: (scenarios: number) => void = () => undefined,
  ): Promise<ImportReport> {
    // In a file with evaluations, a revision is a part of the description of a run.
    const records = this.#evaluationIds.length > 0 ? this.count : this.#revisionCount
    this.#readCount = records + this.#rejections.numberedCount
    // Records of evaluations cannot be skipped, unlike invalid scenarios.
    if (baseline !== undefined && this.#evaluationIds.length === 0) this.#rejectBaseline(baseline)
    const isRejected = () => this.#hasFatalConflict || (this.#rejections.count > 0 && !skip_invalid)
    if (isRejected()) throw new RolledBackImport(this.#report(file, { stored: false }))
    const first = dry_run ? await this.#readPreview() : []
    const hasSeveral = this.#evaluationIds.length > 1
    // Without the ids of invalid records, their scenarios would count as missing.
    const findsMissing = this.#rejections.count === 0
    const writerOptions = { on_conflict, baseline, hasSeveral, findsMissing }
    const result = { ...(await this.#storeRecords(transaction, project, writerOptions, onStored)), first }
    if (dry_run || isRejected())
      throw new RolledBackImport(
        this.#report(file, { stored: false, result, isDryRun: dry_run }),
        this.#conflictCount > 0 && this.#conflictCount === this.#rejections.count,
      )
    return this.#report(file, { stored: true, result })
  }

  #rejectBaseline(baseline: string): void {
    const detail = `The baseline '${baseline}' needs a file with an evaluation, but this file contains none.`
    this.#rejections.add({ record: null, line: 1, pointer: '', detail })
    this.#hasFatalConflict = true
  }

  /** Records whose id or number already exists with different content are rejected and skipped. */
  async #storeRecords(
    transaction: Transaction,
    project: number,
    options: WriterOptions,
    onStored: (scenarios: number) => void,
  ): Promise<StoredRecords> {
    const reject: Reject = (note, { isFatal = false, isConflict = false }) => {
      this.#rejections.add(note)
      this.#hasFatalConflict ||= isFatal
      if (isConflict) this.#conflictCount += 1
    }
    const writer = new ImportWriter(transaction, project, reject, options)
    let evaluations = 0
    let storedCount = 0
    for await (const records of this.#records.batches())
      for (const line of records) {
        const record = parseRecord(line)
        await writer.write(record)
        if (record.kind !== 'evaluation') continue
        for await (const lines of this.#scenarios.batches(evaluations)) {
          await writer.addScenarios(lines.map(readRowLine))
          storedCount += lines.length
          onStored(storedCount)
        }
        evaluations += 1
      }
    return writer.finish()
  }

  /** The JSON texts of the first scenarios. */
  async #readPreview(): Promise<string[]> {
    const texts: string[] = []
    for (const evaluation of this.#evaluationIds.keys())
      for await (const lines of this.#scenarios.batches(evaluation)) {
        texts.push(
          ...lines.slice(0, PREVIEW_COUNT - texts.length).map((line) => serializeScenario(readRowLine(line))),
        )
        if (texts.length === PREVIEW_COUNT) return texts
      }
    return texts
  }

  #report(
    file: { file: string; format: string },
    { result, ...outcome }: { stored: boolean; result?: ImportResult; isDryRun?: boolean },
  ): ImportReport {
    return {
      ...file,
      stored: outcome.stored,
      read: this.#readCount,
      evaluations: result?.evaluations ?? [],
      variants: result?.variants ?? [],
      ...(result?.deleted && { deleted: result.deleted }),
      refused: this.#rejections.recordCount,
      refusals: this.#rejections.firstNotes,
      repaired: this.#repairs.count,
      repairs: this.#repairs.firstNotes,
      omitted: this.#omissions.count,
      omissions: this.#omissions.firstNotes,
      notes: this.#notes.firstNotes,
      columns: this.#columns,
      first: outcome.isDryRun ? (result?.first ?? []).map((text) => JSON.parse(text)) : [],
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#records.close(), this.#scenarios.close()])
  }
}

/** The JSON text of a scenario with its extra. */
function serializeScenario({ body, extra }: ScenarioRow): string {
  return extra === null ? body : `${body.slice(0, -1)},"extra":${extra}}`
}

/** Counts all notes and lists the first ones. */
class NoteList {
  readonly firstNotes: ImportNote[] = []
  readonly #maxCount: number
  count = 0
  /** Distinct records, because one record can have several notes. */
  readonly #records = new Set<number | null>()

  constructor(maxCount: number) {
    this.#maxCount = maxCount
  }

  get recordCount(): number {
    return this.#records.size
  }

  /** Without the notes about the file as a whole. */
  get numberedCount(): number {
    return this.#records.size - (this.#records.has(null) ? 1 : 0)
  }

  add({ record, line, pointer, detail }: ImportNote): void {
    this.count += 1
    this.#records.add(record)
    if (this.firstNotes.length === this.#maxCount) return
    this.firstNotes.push({ record, line, pointer: truncate(pointer), detail: truncate(detail) })
  }
}

function serializeRecord({ content, ...record }: NonScenarioRecord): string {
  const { value, memberTexts } = content
  return JSON.stringify({ ...record, content: { value, memberTexts: [...memberTexts] } })
}

function parseRecord(line: Buffer): NonScenarioRecord {
  const { content, ...record } = JSON.parse(line.toString())
  return { ...record, content: { ...content, memberTexts: new Map(content.memberTexts) } }
}
