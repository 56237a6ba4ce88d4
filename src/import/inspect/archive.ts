// Reads an Inspect log in .eval format: a ZIP archive of JSON files. A sample is one entry or, in the newest layout, a
// folder with numbered messages and attachments in several entries.
import { UnreadableFile } from '../../errors.ts'
import { createRecordReader, DocumentReader } from '../../json/document.ts'
import { JsonProblem } from '../../json/problem.ts'
import type { JsonRecord, RecordLimits } from '../../json/records.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { repairNote } from '../read-records.ts'
import type { Source } from '../source.ts'
import { readDirectory, readEntryBytes, UnreadableEntry, type ZipEntry } from '../zip/read-zip.ts'
import {
  LAST_LEVEL,
  type Log,
  omittedPaths,
  REFERENCE,
  readsAttachments,
  readsMessages,
  type SampleHandler,
  type SampleRecord,
} from './sample-parser.ts'

const SAMPLE_NAME = /^(samples\/(.+)_epoch_(\d+))(\.json|\/sample\.json)$/s
const PART_NAME = /^(samples\/.+_epoch_\d+)\/(?:(messages|attachments)\/(\d+)|(metadata))\.json$/s
const SUMMARIES_NAME = /^_journal\/summaries\/(\d+)\.json$/

interface Sample {
  /** The name of the entry or folder. */
  name: string
  id: string
  /** The entry of the sample, or sample.json in its folder. */
  entry: ZipEntry
  parts: Parts | undefined
}

interface Parts {
  metadata: ZipEntry | undefined
  messages: Part[]
  attachments: Part[]
}

/** An entry of a numbered sequence, with the number of its first element. */
type Part = { start: number; entry: ZipEntry }

export async function openArchive(source: Source, limits: RecordLimits): Promise<Log> {
  const entries = await readDirectory(source)
  const archive = new Archive(source, limits, entries)
  return {
    header: await archive.readHeader(),
    hasEvents: entries.some(({ name }) => /^samples\/[^/]+\/events\//.test(name)),
    ids: async () => archive.samples.map(({ id }) => id),
    samples: (handle) => archive.readSamples(handle),
  }
}

class Archive {
  readonly samples: Sample[]
  readonly #source: Source
  readonly #limits: RecordLimits
  /** By name. The last entry of a name is used: a sample that runs again is written again. */
  readonly #entries: Map<string, ZipEntry>

  constructor(source: Source, limits: RecordLimits, entries: ZipEntry[]) {
    this.#source = source
    this.#limits = limits
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]))
    this.samples = samplesOf(this.#entries)
  }

  /** A run that was interrupted has only _journal/start.json. */
  async readHeader(): Promise<Json> {
    const entry = this.#entries.get('header.json') ?? this.#entries.get('_journal/start.json')
    if (!entry) throw new UnreadableFile('The archive has neither header.json nor _journal/start.json.')
    const header = await this.#readDocument(entry, ['reductions', 'results.sample_reductions'], 0)
    if (!header.scanned) throw new UnreadableFile(`${entry.name}: ${header.problem.message}`)
    return Json.scanned(header.scanned)
  }

  async *readSamples(handle: SampleHandler): AsyncGenerator<ImportEvent> {
    for (const [index, sample] of this.samples.entries()) {
      for (let level = 0, isDone = false; level <= LAST_LEVEL && !isDone; level += 1)
        isDone = yield* withEntryName(
          sample.entry.name,
          handle(await this.#readSample(sample, level, index), level),
        )
    }
    yield* this.#readSummaries(handle)
  }

  #readSample(sample: Sample, level: number, index: number): Promise<SampleRecord> {
    const { entry, parts } = sample
    return parts
      ? this.#assembleSample(entry, parts, level, index)
      : this.#readDocument(entry, omittedPaths(level), index)
  }

  /** Combines a sample with its messages and attachments from other entries. */
  async #assembleSample(entry: ZipEntry, parts: Parts, level: number, index: number): Promise<SampleRecord> {
    const sample = await this.#readDocument(entry, omittedPaths(level), index)
    if (!sample.scanned) return sample
    let { repairs } = sample.scanned
    const members = new Map(Json.scanned(sample.scanned).members)
    const ranges = rangesOf(members.get('message_refs'))
    members.delete('message_refs')
    try {
      if (parts.metadata) {
        const metadata = await this.#readDocument(parts.metadata, [], index)
        if (!metadata.scanned) return metadata
        repairs += metadata.scanned.repairs
        members.set('metadata', Json.scanned(metadata.scanned))
      }
      if (readsMessages(level)) members.set('messages', await this.#readMessages(parts, ranges))
      if (readsAttachments(level)) {
        const ids = Array.from(Json.object(members).text.matchAll(REFERENCE), ([, id]) => Number(id))
        members.set('attachments', await this.#readAttachments(parts, new Set(ids)))
      }
    } catch (error) {
      return { index, line: 1, offset: 0, problem: toJsonProblem(error) }
    }
    const row = Json.object(members)
    if (Buffer.byteLength(row.text) > this.#limits.record_bytes)
      return { index, line: 1, offset: 0, problem: tooLargeProblem(this.#limits) }
    return { ...sample, scanned: { ...sample.scanned, repairs }, row }
  }

  async #readMessages({ messages }: Parts, ranges: [number, number][]): Promise<Json> {
    const { record_bytes } = this.#limits
    const numbers: number[] = []
    for (const [from, to] of ranges)
      for (let number = from; number < to; number += 1)
        if (numbers.push(number) > record_bytes) throw tooLargeProblem(this.#limits)
    const requestedNumbers = new Set(numbers)
    const elements = await this.#readElements(messages, (number) => requestedNumbers.has(number))
    let length = 0
    for (const number of numbers) length += elements.get(number)?.text.length ?? 0
    if (length > record_bytes) throw tooLargeProblem(this.#limits)
    return Json.array(numbers.map((number) => elements.get(number) ?? Json.of(null)))
  }

  async #readAttachments({ attachments }: Parts, ids: Set<number>): Promise<Json> {
    const elements = await this.#readElements(attachments, (number) => ids.has(number))
    return Json.object(Array.from(elements, ([number, element]) => [String(number), element] as const))
  }

  /** Elements of a sequence by number. Throws JsonProblem and UnreadableEntry. */
  async #readElements(parts: Part[], isRequested: (number: number) => boolean): Promise<Map<number, Json>> {
    const elements = new Map<number, Json>()
    let remainingCharacters = this.#limits.record_bytes
    for (const { start, entry } of parts) {
      for await (const record of this.#readEntryElements(entry)) {
        if (!isRequested(start + record.index)) continue
        if (!record.scanned) throw record.problem
        remainingCharacters -= record.scanned.text.length
        if (remainingCharacters < 0) throw tooLargeProblem(this.#limits)
        elements.set(start + record.index, Json.scanned(record.scanned))
      }
    }
    return elements
  }

  async *#readEntryElements(entry: ZipEntry): AsyncGenerator<JsonRecord> {
    const reader = createRecordReader('array', this.#limits)
    for await (const chunk of readEntryBytes(this.#source, entry)) yield* reader.push(chunk)
    yield* reader.end()
  }

  /** Reads an entry that is one JSON value. */
  async #readDocument(entry: ZipEntry, dropped: string[], index: number): Promise<JsonRecord> {
    const place = { index, line: 1, offset: 0 }
    const reader = new DocumentReader({ records: [], dropped }, this.#limits)
    try {
      for await (const chunk of readEntryBytes(this.#source, entry)) for (const _ of reader.push(chunk));
      return { ...place, scanned: reader.end() }
    } catch (error) {
      return { ...place, problem: toJsonProblem(error) }
    }
  }

  /** Imports samples that have a summary but no entry. */
  async *#readSummaries(handle: SampleHandler): AsyncGenerator<ImportEvent> {
    const importedNames = new Set(this.samples.map(({ name }) => name))
    let index = this.samples.length
    for (const entry of this.#listSummaries()) {
      try {
        for await (const record of this.#readEntryElements(entry)) {
          const row = record.scanned && Json.scanned(record.scanned)
          const name = `samples/${row?.get('id')?.plain}_epoch_${row?.get('epoch')?.plain}`
          if (!row || importedNames.has(name) || row.get('completed')?.boolean === false) continue
          importedNames.add(name)
          yield repairNote(
            index + 1,
            1,
            '',
            `${entry.name}: The archive has only a summary of ${name}, with long texts truncated.`,
          )
          const summary = { ...record, index, line: 1 }
          for (const level of [0, LAST_LEVEL])
            if (yield* withEntryName(entry.name, handle(summary, level))) break
          index += 1
        }
      } catch (error) {
        yield repairNote(null, 1, '', `${entry.name}: ${toJsonProblem(error).message}`)
      }
    }
  }

  #listSummaries(): ZipEntry[] {
    const summariesEntry = this.#entries.get('summaries.json')
    if (summariesEntry) return [summariesEntry]
    const numberOf = ({ name }: ZipEntry) => Number(SUMMARIES_NAME.exec(name)?.[1])
    const parts = [...this.#entries.values()].filter(({ name }) => SUMMARIES_NAME.test(name))
    // The newest first, because the first summary of a sample is used.
    return parts.sort((a, b) => numberOf(b) - numberOf(a))
  }
}

function samplesOf(entries: ReadonlyMap<string, ZipEntry>): Sample[] {
  const parts = new Map<string, Parts>()
  for (const [entryName, entry] of entries) {
    const [, name = '', sequence, start, metadata] = PART_NAME.exec(entryName) ?? []
    const sampleParts = parts.get(name) ?? { metadata: undefined, messages: [], attachments: [] }
    if (metadata) sampleParts.metadata = entry
    else if (sequence === 'messages' || sequence === 'attachments')
      sampleParts[sequence].push({ start: Number(start), entry })
    parts.set(name, sampleParts)
  }
  const samples = new Map<string, Sample>()
  for (const [entryName, entry] of entries) {
    const [, name = '', id = '', , suffix] = SAMPLE_NAME.exec(entryName) ?? []
    const isSingleEntry = suffix === '.json'
    if (name === '' || (!isSingleEntry && samples.has(name))) continue
    const ownParts = parts.get(name) ?? { metadata: undefined, messages: [], attachments: [] }
    samples.set(name, { name, id, entry, parts: isSingleEntry ? undefined : ownParts })
  }
  return [...samples.values()]
}

/** Ranges with an exclusive end. */
function rangesOf(refs: Json | undefined): [number, number][] {
  return (refs?.elements ?? []).map(({ elements: [from, to] }) => [from?.number ?? 0, to?.number ?? 0])
}

function tooLargeProblem({ record_bytes }: RecordLimits): JsonProblem {
  return new JsonProblem('size', `The sample is larger than ${record_bytes} bytes.`, 0, 1)
}

/** Turns an error of reading an entry into a JsonProblem. */
function toJsonProblem(error: unknown): JsonProblem {
  if (error instanceof JsonProblem) return error
  if (error instanceof UnreadableEntry) return new JsonProblem('syntax', error.message, 0, 1)
  throw error
}

/** Prefixes notes with the name of the entry, because an archive has no line numbers. */
function* withEntryName(
  name: string,
  events: Generator<ImportEvent, boolean>,
): Generator<ImportEvent, boolean> {
  for (;;) {
    const step = events.next()
    if (step.done) return step.value
    const event = step.value
    const isNote = event.kind === 'rejection' || event.kind === 'repair'
    yield isNote ? { ...event, detail: `${name}: ${event.detail}` } : event
  }
}
