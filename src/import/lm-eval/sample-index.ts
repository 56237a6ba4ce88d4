// Indexes the lines of a samples file by document: the file contains the lines of one filter after another. Memory
// grows with the number of lines (a few numbers each), not with their size.
import { UnreadableFile } from '../../errors.ts'
import { createRecordReader } from '../../json/document.ts'
import type { RecordLimits, RecordStart } from '../../json/records.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { readObject, readRecords, rejectionNote } from '../read-records.ts'
import type { Source } from '../source.ts'
import { hasAny } from '../values.ts'
import { filterOf, metricsOf } from './sample.ts'

const NO_BYTES = Buffer.alloc(0)
const LINE_FEED = Buffer.from('\n')
const OPEN_BRACKET = Buffer.from('[')
/** Sorts ids that are not numbers after those that are. */
const FIRST_TEXT_ID = 2 ** 52

/** The lines of one document, one per filter. */
export interface Group {
  lines: number[]
  /** Which run of the document, counted from 1. Undefined if there is only one run. */
  repetition: number | undefined
}

export class SampleIndex {
  /** The metrics of each filter, in the order of the file. */
  readonly metrics = new Map<string, Set<string>>()
  readonly #source: Source
  /** Filter names to numbers. */
  readonly #filterNumbers = new Map<string, number>()
  readonly #filters: number[] = []
  readonly #docs: number[] = []
  readonly #offsets: number[] = []
  readonly #ends: number[] = []
  readonly #fileLines: number[] = []
  readonly #indexes: number[] = []
  readonly #docNumbers = new Map<string, number>()

  constructor(source: Source) {
    this.#source = source
  }

  /** Reads the file once. Lines that cannot be read are reported and skipped. */
  async *build(limits: RecordLimits): AsyncGenerator<ImportEvent> {
    for await (const record of readRecords(this.#source, limits)) {
      if ('kind' in record) yield record
      else {
        this.#endLine(record.offset)
        const row = yield* readObject(record)
        if (row && hasAny(row, 'doc_id', 'doc', 'resps', 'filtered_resps')) this.#add(row, record)
        else if (row)
          yield rejectionNote(record, '', 'This record is not a sample: it has neither a doc nor a response.')
      }
    }
    this.#endLine(this.#source.size)
  }

  /** The documents, sorted by id. */
  *groups(): Generator<Group> {
    const docs = this.#docs
    const order = Uint32Array.from(docs, (_, line) => line)
    order.sort((a, b) => (docs[a] as number) - (docs[b] as number) || a - b)
    for (let start = 0, end = 0; start < order.length; start = end) {
      while (end < order.length && docs[order[end] as number] === docs[order[start] as number]) end += 1
      yield* this.#splitRepetitions([...order.subarray(start, end)])
    }
  }

  /** Reads one line again. Throws UnreadableFile if the file has changed. */
  async read(line: number, limits: RecordLimits): Promise<{ place: RecordStart; row: Json }> {
    const [offset, end] = [this.#offsets[line] ?? 0, this.#ends[line] ?? 0]
    const bytes = await this.#source.readBytes(offset, end - offset).catch(() => NO_BYTES)
    const place = { index: this.#indexes[line] ?? 0, line: this.#fileLines[line] ?? 1, offset }
    const { shape = 'array' } = this.#source.jsonPreview ?? {}
    // The reader needs the separator to complete the record.
    const text = shape === 'lines' ? [bytes, LINE_FEED] : [OPEN_BRACKET, bytes]
    for (const { scanned } of createRecordReader(shape, limits).push(Buffer.concat(text)))
      if (scanned) return { place, row: Json.scanned(scanned) }
    throw new UnreadableFile('The file changed while it was being read.', place.line)
  }

  #add(row: Json, { index, line, offset }: RecordStart): void {
    const filter = filterOf(row)
    const metrics = this.metrics.get(filter) ?? new Set()
    this.metrics.set(filter, metrics)
    for (const metric of metricsOf(row)) metrics.add(metric)
    const filterNumber = this.#filterNumbers.get(filter) ?? this.#filterNumbers.size
    this.#filterNumbers.set(filter, filterNumber)
    this.#filters.push(filterNumber)
    this.#docs.push(this.#assignDocNumber(row.get('doc_id'), index))
    this.#offsets.push(offset)
    this.#fileLines.push(line)
    this.#indexes.push(index)
  }

  #assignDocNumber(id: Json | undefined, index: number): number {
    if (id?.number !== undefined) return id.number
    const name = id ? `=${id.plain}` : `record ${index}`
    const docNumber = this.#docNumbers.get(name) ?? FIRST_TEXT_ID + this.#docNumbers.size
    this.#docNumbers.set(name, docNumber)
    return docNumber
  }

  /** Sets the end of the previous line, if it was added. */
  #endLine(offset: number): void {
    if (this.#ends.length < this.#offsets.length) this.#ends.push(offset)
  }

  *#splitRepetitions(lines: number[]): Generator<Group> {
    const groups: number[][] = []
    const counts = new Map<number, number>()
    for (const line of lines) {
      const filter = this.#filters[line] ?? 0
      const count = counts.get(filter) ?? 0
      counts.set(filter, count + 1)
      groups[count] ??= []
      groups[count].push(line)
    }
    for (const [index, group] of groups.entries())
      yield { lines: group, repetition: groups.length > 1 ? index + 1 : undefined }
  }
}
