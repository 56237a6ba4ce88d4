// Where the lines of each document stand in a file of samples: those of one filter come before those of the
// next. A few numbers are kept for each line, so this grows with their number, not with their size.
import { type Place, type RecordLimits, RecordReader } from '../json/records.ts'
import { Json } from '../json/value.ts'
import type { Found } from '../schema/findings.ts'
import { type ImportOptions, Unreadable } from './importer.ts'
import { filterOf, metricsOf } from './lm-eval-sample.ts'
import { objectOf, readRecords, refuse } from './reading.ts'
import type { Source } from './source.ts'

const EMPTY = Buffer.alloc(0)
const LINE_FEED = Buffer.from('\n')
const OPEN_BRACKET = Buffer.from('[')
/** Ids that are no numbers come behind those that are. */
const BEHIND_NUMBERS = 2 ** 52

/** The lines of one document, one of each filter. */
export interface Group {
  lines: number[]
  /** Which of several runs of the document, counted from 1; undefined where there is one. */
  repetition: number | undefined
}

export class SampleIndex {
  /** The metrics of each filter, in the order of the file. */
  readonly metrics = new Map<string, Set<string>>()
  readonly #source: Source
  /** Of the filters. */
  readonly #numbers = new Map<string, number>()
  readonly #filters: number[] = []
  readonly #docs: number[] = []
  readonly #offsets: number[] = []
  readonly #ends: number[] = []
  readonly #fileLines: number[] = []
  readonly #indexes: number[] = []
  readonly #named = new Map<string, number>()

  constructor(source: Source) {
    this.#source = source
  }

  /** Reads the file once. What cannot be read is told, and left out. */
  async *build(options: ImportOptions): AsyncGenerator<Found> {
    for await (const record of readRecords(this.#source, options)) {
      if ('kind' in record) yield record
      else {
        this.#endLine(record.offset)
        const row = yield* objectOf(record)
        if (row && ['doc_id', 'doc', 'resps', 'filtered_resps'].some((name) => row.get(name)))
          this.#add(row, record)
        else if (row) yield refuse(record, '', 'This is no sample: it has neither a doc nor a response.')
      }
    }
    this.#endLine(this.#source.size)
  }

  /** Document by document, in the order of their ids. */
  *groups(): Generator<Group> {
    const docs = this.#docs
    const order = Uint32Array.from(docs, (_, line) => line)
    order.sort((a, b) => (docs[a] as number) - (docs[b] as number) || a - b)
    for (let from = 0, to = 0; from < order.length; from = to) {
      while (to < order.length && docs[order[to] as number] === docs[order[from] as number]) to += 1
      yield* this.#repetitions([...order.subarray(from, to)])
    }
  }

  /** Throws Unreadable where the file is not what it was. */
  async read(line: number, limits: RecordLimits): Promise<{ place: Place; row: Json }> {
    const [offset, end] = [this.#offsets[line] ?? 0, this.#ends[line] ?? 0]
    const bytes = await this.#source.bytes(offset, end - offset).catch(() => EMPTY)
    const place = { index: this.#indexes[line] ?? 0, line: this.#fileLines[line] ?? 1, offset }
    const { shape = 'array' } = this.#source.opening ?? {}
    // What separates it from the next one stands behind it.
    const text = shape === 'lines' ? [bytes, LINE_FEED] : [OPEN_BRACKET, bytes]
    for (const { scanned } of new RecordReader(shape, limits).push(Buffer.concat(text)))
      if (scanned) return { place, row: new Json(scanned.text) }
    throw new Unreadable('The file was changed while it was read.', place.line)
  }

  #add(row: Json, { index, line, offset }: Place): void {
    const filter = filterOf(row)
    const metrics = this.metrics.get(filter) ?? new Set()
    this.metrics.set(filter, metrics)
    for (const metric of metricsOf(row)) metrics.add(metric)
    const number = this.#numbers.get(filter) ?? this.#numbers.size
    this.#numbers.set(filter, number)
    this.#filters.push(number)
    this.#docs.push(this.#docOf(row.get('doc_id'), index))
    this.#offsets.push(offset)
    this.#fileLines.push(line)
    this.#indexes.push(index)
  }

  #docOf(id: Json | undefined, index: number): number {
    if (id?.number !== undefined) return id.number
    const name = id ? `=${id.plain}` : `record ${index}`
    const known = this.#named.get(name) ?? BEHIND_NUMBERS + this.#named.size
    this.#named.set(name, known)
    return known
  }

  /** Of the line before, unless it was not taken. */
  #endLine(offset: number): void {
    if (this.#ends.length < this.#offsets.length) this.#ends.push(offset)
  }

  *#repetitions(lines: number[]): Generator<Group> {
    const groups: number[][] = []
    const counts = new Map<number, number>()
    for (const line of lines) {
      const filter = this.#filters[line] ?? 0
      const count = counts.get(filter) ?? 0
      counts.set(filter, count + 1)
      groups[count] ??= []
      groups[count].push(line)
    }
    for (const [at, group] of groups.entries())
      yield { lines: group, repetition: groups.length > 1 ? at + 1 : undefined }
  }
}
