// A log of Inspect as .eval: a ZIP archive of JSON. A sample is an entry, or in the newest layout a folder, in which
// its messages and attachments are numbered and stand in entries of so many each.
import { DocumentReader } from '../json/document.ts'
import { JsonProblem } from '../json/problem.ts'
import { type JsonRecord, RecordReader } from '../json/records.ts'
import { Json } from '../json/value.ts'
import type { Found } from '../schema/findings.ts'
import { type ImportOptions, Unreadable } from './importer.ts'
import {
  type Judge,
  LAST_LEVEL,
  type Log,
  leftOut,
  REFERENCE,
  readsAttachments,
  readsMessages,
} from './inspect-attempt.ts'
import { repair } from './reading.ts'
import type { Source } from './source.ts'
import { readDirectory, type ZipEntry } from './zip.ts'
import { BadEntry, readEntryBytes } from './zip-entry.ts'

const SAMPLE = /^(samples\/(.+)_epoch_(\d+))(\.json|\/sample\.json)$/s
const PART = /^(samples\/.+_epoch_\d+)\/(?:(messages|attachments)\/(\d+)|(metadata))\.json$/s
const SUMMARIES = /^_journal\/summaries\/(\d+)\.json$/

interface Sample {
  /** Of the entry, or of the folder. */
  name: string
  id: string
  /** The entry of a sample that is one; otherwise the one that the others stand beside. */
  entry: ZipEntry
  parts: Parts | undefined
}

interface Parts {
  metadata: ZipEntry | undefined
  messages: Part[]
  attachments: Part[]
}

/** Entries of a numbered sequence, by the number of their first element. */
type Part = { start: number; entry: ZipEntry }

export async function openArchive(source: Source, options: ImportOptions): Promise<Log> {
  const archive = new Archive(source, options, await readDirectory(source))
  return {
    head: await archive.head(),
    ids: async () => archive.samples.map(({ id }) => id),
    samples: (judge) => archive.read(judge),
  }
}

class Archive {
  readonly samples: Sample[]
  readonly #source: Source
  readonly #options: ImportOptions
  /** Of entries of the same name the last one counts: a sample that ran again is written again. */
  readonly #entries: Map<string, ZipEntry>
  #read = 0

  constructor(source: Source, options: ImportOptions, entries: ZipEntry[]) {
    this.#source = source
    this.#options = options
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]))
    this.samples = samplesOf(this.#entries)
  }

  /** A run that was cut short has only what it began with. */
  async head(): Promise<Json> {
    const entry = this.#entries.get('header.json') ?? this.#entries.get('_journal/start.json')
    if (!entry) throw new Unreadable('The archive has neither header.json nor _journal/start.json.')
    const head = await this.#document(entry, ['reductions', 'results.sample_reductions'], 0)
    if (!head.scanned) throw new Unreadable(`${entry.name}: ${head.problem.message}`)
    return new Json(head.scanned.text)
  }

  async *read(judge: Judge): AsyncGenerator<Found> {
    for (const [index, sample] of this.samples.entries()) {
      for (let level = 0, isDone = false; level <= LAST_LEVEL && !isDone; level += 1)
        isDone = yield* named(sample.entry.name, judge(await this.#sample(sample, level, index), level))
    }
    yield* this.#readSummaries(judge)
  }

  #sample(sample: Sample, level: number, index: number): Promise<JsonRecord> {
    const { entry, parts } = sample
    return parts ? this.#assembled(entry, parts, level, index) : this.#document(entry, leftOut(level), index)
  }

  /** A sample whose messages and attachments stand beside it: as if they stood in it. */
  async #assembled(entry: ZipEntry, parts: Parts, level: number, index: number): Promise<JsonRecord> {
    const shell = await this.#document(entry, leftOut(level), index)
    if (!shell.scanned) return shell
    let { repairs } = shell.scanned
    const members = new Map(new Json(shell.scanned.text).members)
    const ranges = rangesOf(members.get('message_refs'))
    members.delete('message_refs')
    try {
      if (parts.metadata) {
        const metadata = await this.#document(parts.metadata, [], index)
        if (!metadata.scanned) return metadata
        repairs += metadata.scanned.repairs
        members.set('metadata', new Json(metadata.scanned.text))
      }
      if (readsMessages(level)) members.set('messages', await this.#messages(parts, ranges))
      if (readsAttachments(level)) {
        const ids = Array.from(Json.object(members).text.matchAll(REFERENCE), ([, id]) => Number(id))
        members.set('attachments', await this.#attachments(parts, new Set(ids)))
      }
    } catch (error) {
      return { index, line: 1, offset: 0, problem: problemOf(error) }
    }
    const { text } = Json.object(members)
    if (Buffer.byteLength(text) > this.#options.limits.record_bytes) return this.#tooLarge(index)
    return { ...shell, scanned: { ...shell.scanned, text, repairs } }
  }

  async #messages({ messages }: Parts, ranges: [number, number][]): Promise<Json> {
    const { record_bytes } = this.#options.limits
    const places: number[] = []
    for (const [from, to] of ranges)
      for (let place = from; place < to; place += 1)
        if (places.push(place) > record_bytes) throw tooLarge(this.#options)
    const wanted = new Set(places)
    const found = await this.#picked(messages, (place) => wanted.has(place))
    let length = 0
    for (const place of places) length += found.get(place)?.length ?? 0
    if (length > record_bytes) throw tooLarge(this.#options)
    return new Json(`[${places.map((place) => found.get(place) ?? 'null').join(',')}]`)
  }

  async #attachments({ attachments }: Parts, ids: Set<number>): Promise<Json> {
    const found = await this.#picked(attachments, (place) => ids.has(place))
    return Json.object(Array.from(found, ([place, text]) => [String(place), new Json(text)] as const))
  }

  /** Elements of a sequence, by their numbers. Throws JsonProblem and BadEntry. */
  async #picked(parts: Part[], wanted: (place: number) => boolean): Promise<Map<number, string>> {
    const found = new Map<number, string>()
    let room = this.#options.limits.record_bytes
    for (const { start, entry } of parts) {
      for await (const record of this.#elements(entry)) {
        if (!wanted(start + record.index)) continue
        if (!record.scanned) throw record.problem
        room -= record.scanned.text.length
        if (room < 0) throw tooLarge(this.#options)
        found.set(start + record.index, record.scanned.text)
      }
    }
    return found
  }

  async *#elements(entry: ZipEntry): AsyncGenerator<JsonRecord> {
    const reader = new RecordReader('array', this.#options.limits)
    for await (const chunk of this.#bytes(entry)) yield* reader.push(chunk)
    yield* reader.end()
  }

  /** An entry that is one value. */
  async #document(entry: ZipEntry, dropped: string[], index: number): Promise<JsonRecord> {
    const place = { index, line: 1, offset: 0 }
    const reader = new DocumentReader({ records: [], dropped }, this.#options.limits)
    try {
      for await (const chunk of this.#bytes(entry)) for (const _ of reader.push(chunk));
      return { ...place, scanned: reader.end() }
    } catch (error) {
      return { ...place, problem: problemOf(error) }
    }
  }

  #bytes(entry: ZipEntry): AsyncGenerator<Buffer> {
    return readEntryBytes(this.#source, entry, (bytes) => {
      this.#read += bytes
      // An entry may be read more than once.
      this.#options.onRead(Math.min(this.#read, this.#source.size))
    })
  }

  #tooLarge(index: number): JsonRecord {
    return { index, line: 1, offset: 0, problem: tooLarge(this.#options) }
  }

  /** Samples that have a summary and no entry: it is all that is known of them. */
  async *#readSummaries(judge: Judge): AsyncGenerator<Found> {
    const known = new Set(this.samples.map(({ name }) => name))
    let index = this.samples.length
    for (const entry of this.#summaries()) {
      try {
        for await (const record of this.#elements(entry)) {
          const row = record.scanned && new Json(record.scanned.text)
          const name = `samples/${row?.get('id')?.plain}_epoch_${row?.get('epoch')?.plain}`
          if (!row || known.has(name) || row.get('completed')?.boolean === false) continue
          known.add(name)
          yield repair(
            index + 1,
            1,
            '',
            `${entry.name}: There is only a summary of ${name}, with long texts cut off.`,
          )
          const summary = { ...record, index, line: 1 }
          for (const level of [0, LAST_LEVEL]) if (yield* named(entry.name, judge(summary, level))) break
          index += 1
        }
      } catch (error) {
        yield repair(null, 1, '', `${entry.name}: ${problemOf(error).message}`)
      }
    }
  }

  #summaries(): ZipEntry[] {
    const whole = this.#entries.get('summaries.json')
    if (whole) return [whole]
    const numberOf = ({ name }: ZipEntry) => Number(SUMMARIES.exec(name)?.[1])
    const parts = [...this.#entries.values()].filter(({ name }) => SUMMARIES.test(name))
    // Of a sample that ran again the last one counts.
    return parts.sort((a, b) => numberOf(b) - numberOf(a))
  }
}

function samplesOf(entries: ReadonlyMap<string, ZipEntry>): Sample[] {
  const parts = new Map<string, Parts>()
  for (const [whole, entry] of entries) {
    const [, name = '', sequence, start, metadata] = PART.exec(whole) ?? []
    const of = parts.get(name) ?? { metadata: undefined, messages: [], attachments: [] }
    if (metadata) of.metadata = entry
    else if (sequence === 'messages' || sequence === 'attachments')
      of[sequence].push({ start: Number(start), entry })
    parts.set(name, of)
  }
  const samples = new Map<string, Sample>()
  for (const [whole, entry] of entries) {
    const [, name = '', id = '', , kind] = SAMPLE.exec(whole) ?? []
    const isOne = kind === '.json'
    if (name === '' || (!isOne && samples.has(name))) continue
    const own = parts.get(name) ?? { metadata: undefined, messages: [], attachments: [] }
    samples.set(name, { name, id, entry, parts: isOne ? undefined : own })
  }
  return [...samples.values()]
}

/** From a number up to another, which is not among them. */
function rangesOf(refs: Json | undefined): [number, number][] {
  return (refs?.elements ?? []).map(({ elements: [from, to] }) => [from?.number ?? 0, to?.number ?? 0])
}

function tooLarge({ limits }: ImportOptions): JsonProblem {
  return new JsonProblem('size', `The sample is larger than ${limits.record_bytes} bytes.`, 0, 1)
}

/** Whatever hinders the reading of an entry. */
function problemOf(error: unknown): JsonProblem {
  if (error instanceof JsonProblem) return error
  if (error instanceof BadEntry) return new JsonProblem('syntax', error.message, 0, 1)
  throw error
}

/** Records of an archive are known by the names of their entries. */
function* named(name: string, found: Generator<Found, boolean>): Generator<Found, boolean> {
  for (;;) {
    const step = found.next()
    if (step.done) return step.value
    const one = step.value
    const isRemark = one.kind === 'refusal' || one.kind === 'repair'
    yield isRemark ? { ...one, detail: `${name}: ${one.detail}` } : one
  }
}
