// The records of a file, read as they stream by, and what is to be told where one cannot be read.
import { type DocumentPaths, DocumentReader, type DocumentRecord } from '../json/document.ts'
import { JsonProblem } from '../json/problem.ts'
import { type JsonRecord, type Place, type RecordLimits, RecordReader } from '../json/records.ts'
import { Json } from '../json/value.ts'
import type { Found, Remark } from '../schema/findings.ts'
import { Unreadable } from './importer.ts'
import type { Judged } from './records.ts'
import type { Source } from './source.ts'

type Refused = { kind: 'refusal' } & Remark

interface How {
  limits: RecordLimits
  onRead(bytes: number): void
}

/** The elements of an array, or one record a line. Ends with a refusal where the file cannot be read any further. */
export async function* readRecords(source: Source, how: How): AsyncGenerator<JsonRecord | Refused> {
  if (/^\ufeff?\s*\{[ \t]*\r?\n/.test(source.head.toString('utf8', 0, 1000))) {
    yield { kind: 'refusal', record: null, line: 1, pointer: '', detail: OVER_LINES }
    return
  }
  const reader = new RecordReader(source.opening?.shape ?? 'array', how.limits)
  yield* told(async function* () {
    for await (const chunk of withProgress(source, how)) yield* reader.push(chunk)
    yield* reader.end()
  })
}

const OVER_LINES =
  'An object stands on several lines here, where records stand one a line. Put it on one line, or into an array.'

/** What stands in the arrays of a document that `paths` names as records. Ends like readRecords. */
export async function* readDocument(
  source: Source,
  paths: DocumentPaths,
  how: How,
): AsyncGenerator<DocumentRecord | Refused> {
  const reader = new DocumentReader(paths, how.limits)
  yield* told(async function* () {
    for await (const chunk of withProgress(source, how)) yield* reader.push(chunk)
    reader.end()
  })
}

/** The document without its records. Throws Unreadable. */
export async function readRest(source: Source, paths: DocumentPaths, how: How): Promise<Json> {
  const reader = new DocumentReader({ ...paths, skipsRecords: true }, how.limits)
  try {
    // Nothing comes out, but it has to be asked for.
    for await (const chunk of withProgress(source, how)) for (const _ of reader.push(chunk));
    return new Json(reader.end().text)
  } catch (error) {
    throw error instanceof JsonProblem ? new Unreadable(error.message, error.line) : error
  }
}

const BOM = Buffer.from('\ufeff')

async function* withProgress(source: Source, { onRead }: How): AsyncGenerator<Buffer> {
  let read = 0
  for await (const chunk of source.chunks()) {
    // Some editors write a mark that JSON does not know; as white space it leaves everything where it is.
    if (read === 0 && chunk.subarray(0, BOM.length).equals(BOM)) chunk.fill(' ', 0, BOM.length)
    read += chunk.length
    onRead(read)
    yield chunk
  }
}

async function* told<Item>(read: () => AsyncGenerator<Item>): AsyncGenerator<Item | Refused> {
  try {
    yield* read()
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    yield { kind: 'refusal', record: null, line: error.line, pointer: '', detail: error.message }
  }
}

/** What is wrong with a record, one refusal for each error. */
export function* refusals({ place, problem, errors = [] }: Judged<unknown>): Generator<Refused> {
  const record = place.index + 1
  if (problem) yield { kind: 'refusal', record, line: problem.line, pointer: '', detail: problem.message }
  for (const { pointer, detail } of errors)
    yield { kind: 'refusal', record, line: place.line, pointer, detail }
}

/** The object that a record is, behind what is to be told of it; undefined where it is refused. */
export function* objectOf(record: JsonRecord): Generator<Found, Json | undefined> {
  const { scanned, problem, index, line } = record
  if (!scanned) {
    const where = problem.fault === 'syntax' ? '' : problem.pointer
    yield { kind: 'refusal', record: index + 1, line: problem.line, pointer: where, detail: problem.message }
    return undefined
  }
  const row = new Json(scanned.text)
  if (!row.isObject) {
    yield { kind: 'refusal', record: index + 1, line, pointer: '', detail: 'This must be an object.' }
    return undefined
  }
  if (scanned.repairs > 0) yield repair(index + 1, line, '', NOT_NUMBERS)
  return row
}

const NOT_NUMBERS = 'NaN or Infinity, which JSON does not have, was read as null.'

export function refuse(
  { index, line }: Pick<Place, 'index' | 'line'>,
  pointer: string,
  detail: string,
): Found {
  return { kind: 'refusal', record: index + 1, line, pointer, detail }
}

export function repair(record: number | null, line: number, pointer: string, detail: string): Found {
  return { kind: 'repair', record, line, pointer, detail }
}
