// A sample of Inspect holds far more than what is to be kept: its events, and long texts that stand beside it as
// attachments. It is read as a whole first; where that is too large, again with less of it.
import type { JsonRecord, RecordLimits } from '../json/records.ts'
import { Json } from '../json/value.ts'
import type { Found } from '../schema/findings.ts'
import { refuse, repair } from './reading.ts'

/** A log, whichever way it is written. */
export interface Log {
  /** The log without its samples. */
  head: Json
  /** Of the samples, in any order; asked for only where the head does not list them. */
  ids(): Promise<string[]>
  /** What `judge` makes of each sample, which is given with less and less in it until it says that it is done. */
  samples(judge: Judge): AsyncGenerator<Found>
}

/** False, and nothing told, where the sample has to be read again at the next level. */
export type Judge = (record: JsonRecord, level: number) => Generator<Found, boolean>

/** Members that are never kept: what happened while the sample ran, and second renderings of a traceback. */
const NEVER_KEPT = [
  'events',
  'events_data',
  'timelines',
  'transcript.events',
  'error.traceback_ansi',
  'error_retries.events',
  'error_retries.traceback_ansi',
]
const ATTACHMENTS = ['attachments', 'transcript.content']
const MESSAGES = ['messages']

/**
 * What is left out from level to level. Attachments come first: most are of events, so that often nothing refers
 * to them once these are gone.
 */
const LEVELS = [[], ATTACHMENTS, MESSAGES, [...MESSAGES, ...ATTACHMENTS]]
export const LAST_LEVEL = LEVELS.length - 1

/** What is not needed either where only the id of a sample is. */
export const HEAVY = ['input', 'target', 'metadata', 'output', 'scores', 'store', 'error', 'error_retries']

/** The paths in a sample that are not read at a level. */
export function leftOut(level: number): string[] {
  return [...NEVER_KEPT, ...(LEVELS[level] as string[])]
}

export function readsMessages(level: number): boolean {
  return LEVELS[level]?.includes('messages') === false
}

export function readsAttachments(level: number): boolean {
  return LEVELS[level]?.includes('attachments') === false
}

/** A whole string, not a name, that stands for an attachment: by its digest or, in the newest layout, its number. */
export const REFERENCE = /(?<=[:,[])"(?:attachment|tc):\/\/([0-9a-f]{32}|\d{1,9})"(?!:)/g

const TOO_LARGE = 'The sample is larger than a record may be'

/** One reading of a sample, and what is to be told of it. */
export class Attempt {
  /** The sample, its attachments put in place; undefined where it cannot be read, or not at this level. */
  readonly row: Json | undefined
  readonly #record: JsonRecord
  readonly #level: number
  /** How many more characters may be put in by copying. */
  #room: number
  #missing = 0

  constructor(record: JsonRecord, level: number, limits: RecordLimits) {
    this.#record = record
    this.#level = level
    this.#room = limits.record_bytes
    const row = record.scanned && new Json(record.scanned.text)
    if (row?.isObject) this.row = this.#resolved(row)
  }

  /** Whether a text may be copied once more: a small file could ask for very large ones. */
  takes(text: string): boolean {
    this.#room -= text.length
    return this.#room >= 0
  }

  get isFull(): boolean {
    return this.#room < 0
  }

  #resolved(row: Json): Json | undefined {
    const attachments = row.get('attachments') ?? row.get('transcript', 'content')
    const kept = Array.from(row.members).filter(([name]) => name !== 'attachments' && name !== 'transcript')
    const { text } = Json.object(kept)
    let fits = true
    const resolved = text.replace(REFERENCE, (reference, id: string) => {
      const attachment = attachments?.get(id)
      if (attachment?.string === undefined) this.#missing += 1
      else if (this.takes(attachment.text)) return attachment.text
      else fits = false
      return reference
    })
    const lacksNothing = this.#missing === 0 || readsAttachments(this.#level)
    return this.#level === LAST_LEVEL || (fits && lacksNothing) ? new Json(resolved) : undefined
  }

  /** Where there is no row: false if the next level may have one. */
  *ended(): Generator<Found, boolean> {
    const { scanned, problem, index } = this.#record
    const isBroken = problem?.fault === 'syntax' || problem?.fault === 'duplicate'
    if (!isBroken && this.#level < LAST_LEVEL && (problem || scanned?.members)) return false
    if (!problem) return yield* this.refused('', 'This must be an object.')
    const pointer = problem.fault === 'syntax' ? '' : problem.pointer
    yield { kind: 'refusal', record: index + 1, line: problem.line, pointer, detail: problem.message }
    return true
  }

  *refused(pointer: string, detail: string): Generator<Found, boolean> {
    yield refuse(this.#record, pointer, detail)
    return true
  }

  /** What came of it, unless it is refused for what the next level does without. */
  *done(found: Found[]): Generator<Found, boolean> {
    if (this.#level < LAST_LEVEL && found.some(({ kind }) => kind === 'refusal')) return false
    if (this.#record.scanned && this.#record.scanned.repairs > 0)
      yield this.#repair('', 'NaN or Infinity, which JSON does not have, was read as null.')
    if (!readsMessages(this.#level))
      yield this.#repair('/messages', `${TOO_LARGE}: its messages are left out.`)
    if (this.#missing > 0) {
      const why = readsAttachments(this.#level)
        ? 'The file lacks attachments'
        : `${TOO_LARGE}, so that its attachments are left out`
      yield this.#repair('', `${why}: ${this.#missing} texts are only names of them.`)
    }
    yield* found
    return true
  }

  #repair(pointer: string, detail: string): Found {
    return repair(this.#record.index + 1, this.#record.line, pointer, detail)
  }
}
