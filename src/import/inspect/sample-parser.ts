// Parses an Inspect sample and inserts its attachments. A sample that is too large is parsed again at the next level,
// which omits more of it.
import type { JsonRecord, RecordLimits } from '../../json/records.ts'
import { Json } from '../../json/value.ts'
import type { ImportEvent } from '../../schema/import-events.ts'
import { rejectionNote, repairNote } from '../read-records.ts'

/** A log in either file format. */
export interface Log {
  /** The log without its samples. */
  header: Json
  /** Whether the events of samples are in entries of their own, which are not read. */
  hasEvents?: boolean
  /** The ids of the samples, in any order. Only called if the header does not list them. */
  ids(): Promise<string[]>
  /** Calls `handle` for each sample, level by level, until it returns true. */
  samples(handle: SampleHandler): AsyncGenerator<ImportEvent>
}

/** A sample. One that was assembled has a `row`. */
export type SampleRecord = JsonRecord & { row?: Json }

/** Returns false, without any event, if the sample must be read again at the next level. */
export type SampleHandler = (record: SampleRecord, level: number) => Generator<ImportEvent, boolean>

/** The events of a sample. They are dropped when it is read, and read as null. */
export const EVENT_MEMBERS = ['events', 'events_data', 'timelines']

/** Members that are never imported: the events of the run, and colored copies of a traceback. */
const ALWAYS_OMITTED = [
  ...EVENT_MEMBERS,
  'transcript.events',
  'error.traceback_ansi',
  'error_retries.events',
  'error_retries.traceback_ansi',
]
const ATTACHMENTS = ['attachments', 'transcript.content']
const MESSAGES = ['messages']

/**
 * What each level omits. Attachments come first: most belong to events, so that often nothing refers to them once the
 * events are omitted.
 */
const LEVELS = [[], ATTACHMENTS, MESSAGES, [...MESSAGES, ...ATTACHMENTS]]
export const LAST_LEVEL = LEVELS.length - 1

/** Members that are omitted too if only the id of a sample is needed. */
export const LARGE_MEMBERS = [
  'input',
  'target',
  'metadata',
  'output',
  'scores',
  'store',
  'error',
  'error_retries',
]

/** The paths in a sample that a level omits. */
export function omittedPaths(level: number): string[] {
  return [...ALWAYS_OMITTED, ...(LEVELS[level] as string[])]
}

export function readsMessages(level: number): boolean {
  return LEVELS[level]?.includes('messages') === false
}

export function readsAttachments(level: number): boolean {
  return LEVELS[level]?.includes('attachments') === false
}

/** A string value that refers to an attachment by its digest or, in the newest layout, its number. */
export const REFERENCE = /(?<=[:,[])"(?:attachment|tc):\/\/([0-9a-f]{32}|\d{1,9})"(?!:)/g

const TOO_LARGE = 'The sample exceeds the size limit of a record'

/** Parses a sample at one level and creates its events. */
export class SampleParser {
  /** The sample with its attachments inserted. Undefined if it cannot be read at this level. */
  readonly row: Json | undefined
  readonly #record: SampleRecord
  readonly #level: number
  /** How many more characters can be inserted. */
  #remainingCharacters: number
  #missingAttachments = 0

  constructor(record: SampleRecord, level: number, limits: RecordLimits) {
    this.#record = record
    this.#level = level
    this.#remainingCharacters = limits.record_bytes
    const row = record.row ?? (record.scanned && Json.scanned(record.scanned))
    if (row?.isObject) this.row = this.#insertAttachments(row)
  }

  /** Whether a text can be inserted. Without this limit, a small file could expand to a very large sample. */
  reserve(text: string): boolean {
    this.#remainingCharacters -= text.length
    return this.#remainingCharacters >= 0
  }

  get isOverLimit(): boolean {
    return this.#remainingCharacters < 0
  }

  #insertAttachments(row: Json): Json | undefined {
    const attachments = row.get('attachments') ?? row.get('transcript', 'content')
    const members = Array.from(row.members).filter(
      ([name]) => name !== 'attachments' && name !== 'transcript',
    )
    let areAttachmentsInserted = true
    const resolved = Json.object(members).withStrings(REFERENCE, (reference, id) => {
      const attachment = attachments?.get(id)
      if (attachment?.string === undefined) this.#missingAttachments += 1
      else if (this.reserve(attachment.text)) return attachment.text
      else areAttachmentsInserted = false
      return reference
    })
    const isComplete = this.#missingAttachments === 0 || readsAttachments(this.#level)
    return this.#level === LAST_LEVEL || (areAttachmentsInserted && isComplete) ? resolved : undefined
  }

  /** Called if there is no row. Returns false if the next level could have one. */
  *handleUnreadable(): Generator<ImportEvent, boolean> {
    const { scanned, problem, index } = this.#record
    const isBroken = problem?.fault === 'syntax' || problem?.fault === 'duplicate'
    if (!isBroken && this.#level < LAST_LEVEL && (problem || scanned?.members)) return false
    if (!problem) return yield* this.reject('', 'This must be an object.')
    const pointer = problem.fault === 'syntax' ? '' : problem.pointer
    yield { kind: 'rejection', record: index + 1, line: problem.line, pointer, detail: problem.message }
    return true
  }

  *reject(pointer: string, detail: string): Generator<ImportEvent, boolean> {
    yield rejectionNote(this.#record, pointer, detail)
    return true
  }

  /** Yields the events, unless the sample is rejected and the next level could succeed. */
  *finish(events: ImportEvent[]): Generator<ImportEvent, boolean> {
    if (this.#level < LAST_LEVEL && events.some(({ kind }) => kind === 'rejection')) return false
    if (this.#record.scanned && this.#record.scanned.repairs > 0)
      yield this.#createRepair('', 'NaN and Infinity are not valid JSON and were read as null.')
    if (!readsMessages(this.#level))
      yield this.#createRepair('/messages', `${TOO_LARGE}. Its messages were omitted.`)
    if (this.#missingAttachments > 0) {
      const reason = readsAttachments(this.#level)
        ? 'The file lacks attachments.'
        : `${TOO_LARGE}. Its attachments were omitted.`
      yield this.#createRepair('', `${reason} ${this.#missingAttachments} texts contain only a reference.`)
    }
    yield* events
    return true
  }

  #createRepair(pointer: string, detail: string): ImportEvent {
    return repairNote(this.#record.index + 1, this.#record.line, pointer, detail)
  }
}
